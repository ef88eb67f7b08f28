import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIPoll,
  MessageFlags,
  MessageType,
} from 'discord.js';
import { memberOf } from '../json.ts';
import { isBlank } from '../text.ts';

/** The members of a message that have words. A forwarded one has a part of them. */
type Worded = Partial<
  Pick<
    APIMessage,
    | 'type'
    | 'content'
    | 'embeds'
    | 'attachments'
    | 'components'
    | 'poll'
    | 'sticker_items'
    | 'message_snapshots'
    | 'message_reference'
    | 'referenced_message'
    | 'mentions'
    | 'flags'
  >
>;

/** What people wrote in a message, a line each. Empty where it has no words, as where Discord says that somebody joined. */
export const wordsOf = (message: Worded): string =>
  linesOf(message)
    .map((line) => asShown(line, message.mentions))
    .filter((line) => !isBlank(line))
    .join('\n');

/** Codes as Discord shows them, as far as the message says how: names of people, times, emoji, commands. */
const asShown = (line: string, mentions: Worded['mentions'] = []): string =>
  line
    .replace(/<@!?(\d+)>/g, (code, id) => {
      const name = mentions.find((user) => user.id === id)?.username;
      return name === undefined ? code : `@${name}`;
    })
    .replace(/<t:(-?\d{1,12})(?::[a-z])?>/gi, (_code, seconds) => moment(Number(seconds)))
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<(\/[^:<>]+):\d+>/g, '$1');

const moment = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, -5).replace('T', ' ')} UTC`;

function linesOf(message: Worded): string[] {
  const { content = '', embeds = [], attachments = [], components = [], poll, message_snapshots: forwarded } = message;
  return [
    content,
    ...embeds.flatMap(embedLines),
    ...components.flatMap(partLines),
    ...(poll === undefined ? [] : pollLines(poll)),
    ...attachments.map((file) => fileLine(file, message.flags)),
    ...(message.sticker_items ?? []).map(({ name }) => `(sticker ${name})`),
    ...(forwarded ?? []).flatMap(({ message: original }) => ['(forwarded)', ...linesOf(original)]),
    ...aboutLines(message),
  ];
}

function embedLines(embed: APIEmbed): string[] {
  const { provider, author, title, description, fields = [], footer } = embed;
  return [
    ...[provider?.name, author?.name, title, description].map((each) => each ?? ''),
    ...fields.map(({ name, value }) => `${name}: ${value}`),
    footer?.text ?? '',
    ...[embed.image, embed.thumbnail, embed.video].flatMap((media) => mediaLine('picture', media)),
  ];
}

/** The members of a component that people read, and those that hold further ones, in the order of the screen. */
const texts = ['content', 'title', 'label', 'placeholder', 'description'] as const;
const holders = ['components', 'component', 'items', 'options', 'accessory'] as const;

/** Of any component, also of one that Discord adds later: what is in it is called the same in each. */
function partLines(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(partLines);
  if (typeof part !== 'object' || part === null) return [];
  const of = new Map(Object.entries(part));
  const isMedia = of.has('media') || of.has('file');
  const words = texts.map((name) => textOf(of.get(name))).filter((text) => text !== '');
  const emoji = words.length > 0 ? '' : textOf(memberOf(of.get('emoji'), 'name'));
  const line = [...words, emoji, textOf(of.get('url'))].filter((text) => text !== '').join(' · ');
  return [
    ...(isMedia ? mediaLine(of.has('file') ? 'file' : 'picture', of.get('media') ?? of.get('file'), line) : [line]),
    ...holders.flatMap((name) => partLines(of.get(name))),
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** "(picture graph.png: errors since 08:10)" */
function mediaLine(what: 'file' | 'picture', media: unknown, described = textOf(memberOf(media, 'description'))) {
  const url = textOf(memberOf(media, 'url'));
  if (url === '') return [];
  const name = url.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return [`(${[`${what} ${name}`, described].filter((text) => !isBlank(text)).join(': ')})`];
}

function fileLine({ filename, title, description, duration_secs: seconds }: APIAttachment, flags = 0): string {
  const isVoice = (flags & MessageFlags.IsVoiceMessage) !== 0;
  const name = isVoice ? `voice message, ${Math.round(seconds ?? 0)} s` : `file ${filename}`;
  return `(${[name, title, description].filter((text) => text != null && !isBlank(text)).join(': ')})`;
}

function pollLines({ question, answers, results }: APIPoll): string[] {
  const votes = (id: number): string => {
    const count = results?.answer_counts.find((each) => each.id === id)?.count;
    return count === undefined ? '' : `, ${count} so far`;
  };
  return [
    `(poll) ${question.text ?? ''}`,
    ...answers.map(({ answer_id: id, poll_media: { text, emoji } }) => {
      const said = [emoji?.name, text].filter((each) => each != null && each !== '').join(' ');
      return `(answer ${id}${votes(id)}) ${said}`;
    }),
  ];
}

const mostQuoted = 300;

/** What it answers, which people see above it. */
function aboutLines({ type, message_reference: reference, referenced_message: original }: Worded): string[] {
  if (type === MessageType.ThreadStarterMessage && original != null) return linesOf(original);
  if (type !== MessageType.Reply || reference === undefined) return [];
  if (original === null) return ['(in reply to a message that was deleted)'];
  if (original === undefined) return ['(in reply to another message)'];
  const letters = [...wordsOf({ ...original, type: MessageType.Default })];
  const quoted = `${letters.slice(0, mostQuoted).join('')}${letters.length > mostQuoted ? '…' : ''}`;
  return [`(in reply to ${original.author.username}: ${quoted})`];
}
