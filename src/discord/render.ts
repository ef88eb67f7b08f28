import {
  type APIActionRowComponent,
  type APIAllowedMentions,
  type APIButtonComponent,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
  type RawFile,
} from 'discord.js';
import { type Button, bold, type Card, headline, type State, trusted, unstressed } from '../card.ts';
import { marks } from '../outcome.ts';
import { isBlank } from '../text.ts';

export interface Payload {
  content: string;
  embeds: APIEmbed[];
  components: APIActionRowComponent<APIButtonComponent>[];
  /** The complete list: an edit removes attachments that it does not name. */
  attachments: { id: number; filename: string; description?: string }[];
  allowed_mentions: APIAllowedMentions;
}

/** The files of a card, as discord.js sends them beside the payload. */
export const filesOf = ({ files = [] }: Card): RawFile[] =>
  files.map(({ name, type, bytes }) => ({ name, data: Buffer.from(bytes), contentType: type }));

/** A colour for each state. Nobody has to tell them apart: each has its mark, too. */
const colours: Record<State | 'read', number> = {
  working: 0x80848e,
  question: 0xf0b232,
  reminder: 0xe67e22,
  alert: 0xff3b30,
  succeeded: 0x23a55a,
  accepted: 0x1abc9c,
  finished: 0x1f8b4c,
  failed: 0x992d22,
  rejected: 0xda373c,
  'not-sent': 0x95a5a6,
  unknown: 0x9b59b6,
  happened: 0x57f287,
  'did not happen': 0xdbdee1,
  denied: 0xf0525a,
  invalid: 0xeb459e,
  cancelled: 0x607d8b,
  expired: 0x6d5c3d,
  blocked: 0xa0522d,
  unavailable: 0x4e5058,
  stopped: 0x979c9f,
  read: 0x5865f2,
};
/** The colour of what is no longer so. */
const pastColour = 0xb5bac1;

function styleOf({ state, title, isPast }: Card): [mark: string, colour: number] {
  const shown = title === undefined ? state : 'read';
  return [marks[shown], isPast === true ? pastColour : colours[shown]];
}

/** Maximum lengths in characters. Those of Discord: a message's content, an embed's description, and both of an embed's texts. */
const maxLength = { content: 2000, description: 4096, below: 2500, note: 1000 };
const maxLabelLength = 80;
const buttonsInRow = 5;

/** The headline is the content: a phone's notification shows that. The rest is one embed. `note` is on every card. */
export function render(card: Card, note = ''): Payload {
  const [mark, color] = styleOf(card);
  const description = textOf(card);
  // Discord refuses blank fields and empty embeds.
  const shown = {
    ...(isBlank(description) ? {} : { description }),
    ...(isBlank(note) ? {} : { footer: { text: fitLines([note], maxLength.note) } }),
  };
  return {
    content: `${mark} ${bold(trusted(fitLines([headline(card)], maxLength.content - 10))).markup}`,
    embeds: Object.keys(shown).length === 0 ? [] : [{ color, ...shown }],
    components: rows(card.buttons ?? []),
    attachments: (card.files ?? []).map(({ name, description: altText }, id) => ({
      id,
      filename: name,
      description: altText,
    })),
    // Mentions on a card never ping.
    allowed_mentions: { parse: [] },
  };
}

/** The fact, the lines, the next steps, the small print. If the text is too long, only lines are left out. */
function textOf(card: Card): string {
  const below = fitLines(
    [...(card.next ?? []).map((step) => `→ ${unstressed(step).markup}`), ...smallPrint(card)],
    maxLength.below,
  );
  const above = [
    ...(card.fact === undefined ? [] : [unstressed(bold(card.fact)).markup]),
    ...card.body.map((line) => unstressed(line).markup),
  ];
  if (isBlank(above.join(''))) return below;
  const room = maxLength.description - (below === '' ? 0 : below.length + 1);
  return [fitLines(above, room), ...(below === '' ? [] : [below])].join('\n');
}

/** The last line ends with the run, which identifies the message later. An alert has another id instead. */
function smallPrint({ state, small = [], run }: Card): string[] {
  const lines = small.map((line) => `-# ${unstressed(line).markup}`);
  if (run === undefined) return lines;
  const last = lines.pop();
  const id = state === 'alert' ? run : `run ${run}`;
  return [...lines, last === undefined ? `-# ${id}` : `${last} · ${id}`];
}

/** Whether a message is the card of this run. The first release had the run in the footer. */
export function isCardOfRun(
  embeds: readonly { description?: string | null | undefined; footer?: { text: string } | null | undefined }[],
  run: string,
  note: string,
): boolean {
  const [embed] = embeds;
  const last = embed?.description?.split('\n').at(-1) ?? '';
  const isLast = (id: string): boolean => last === `-# ${id}` || (last.startsWith('-# ') && last.endsWith(` · ${id}`));
  if (isLast(run) || isLast(`run ${run}`)) return true;
  return embed?.footer?.text === [`run ${run}`, ...(note === '' ? [] : [note])].join(' · ');
}

/** As many whole lines as fit, with a note about omitted ones. A single line that is too long is truncated. */
function fitLines(lines: readonly string[], most: number): string {
  const all = lines.join('\n');
  if (all.length <= most) return all;
  const room = most - 60;
  const fitting: string[] = [];
  for (const line of lines) {
    if ([...fitting, line].join('\n').length > room) break;
    fitting.push(line);
  }
  if (fitting.length === 0) return `${cut(lines[0] ?? '', room / 2)}… (cut: too long for Discord)`;
  return [...fitting, `(${lines.length - fitting.length} more lines do not fit into a card)`].join('\n');
}

/** The first `characters` characters. Closes inline code that the cut falls into, to keep its text inside. */
function cut(text: string, characters: number): string {
  const start = [...text].slice(0, characters).join('').replace(/`+$/, '');
  const [fences, ticks] = [start.split('```').length - 1, start.split('`').length - 1];
  if (fences % 2 === 1) return `${start}\n\`\`\``;
  return (ticks - 3 * fences) % 2 === 1 ? `${start}\`` : start;
}

const styles = { danger: ButtonStyle.Danger, primary: ButtonStyle.Primary, plain: ButtonStyle.Secondary } as const;

function rows(buttons: readonly Button[]): APIActionRowComponent<APIButtonComponent>[] {
  const starts = buttons.map((_, i) => i).filter((i) => i % buttonsInRow === 0);
  return starts.map((start) => ({
    type: ComponentType.ActionRow,
    components: buttons.slice(start, start + buttonsInRow).map(({ label, id, tone }) => ({
      type: ComponentType.Button,
      style: styles[tone ?? 'plain'],
      label: label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label,
      custom_id: id,
    })),
  }));
}
