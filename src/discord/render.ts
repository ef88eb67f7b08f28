import {
  type APIActionRowComponent,
  type APIAllowedMentions,
  type APIButtonComponent,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
  type RawFile,
} from 'discord.js';
import { type Button, type Card, headline, type State } from '../card.ts';
import { defined } from '../defined.ts';

/** A card as Discord takes it. */
export interface Payload {
  content: string;
  embeds: APIEmbed[];
  components: APIActionRowComponent<APIButtonComponent>[];
  /** All that the message has from now on: what an edit does not name is gone. */
  attachments: { id: number; filename: string; description?: string }[];
  allowed_mentions: APIAllowedMentions;
}

/** The files of a card, as discord.js sends them beside the payload. */
export const filesOf = ({ files = [] }: Card): RawFile[] =>
  files.map(({ name, type, bytes }) => ({ name, data: Buffer.from(bytes), contentType: type }));

const grey = 0x80848e;
const yellow = 0xf0b232;
const red = 0xda373c;
const green = 0x23a55a;
const colours: Record<State, number> = {
  working: grey,
  question: yellow,
  reminder: yellow,
  alert: red,
  succeeded: green,
  accepted: green,
  rejected: red,
  'not-sent': grey,
  unknown: yellow,
  denied: red,
  invalid: red,
  cancelled: grey,
  expired: grey,
  blocked: grey,
  unavailable: red,
  finished: green,
  failed: red,
  stopped: grey,
};

/** In characters. Discord's own limits for a message's content and an embed's description, and, of the 6000 of a whole embed, what is left for the footer. */
const longest = { content: 2000, description: 4096, footer: 1000 };
const buttonsInRow = 5;

/** The headline is the text, because it is what a phone shows of a message; the rest is one embed. `note` stands on every card. */
export function render(card: Card, note = ''): Payload {
  const footer = [...(card.run === undefined ? [] : [`run ${card.run}`]), ...(note === '' ? [] : [note])].join(' · ');
  const body = card.body.map(({ markup }) => markup);
  // Discord refuses fields of white space, and embeds without fields.
  const shown = {
    ...(isBlank(body.join('')) ? {} : { description: fitted(body, longest.description) }),
    ...(isBlank(footer) ? {} : { footer: { text: fitted([footer], longest.footer) } }),
  };
  return {
    content: fitted([headline(card)], longest.content),
    embeds: Object.keys(shown).length === 0 ? [] : [{ color: colours[card.state], ...shown }],
    components: rows(card.buttons ?? []),
    attachments: (card.files ?? []).map(({ name, description }, id) => ({
      id,
      filename: name,
      ...defined({ description }),
    })),
    // Mentions on a card are names, never pings.
    allowed_mentions: { parse: [] },
  };
}

const isBlank = (text: string): boolean => text.trim() === '';

/** As many whole lines as fit; what is left out is said. A single line that is too long is cut at its end. */
function fitted(lines: readonly string[], most: number): string {
  const all = lines.join('\n');
  if (all.length <= most) return all;
  const room = most - 60;
  const kept: string[] = [];
  for (const line of lines) {
    if ([...kept, line].join('\n').length > room) break;
    kept.push(line);
  }
  if (kept.length === 0) return `${cut(lines[0] ?? '', room / 2)}… (cut: too long for Discord)`;
  return [...kept, `(${lines.length - kept.length} more lines do not fit into a card)`].join('\n');
}

/** The first so many characters. A code in which the cut falls is closed, so that what is in it stays in it. */
function cut(text: string, characters: number): string {
  const start = [...text].slice(0, characters).join('').replace(/`+$/, '');
  const [fences, ticks] = [start.split('```').length - 1, start.split('`').length - 1];
  if (fences % 2 === 1) return `${start}\n\`\`\``;
  return (ticks - 3 * fences) % 2 === 1 ? `${start}\`` : start;
}

function rows(buttons: readonly Button[]): APIActionRowComponent<APIButtonComponent>[] {
  const starts = buttons.map((_, i) => i).filter((i) => i % buttonsInRow === 0);
  return starts.map((start) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(start, start + buttonsInRow).map(({ label, id }) => ({
      type: ComponentType.Button,
      style: label === 'Confirm' ? ButtonStyle.Danger : ButtonStyle.Secondary,
      label,
      custom_id: id,
    })),
  }));
}
