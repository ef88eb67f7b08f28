import { count, list, type Markup, md, trusted } from '../src/card.ts';
import {
  type Choice,
  defineLocal,
  type Option,
  type SuggestContext,
  type TrailTrouble,
  type View,
} from '../src/command.ts';
import type { FindingState } from '../src/runs/findings.ts';
import { readableLine } from './options.ts';

const every = 'all';

/** Distinct numbers of findings; 'all': every finding open at that time. */
const finding: Option<readonly number[] | 'all'> = {
  type: 'string',
  description: 'The number of a finding, several with commas, or all',
  required: true,
  max: 200,
  suggest: suggestFindings,
  read(raw, { refuse }) {
    const text = String(raw).trim().toLowerCase();
    if (text === every) return every;
    const parts = text.split(',').map((part) => part.replace(/^\s*(no\.|#)?\s*/, '').trim());
    return parts.every((part) => /^\d{1,12}$/.test(part))
      ? [...new Set(parts.map(Number))]
      : refuse('write the number of a finding, as /audit verify shows it, several with commas, or all');
  },
  write: (value) => (value === every ? every : value.join(',')),
};

const why: Option<string> = {
  type: 'string',
  description: 'What you found out: kept in the ledger and shown on the card',
  required: true,
  max: 200,
  read: readableLine,
};

const isOpen = ({ acknowledged }: FindingState): boolean => acknowledged === undefined;

function suggestFindings({ typed, findings }: SuggestContext): Choice[] {
  const open = findings.filter(isOpen).toReversed();
  const all = open.length > 1 ? [{ name: `all ${open.length} that are open`, value: every }] : [];
  return [...all, ...open.map(({ found }) => ({ name: labelOf(found), value: String(found.seq) }))]
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
    .slice(0, 25);
}

/** "12: deleted, entries 4 to 6, 2026-11-22" */
function labelOf({ seq, finding: what, from, to = from, time }: FindingState['found']): string {
  const range = from === undefined ? [] : [to === from ? `entry ${from}` : `entries ${from} to ${to}`];
  return [`${seq}: ${what}`, ...range, time.slice(0, 10)].join(', ');
}

const invalid = (...body: Markup[]): View => ({ outcome: 'invalid', body });
const lookAgain = trusted('/audit verify shows what is open.');

/** A permission of its own: it releases changes that a contradiction blocks. */
export const acknowledge = defineLocal({
  id: 'audit.acknowledge',
  danger: 'destructive',
  description: 'Close findings of /audit verify that were looked into; changes that wait for that continue',
  example: '/audit acknowledge finding:1042 reason:"bob cleaned up the channel by mistake"',
  options: { finding, reason: why },
  async act({ finding: wanted, reason }, { records, trail, actor, place }) {
    const all = records.findings();
    const chosen = wanted === every ? all.filter(isOpen) : all.filter(({ found }) => wanted.includes(found.seq));
    const refused = refusalOf(wanted, chosen);
    if (refused !== undefined) return refused;
    const numbers = chosen.map(({ found }) => found.seq);
    if (!(await trail.acknowledge(numbers, reason, actor, place)))
      return invalid(trusted('Somebody else has just acknowledged one of them. Nothing was recorded.'), lookAgain);
    return {
      body: [
        md`${trusted(numbers.length === 1 ? 'Finding' : 'Findings')} ${listOf(numbers)} acknowledged by <@${trusted(actor.id)}>: ${reason}`,
        ...whatNow(records.findings().filter(isOpen), trail.troubles()),
      ],
    };
  },
});

const shownNumbers = 10;

const listOf = (numbers: readonly number[]): Markup =>
  list([
    ...numbers.slice(0, shownNumbers).map((seq) => trusted(`no. ${seq}`)),
    ...(numbers.length > shownNumbers ? [trusted(`${numbers.length - shownNumbers} more`)] : []),
  ]);

function refusalOf(wanted: readonly number[] | 'all', chosen: readonly FindingState[]): View | undefined {
  if (chosen.length === 0 && wanted === every)
    return invalid(trusted('No finding is open. There is nothing to acknowledge.'));
  const unknown = wanted === every ? [] : wanted.filter((seq) => !chosen.some(({ found }) => found.seq === seq));
  if (unknown.length > 0)
    return {
      ...invalid(md`the ledger has no finding ${listOf(unknown)}. Nothing was recorded.`, lookAgain),
      wrong: 'finding',
    };
  const [done] = chosen.flatMap(({ found, acknowledged }) =>
    acknowledged === undefined ? [] : [{ found, acknowledged }],
  );
  return (
    done &&
    invalid(
      md`No. ${done.found.seq} was already acknowledged by <@${trusted(done.acknowledged.actor.id)}>: ${done.acknowledged.why}`,
      trusted('Nothing was recorded.'),
    )
  );
}

function whatNow(open: readonly FindingState[], troubles: readonly TrailTrouble[]): Markup[] {
  return [
    trusted(
      open.length === 0
        ? 'No finding is open.'
        : `${count(open.length, 'finding')} still open: /audit verify shows ${open.length === 1 ? 'it' : 'them'}.`,
    ),
    ...troubles.map(({ words }) => trusted(`**Nothing may change.** ${words}`)),
  ];
}
