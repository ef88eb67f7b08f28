import type { SandboxDiscord } from '../discord/index.ts';
import { enumerate } from './line.ts';
import { placesOf } from './places.ts';

interface Button {
  messageId: string;
  label: string;
  customId: string;
  disabled: boolean;
  /** Discord's: 1 primary, 4 danger. */
  style?: number | undefined;
}

/** The buttons a person sees: newest message first, and within a message the last one first. Links have no id. */
function buttonsOf(discord: SandboxDiscord, who: string): Button[] {
  return placesOf(discord)
    .flatMap(({ where }) => discord.messages(who, where))
    .sort((a, b) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1))
    .flatMap((message) =>
      message.buttons
        .toReversed()
        .flatMap(({ label, customId, disabled, style }) =>
          !customId ? [] : [{ messageId: message.id, label, customId, disabled, style }],
        ),
    );
}

/** The whole label or its beginning; `Confirm` is also the button that stands out, whatever it says. */
const sameLabel = (label: string) => (button: Button) =>
  button.label.toLowerCase().startsWith(label.toLowerCase()) ||
  (label.toLowerCase() === 'confirm' && (button.style === 1 || button.style === 4));

/** The newest button with that label that the person sees and can press, in any channel or thread. */
export function findButton(discord: SandboxDiscord, who: string, label: string): Button | undefined {
  const open = buttonsOf(discord, who).filter((button) => !button.disabled);
  const exact = open.find((button) => button.label.toLowerCase() === label.toLowerCase());
  return exact ?? open.find(sameLabel(label));
}

/** Explains why there is nothing to press. */
export function noButton(discord: SandboxDiscord, who: string, label: string): string {
  const all = buttonsOf(discord, who);
  const labels = [...new Set(all.filter((button) => !button.disabled).map((button) => button.label))];
  const others = labels.length > 0 ? `The buttons are ${enumerate(labels)}.` : 'There is no button to press now.';
  return all.some(sameLabel(label))
    ? `The button "${label}" that ${who} sees can no longer be pressed. ${others}`
    : `${who} sees no button "${label}". ${others}`;
}
