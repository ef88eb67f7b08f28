import { type Entry, type Run, timeOf } from './entries.ts';
import type { Finding } from './story.ts';

/** A question that waits for somebody: to take it on, to confirm it, or to approve what was confirmed. */
export function isOpenQuestion({ asked, confirmed, intent, outcomes }: Run, now = Date.now()): boolean {
  const end = confirmed === undefined ? asked?.expires : confirmed['until'];
  return asked !== undefined && intent === undefined && outcomes.length === 0 && Date.parse(String(end)) > now;
}

/** What the ledger says of itself. */
export function checkLedger(entries: readonly Entry[], runs: readonly Run[]): Finding[] {
  const wrong = runs.flatMap((run) => {
    const { id, invocation, server, outcomes } = run;
    const judged: [invariant: string, what: string | false][] = [
      ['one-outcome', outcomes.length > 1 && `${outcomes.length} outcomes`],
      ['an-outcome-in-the-end', outcomes.length === 0 && !isOpenQuestion(run) && 'no outcome'],
      ['one-intent', intentsOf(run) > 1 && `${intentsOf(run)} intents`],
    ];
    return judged.flatMap(([invariant, what]) =>
      what === false ? [] : [{ invariant, what: `${id} has ${what}`, invocation, server }],
    );
  });
  return [...wrong, ...checkOrder(entries), ...checkTurns(runs)];
}

const intentsOf = ({ entries }: Run): number => entries.filter(({ kind }) => kind === 'intent').length;

const checkOrder = (entries: readonly Entry[]): Finding[] =>
  entries
    .filter(({ seq }, at) => seq !== at + 1)
    .slice(0, 1)
    .map(({ seq }) => ({ invariant: 'one-chain', what: `entry #${seq} is not in its place` }));

/** One change at a time on a server: between an intent and its outcome there is no other intent. */
function checkTurns(runs: readonly Run[]): Finding[] {
  const begun = runs.flatMap((run) => (run.intent === undefined ? [] : [{ run, intent: run.intent }]));
  return begun.flatMap(({ run, intent }) => {
    const end = run.outcomes[0]?.seq ?? Number.POSITIVE_INFINITY;
    const other = begun.find(
      (each) => each.run.server === run.server && each.intent.seq > intent.seq && each.intent.seq < end,
    );
    if (other === undefined || run.server === undefined) return [];
    const what = `${other.run.id} began on ${run.server} before ${run.id} had an outcome (${timeOf(intent)})`;
    return [{ invariant: 'one-at-a-time', what, invocation: run.invocation, server: run.server }];
  });
}
