import { count, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import type { Checked, Contradiction, LocalContext, TrailDifference, View } from '../src/command.ts';
import { reasons } from '../src/reasons.ts';
import type { FindingState } from '../src/runs/findings.ts';
import { findingWords, foundWords, isClean, isSettled, messageLink } from '../src/view/finding.ts';
import { shownOf, slice } from './pages.ts';

const findingsPerPart = 8;

/** The result of a check: intact, or each finding with the next step. */
export function checkedView(
  checked: Checked,
  { part, options, place, trail }: Pick<LocalContext, 'part' | 'options' | 'place' | 'trail'>,
): View {
  const { channel, findings } = checked;
  const damaged = trail.troubles().find(({ reason }) => reason === 'ledger-damaged');
  const strange = channel?.strange ?? [];
  const open = findings.filter(({ acknowledged }) => acknowledged === undefined);
  const settled = findings.filter(({ acknowledged }) => acknowledged !== undefined);
  const lines = [
    ...strange.map((each) => unreported(each, place.guild)),
    ...[...open.toReversed(), ...settled.toReversed()].map((each) => recorded(each, place.guild)),
  ];
  const shown = slice(lines, part, findingsPerPart, options);
  return {
    ...(isClean(checked) ? {} : { outcome: 'failed' as const }),
    body: [
      ...ledgerLines(checked, place.guild),
      ...(damaged === undefined ? [] : [trusted(`**Nothing may change.** ${reasons[damaged.reason].next}`)]),
      ...(channel === undefined
        ? [trusted('There is no audit channel, so only the ledger was checked. Set AUDIT_CHANNEL_ID to check both.')]
        : channelLines(channel, findings.length === 0)),
      ...(open.length === 0
        ? []
        : [
            trusted(
              `**${count(open.length, 'finding')} not acknowledged.** Look into ${open.length === 1 ? 'it' : 'them'}: Server Settings, Audit Log may say who did it. Then type /audit acknowledge.`,
            ),
          ]),
      ...shown.items,
      ...(lines.length === 0 ? [] : shownOf(shown, 'findings')),
      ...(isSettled(checked)
        ? []
        : [trusted('Before anything else, leave the ledger and the channel as they are, and copy both.')]),
    ],
    ...shown.positions,
  };
}

function ledgerLines(
  { head: { seq, hash }, problem, channel: { contradiction } = { messages: 0, strange: [], waiting: 0 } }: Checked,
  guild: string,
): Markup[] {
  const at = md`head ${quote(hash.slice(0, 12))}`;
  const against = contradiction === undefined ? [] : spanLines(contradiction, guild);
  if (problem === undefined)
    return contradiction === undefined
      ? [md`The ledger is whole: ${trusted(entries(seq))}, ${at}.`]
      : [
          md`The ledger's own chain is whole (${trusted(entries(seq))}, ${at}); ${contradicts(contradiction)}:`,
          ...against,
        ];
  const isBroken = seq < problem.seq;
  return [
    md`**The ledger is damaged at entry ${problem.seq}**: ${quote(problem.words)}.`,
    isBroken
      ? md`It is intact up to entry ${seq}, ${at}. The audit channel has what was written after it. Find out who can write to the ledger.`
      : md`Its chain of ${trusted(entries(seq))} is intact, ${at}, but it is not the one that was written. Find out who can write where the ledger is stored.`,
    ...(contradiction === undefined ? [] : [md`In addition, ${contradicts(contradiction)}:`, ...against]),
  ];
}

/** "**it contradicts the audit channel from entry 30 on** (58 messages)" */
function contradicts({ spans, messages }: Contradiction): Markup {
  const [span] = spans;
  const where =
    spans.length === 1 && span !== undefined ? `from ${beginOf(span.first)} on` : `in ${spans.length} places`;
  return trusted(`**it contradicts the audit channel ${where}** (${count(messages, 'message')})`);
}

/** The first message that differs from the ledger covers several entries; any of them may be the first that differs. */
const beginOf = ({ from = 0, to = from }: TrailDifference): string =>
  from === to ? `entry ${from}` : `one of entries ${from} to ${to}`;

const spansShown = 8;

/** "entries 30 to 356: 58 messages, from [message](…) to [message](…)" */
function spanLines({ spans, state }: Contradiction, guild: string): Markup[] {
  const more = spans.length - spansShown;
  return [
    ...spans.slice(0, spansShown).map(({ first, last, messages }) => {
      const { from = 0 } = first;
      const { to = from } = last;
      const range = from === to ? `entry ${from}` : `entries ${from} to ${to}`;
      const link = messageLink(first, guild);
      return trusted(
        messages === 1
          ? `- ${range}: this ${link}`
          : `- ${range}: ${count(messages, 'message')}, from this ${link} to this ${messageLink(last, guild)}`,
      );
    }),
    ...(more > 0 ? [trusted(`- and ${count(more, 'more range')}`)] : []),
    ...(state === 'open' ? [] : [trusted(stateWords[state])]),
  ];
}

const stateWords = {
  new: '**This is new**: no finding covers all of it yet. If the bot is running, it records one when it next compares the channel.',
  acknowledged: 'The findings about it have been acknowledged.',
};

/** "1,234 entries", in every locale. */
const entries = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'entry' : 'entries'}`;

function channelLines(
  { messages, contradiction, strange, waiting, part, unread = [] }: NonNullable<Checked['channel']>,
  isQuiet: boolean,
): Markup[] {
  const compared = `${count(messages, 'message')} of the audit channel`;
  const judged =
    strange.length > 0
      ? `**The trail is not as it was posted**: ${count(strange.length, 'new finding')} in ${compared}. Server Settings, Audit Log may say who did it.`
      : `${compared} ${messages === 1 ? 'was' : 'were'} compared${foundIn(contradiction, isQuiet)}.`;
  return [
    trusted(judged),
    ...(part === true ? [trusted('There are more messages; the oldest were not compared.')] : []),
    ...unreadLines(unread),
    ...(waiting === 0
      ? []
      : [trusted(`Not there yet: ${waiting === 1 ? 'the last entry' : `the last ${entries(waiting)}`}.`)]),
  ];
}

/** Nothing is held against anybody for a file that Discord does not give. */
function unreadLines(unread: NonNullable<NonNullable<Checked['channel']>['unread']>): Markup[] {
  const [first] = unread;
  if (first === undefined) return [];
  const which = `entries ${first.from} to ${first.to}${unread.length === 1 ? '' : `, and ${unread.length - 1} more`}`;
  const files = unread.length === 1 ? 'a backlog' : 'backlogs';
  return [trusted(`Discord did not return the file of ${files} (${which}): those lines were not compared. Try again.`)];
}

function foundIn(contradiction: Contradiction | undefined, isQuiet: boolean): string {
  if (contradiction !== undefined) return `; ${contradiction.messages} of them contradict the ledger`;
  return isQuiet ? ': the trail is as it was posted' : ': nothing new was found';
}

const unreported = (strange: TrailDifference, guild: string): Markup =>
  md`**${trusted(strange.finding.toUpperCase())}** ${findingWords(strange, guild)}`;

function recorded({ found, acknowledged }: FindingState, guild: string): Markup {
  if (acknowledged === undefined) return md`**OPEN** ${foundWords(found, guild)}`;
  const { actor, time, why } = acknowledged;
  return md`**ACKNOWLEDGED** ${foundWords(found, guild)} Acknowledged by <@${trusted(actor.id)}> ${moment(Date.parse(time))}: ${why}`;
}

/** The ledger may be intact, but there is nothing to compare it with. */
const noChannel = (...body: Markup[]): View => ({
  outcome: 'unavailable',
  body: [...body, md`To check the ledger alone, run on the bot's machine: ${'npm run audit -- verify'}.`],
});

export const channelClosed = noChannel(
  trusted('The audit channel cannot be read, so nothing was checked. It was deleted, or the bot may not read it.'),
  trusted('Give the bot View Channel and Read Message History there, then type this again.'),
);

export const channelUnread = noChannel(
  trusted('Discord did not give the bot the messages of the audit channel, so nothing was checked.'),
  trusted("Type this again in a minute. If it keeps failing, look at Discord's status."),
);
