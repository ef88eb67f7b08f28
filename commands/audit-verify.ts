import { count, type Markup, md, moment, own, quote } from '../src/card.ts';
import type { Checked, LocalContext, Strange, View } from '../src/command.ts';
import type { Entry } from '../src/ledger/entry.ts';
import { shownOf, slice } from './pages.ts';

const findingsAPart = 8;

const meanings: Record<Strange['finding'], string> = {
  deleted: 'it was deleted',
  edited: 'it was edited',
  missing: 'what stood for them, before this message, is gone',
  changed: 'it does not say what the ledger says',
  reordered: 'it does not stand in its place',
  strange: 'it looks like the trail, and stands for nothing in the ledger',
  ahead: 'it stands for entries that the ledger does not have: the ledger was cut off, or replaced',
};

/** What a check came to: whole, or each finding with what to do next. */
export function checkedView(
  { head, problem, channel }: Checked,
  { part, options, place, records }: Pick<LocalContext, 'part' | 'options' | 'place' | 'records'>,
): View {
  const strange = channel?.strange ?? [];
  const shown = slice(strange, part, findingsAPart, options);
  const isWhole = problem === undefined && strange.length === 0;
  return {
    ...(isWhole ? {} : { outcome: 'failed' as const }),
    body: [
      ...ledgerLines(head, problem),
      ...(channel === undefined
        ? [own('There is no audit channel, so only the ledger was checked: set AUDIT_CHANNEL_ID to have both.')]
        : channelLines(channel)),
      ...shown.items.map((each) => finding(each, place.guild, records.entries())),
      ...(strange.length === 0 ? [] : shownOf(shown, 'findings')),
      ...(isWhole ? [] : [own('Keep both as they are, and copy them away, before anything else.')]),
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
  const judged =
    strange.length === 0
      ? `${compared} ${messages === 1 ? 'was' : 'were'} compared: the trail stands as it was posted.`
      : `**The trail is not as it was posted**: ${count(strange.length, 'finding')} in ${compared}. Server Settings, Audit Log may say who did it.`;
  return [
    own(judged),
    ...(part === true ? [own('There are more messages; the oldest were not compared.')] : []),
    ...(waiting === 0 ? [] : [own(`The last ${entries(waiting)} ${waiting === 1 ? 'is' : 'are'} not there yet.`)]),
  ];
}

function finding(strange: Strange, guild: string, all: readonly Entry[]): Markup {
  const { finding: kind, channel, message, from, to } = strange;
  const link = `[message](https://discord.com/channels/${guild}/${channel}/${message})`;
  const range =
    from === undefined ? '' : `, entr${to === undefined || to === from ? `y ${from}` : `ies ${from} to ${to}`}`;
  return md`${own(`**${kind.toUpperCase()}** ${link}${range}: ${meanings[kind]}.`)}${known(strange, all)}`;
}

/** What the ledger tells of it already, and who did it where Discord told. */
function known({ finding: kind, message, from = 0, to = from }: Strange, all: readonly Entry[]): Markup {
  const told = all
    .filter((entry) => entry.kind === 'tampered')
    .find((each) =>
      kind === 'missing'
        ? (each.from ?? 0) <= to && (each.to ?? each.from ?? 0) >= from
        : each.message === message && each.finding === kind,
    );
  if (told === undefined) return own('');
  const isDeed = told.finding === 'deleted' || told.finding === 'edited';
  const by = isDeed && told.unsaid !== true ? `, ${told.finding} by <@${told.actor.id}>` : '';
  return own(` In the ledger as no. ${told.seq}, ${moment(Date.parse(told.time)).markup}${by}.`);
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
