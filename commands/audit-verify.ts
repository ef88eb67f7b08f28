import { count, type Markup, md, moment, own, quote } from '../src/card.ts';
import type { Checked, LocalContext, Strange, View } from '../src/command.ts';
import { findingWords, foundWords } from '../src/record/finding.ts';
import type { FindingState } from '../src/runs/findings.ts';
import { shownOf, slice } from './pages.ts';

const findingsAPart = 8;

/** What a check came to: whole, or each finding with what to do next. A finding is one until somebody acknowledges it. */
export function checkedView(
  { head, problem, channel, findings }: Checked,
  { part, options, place }: Pick<LocalContext, 'part' | 'options' | 'place'>,
): View {
  const strange = channel?.strange ?? [];
  const open = findings.filter(({ acknowledged }) => acknowledged === undefined);
  const settled = findings.filter(({ acknowledged }) => acknowledged !== undefined);
  const lines = [
    ...strange.map((each) => unreported(each, place.guild)),
    ...[...open.toReversed(), ...settled.toReversed()].map((each) => recorded(each, place.guild)),
  ];
  const shown = slice(lines, part, findingsAPart, options);
  const isWhole = problem === undefined && strange.length === 0 && open.length === 0;
  return {
    ...(isWhole && channel?.part !== true ? {} : { outcome: 'failed' as const }),
    body: [
      ...ledgerLines(head, problem),
      ...(channel === undefined
        ? [own('There is no audit channel, so only the ledger was checked: set AUDIT_CHANNEL_ID to have both.')]
        : channelLines(channel, findings.length === 0)),
      ...(open.length === 0
        ? []
        : [
            own(
              `**${count(open.length, 'finding')} not acknowledged.** Look into ${open.length === 1 ? 'it' : 'them'}, then type /audit acknowledge.`,
            ),
          ]),
      ...shown.items,
      ...(lines.length === 0 ? [] : shownOf(shown, 'findings')),
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

function channelLines(
  { messages, strange, waiting, part }: NonNullable<Checked['channel']>,
  isQuiet: boolean,
): Markup[] {
  const compared = `${count(messages, 'message')} of the audit channel`;
  const judged =
    strange.length > 0
      ? `**The trail is not as it was posted**: ${count(strange.length, 'new finding')} in ${compared}. Server Settings, Audit Log may say who did it.`
      : `${compared} ${messages === 1 ? 'was' : 'were'} compared: ${isQuiet ? 'the trail stands as it was posted' : 'nothing new was found'}.`;
  return [
    own(judged),
    ...(part === true ? [own('There are more messages; the oldest were not compared.')] : []),
    ...(waiting === 0
      ? []
      : [own(`Not there yet: ${waiting === 1 ? 'the last entry' : `the last ${entries(waiting)}`}.`)]),
  ];
}

const unreported = (strange: Strange, guild: string): Markup =>
  md`**${own(strange.finding.toUpperCase())}** ${findingWords(strange, guild)}`;

function recorded({ found, acknowledged }: FindingState, guild: string): Markup {
  if (acknowledged === undefined) return md`**OPEN** ${foundWords(found, guild)}`;
  const { actor, time, why } = acknowledged;
  return md`**ACKNOWLEDGED** ${foundWords(found, guild)} Acknowledged by <@${own(actor.id)}> ${moment(Date.parse(time))}: ${why}`;
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
