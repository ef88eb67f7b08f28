import { count, type Markup, md, moment, own, quote } from '../src/card.ts';
import type { Checked, LocalContext, Strange, View } from '../src/command.ts';
import { shownOf, slice } from './pages.ts';

const findingsAPart = 8;

const meanings: Record<Strange['finding'], string> = {
  deleted: 'it was deleted',
  edited: 'it was edited',
  missing: 'it is gone',
  changed: 'it does not say what the ledger says',
  reordered: 'it does not stand in its place',
  strange: 'it looks like the trail, and stands for nothing in the ledger',
  ahead: 'it stands for entries that the ledger does not have: the ledger was cut off, or replaced',
};

/** What a check came to: whole, or each finding with what to do next. What the ledger tells of already is no new failure. */
export function checkedView(
  { head, problem, channel }: Checked,
  { part, options, place }: Pick<LocalContext, 'part' | 'options' | 'place'>,
): View {
  const strange = channel?.strange ?? [];
  const shown = slice(strange, part, findingsAPart, options);
  const isWhole = problem === undefined && strange.every(({ known }) => known !== undefined);
  return {
    ...(isWhole && channel?.part !== true ? {} : { outcome: 'failed' as const }),
    body: [
      ...ledgerLines(head, problem),
      ...(channel === undefined
        ? [own('There is no audit channel, so only the ledger was checked: set AUDIT_CHANNEL_ID to have both.')]
        : channelLines(channel)),
      ...shown.items.map((each) => finding(each, place.guild)),
      ...(strange.length === 0 ? [] : shownOf(shown, 'findings')),
      ...(isWhole ? [] : [own('Keep ledger and channel as they are, and copy them away, before anything else.')]),
    ],
    ...shown.positions,
  };
}

function ledgerLines({ seq, hash }: Checked['head'], problem: Checked['problem']): Markup[] {
  const at = md`head ${quote(hash.slice(0, 12))}`;
  if (problem === undefined) return [md`The ledger is whole: ${own(entries(seq))}, ${at}.`];
  return [
    md`**The ledger is not whole at entry ${problem.seq}**: ${quote(problem.words)}.`,
    md`It is sound up to entry ${seq}, ${at}. The audit channel has what was written after it; find out who can write the ledger's folder.`,
  ];
}

/** "1,234 entries", the same everywhere. */
const entries = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'entry' : 'entries'}`;

function channelLines({ messages, strange, waiting, part }: NonNullable<Checked['channel']>): Markup[] {
  const compared = `${count(messages, 'message')} of the audit channel`;
  const known = strange.filter((each) => each.known !== undefined).length;
  const unknown = strange.length - known;
  const were = `${compared} ${messages === 1 ? 'was' : 'were'} compared`;
  const judged =
    unknown > 0
      ? `**The trail is not as it was posted**: ${count(unknown, 'new finding')} in ${compared}. Server Settings, Audit Log may say who did it.`
      : known > 0
        ? `${were}: nothing new was found.`
        : `${were}: the trail stands as it was posted.`;
  return [
    own(judged),
    ...(known === 0
      ? []
      : [
          own(
            `${count(known, 'finding')} ${known === 1 ? 'is' : 'are'} known: the ledger tells of ${known === 1 ? 'it' : 'them'}.`,
          ),
        ]),
    ...(part === true ? [own('There are more messages; the oldest were not compared.')] : []),
    ...(waiting === 0
      ? []
      : [own(`Not there yet: ${waiting === 1 ? 'the last entry' : `the last ${entries(waiting)}`}.`)]),
  ];
}

function finding(strange: Strange, guild: string): Markup {
  const { finding: kind, channel, message, from, to, known } = strange;
  const link = `[message](https://discord.com/channels/${guild}/${channel}/${message})`;
  const range =
    from === undefined ? '' : to === undefined || to === from ? `entry ${from}` : `entries ${from} to ${to}`;
  if (known !== undefined) return own(`**KNOWN** ${knownWords(known, kind, link, range)}`);
  return kind === 'missing'
    ? own(`**MISSING** ${range}: the message is gone that stood before this ${link}. ${kept}`)
    : own(`**${kind.toUpperCase()}** ${link}${range === '' ? '' : `, ${range}`}: ${meanings[kind]}.`);
}

const kept = 'The ledger still has them.';

/** What the ledger tells of already, and who did it where Discord told. */
function knownWords(
  { seq, time, finding: then, by }: NonNullable<Strange['known']>,
  kind: Strange['finding'],
  link: string,
  range: string,
): string {
  const who = by === undefined ? '' : `by <@${by.id}>, `;
  const since = `${who}${moment(Date.parse(time)).markup} (no. ${seq}).`;
  if (then === 'deleted') return `${range}: the message was deleted, ${since} ${kept}`;
  if (kind === 'missing') return `${range}: the message is gone, noticed ${since} ${kept}`;
  return `${link}${range === '' ? '' : `, ${range}`}: ${meanings[then]}, ${since}`;
}

/** The ledger may be whole, but there is nothing to hold it against. */
export const channelClosed: View = {
  outcome: 'unavailable',
  body: [
    own('The audit channel cannot be read, so nothing was checked: it is gone, or the bot may not read it.'),
    own('Give the bot View Channel and Read Message History there, then type this again.'),
    md`The ledger alone is checked on the bot's machine, by ${'npm run audit -- verify'}.`,
  ],
};
