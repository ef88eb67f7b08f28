import type { SandboxDiscord, SeenMessage } from '../discord/index.ts';
import { placesOf } from './places.ts';
import { unmarked } from './words.ts';

/** A message, and the person whose view of it is printed. */
export interface Sighting {
  who: string;
  channel: string;
  message: SeenMessage;
}

export interface Feed {
  /** Prints what is new in any channel as `viewer` sees it, and then what only others see. Returns how many. */
  flush(viewer?: string, thinking?: string): number;
  /** A fingerprint of everything anybody sees, without pending answers. */
  state(): string;
}

/** Every visible message once, by channel and in order; as `viewer` sees it where they can. */
export function sightings(discord: SandboxDiscord, viewer: string): Sighting[] {
  const people = [viewer, ...Object.keys(discord.people).filter((name) => name !== viewer)];
  return placesOf(discord).flatMap(({ name, where }) => {
    const seen = new Map<string, Sighting>();
    for (const who of people) {
      for (const message of discord.messages(who, where)) {
        if (!seen.has(message.id)) seen.set(message.id, { who, channel: name, message });
      }
    }
    return [...seen.values()];
  });
}

/** Prints every state of a message once, from now on, for somebody reading a terminal. */
export function makeFeed(discord: SandboxDiscord, print: (block: string) => void): Feed {
  const printed = new Map<string, { data: string; text: string }>();
  const forms = new Map<string, string>();
  let last = Object.keys(discord.people)[0] ?? '';

  const show = ({ who, channel, message }: Sighting): number => {
    const before = printed.get(message.id);
    // Compare the data, not only the text: "2 minutes ago" becomes "3 minutes ago" by itself.
    const data = JSON.stringify(message);
    if (before?.data === data) return 0;
    const text = unmarked(discord.viewMessage(who, message));
    printed.set(message.id, { data, text });
    if (before?.text === text) return 0;
    print(`#${channel}${before ? ' (changed)' : ''}\n${text}`);
    return 1;
  };

  const showForm = (who: string): number => {
    const modal = discord.modalOf(who);
    const data = JSON.stringify(modal ?? null);
    if (data === (forms.get(who) ?? 'null')) return 0;
    forms.set(who, data);
    if (!modal) return 0;
    const choice = modal.inputs.find(({ options }) => options);
    const inputs = modal.inputs.map(({ label, placeholder, options }) => {
      const hint = options?.map((each) => each.label).join(', ') ?? placeholder;
      return `  ${label}:${hint && ` (${hint})`}`;
    });
    const answer = [
      ...(choice ? ['CHOICE'] : []),
      ...(choice === undefined || modal.inputs.length > 1 ? ['TEXT'] : []),
    ];
    print(
      [`${who} has a form open: ${modal.title}`, ...inputs, `Answer with: ${who} type ${answer.join(': ')}`].join('\n'),
    );
    return 1;
  };

  // Messages from before the start are not new, even those of an earlier process.
  for (const { who, message } of sightings(discord, last)) {
    printed.set(message.id, { data: JSON.stringify(message), text: unmarked(discord.viewMessage(who, message)) });
  }
  return {
    flush(viewer = last, thinking) {
      last = viewer;
      const worth = ({ message }: Sighting) => message.state !== 'thinking' || message.answers === thinking;
      const blocks = sightings(discord, viewer).filter(worth).map(show);
      const open = Object.keys(discord.people).map(showForm);
      return [...blocks, ...open].filter((count) => count > 0).length;
    },
    state: () =>
      JSON.stringify(
        sightings(discord, last)
          .map(({ message }) => message)
          .filter((message) => message.state !== 'thinking'),
      ),
  };
}
