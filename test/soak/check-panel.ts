import type { RecordedRequest } from '../../src/sandbox/panel/index.ts';
import { type Entry, type Run, timeOf } from './entries.ts';
import { redisFaults } from './machine-faults.ts';
import type { PanelFaults } from './panel-faults.ts';
import type { Stage } from './stage.ts';
import type { Finding } from './story.ts';
import { may, unsent, wires } from './words.ts';

/** A change as it reached the panel. */
interface Sent {
  request: RecordedRequest;
  server: number;
  /** Below the server's path. */
  path: string;
}

/** Refused at the door, before anybody looked at what was asked for: that may be sent again. */
export const turnedAway: readonly (number | undefined)[] = [401, 429];

/** Requests that change something. */
export function sentTo({ panel }: Stage): Sent[] {
  return panel.requests.flatMap((request) => {
    const [, server, path] = /^\/servers\/(\d+)(\/.*)$/.exec(request.path) ?? [];
    if (server === undefined || path === undefined) return [];
    if (request.method === 'GET' && !path.includes('sync=true')) return [];
    return [{ request, server: Number(server), path }];
  });
}

function fits({ request, server, path }: Sent, run: Run): boolean {
  const wire = wires[run.command];
  return run.server === server && wire?.method === request.method && wire.path.test(path);
}

const sentAt = ({ request }: Sent): number => request.at.getTime();

/** Runs in the order of their intents, which need not be that of their questions. */
const byIntent = (runs: readonly Run[]): Run[] => [...runs].sort((a, b) => (a.intent?.seq ?? 0) - (b.intent?.seq ?? 0));

/** Each request with the run whose intent is the newest before it; nothing where there is none. */
export function matched(sent: readonly Sent[], runs: readonly Run[]): Map<Sent, Run | undefined> {
  const begun = byIntent(runs).filter(({ intent }) => intent !== undefined);
  return new Map(
    sent.map((each) => [
      each,
      begun.findLast((run) => run.intent !== undefined && timeOf(run.intent) <= sentAt(each) && fits(each, run)),
    ]),
  );
}

/** What reached the panel against what the ledger says of it. */
export function checkPanel(stage: Stage, faults: PanelFaults, runs: readonly Run[]): Finding[] {
  const pairs = [...matched(sentTo(stage), runs)];
  const lonely = pairs
    .filter(([, run]) => run === undefined)
    .map(([{ request, server }]) => ({
      invariant: 'intent-before-request',
      what: `${request.method} ${request.path} has no intent before it`,
      server,
    }));
  const perRun = runs.flatMap((run) => {
    const own = pairs.filter(([, of]) => of === run).map(([sent]) => sent);
    return [...checkSent(run, own), ...checkDoubt(stage, faults, run, own), ...checkRight(stage, run)];
  });
  return [...lonely, ...perRun];
}

function checkSent(run: Run, own: readonly Sent[]): Finding[] {
  const reached = own.filter(({ request }) => !turnedAway.includes(request.status));
  const [outcome] = run.outcomes;
  const word = outcome?.outcome ?? '';
  const wrong: [string, string | false][] = [
    ['one-request', reached.length > 1 && `${reached.length} requests reached the panel`],
    ['nothing-was-sent', unsent.includes(word) && reached.length > 0 && `${word}, and a request reached the panel`],
    ['no-means-no', word === 'rejected' && own.some(({ request }) => request.effect) && 'rejected, and it took effect'],
    [
      'yes-means-yes',
      ['succeeded', 'accepted'].includes(word) &&
        !own.some(({ request }) => request.effect !== undefined) &&
        `${word}, and nothing took effect`,
    ],
    ['outcome-after-request', isEarly(outcome, reached) && `${word} was recorded before the request came`],
  ];
  return wrong.flatMap(([invariant, what]) =>
    what === false ? [] : [{ invariant, what: `${run.id}: ${what}`, invocation: run.invocation, ...serverOf(run) }],
  );
}

/** What is unknown may still arrive. */
const isEarly = (outcome: Entry | undefined, reached: readonly Sent[]): boolean =>
  outcome !== undefined && outcome.outcome !== 'unknown' && reached.some((sent) => sentAt(sent) > timeOf(outcome));

const serverOf = ({ server }: Run): { server?: number } => (server === undefined ? {} : { server });

/** Whether an outcome is unknown though nothing made it so. */
export function isIdleDoubt({ mode, story }: Stage, faults: PanelFaults, run: Run, own: readonly Sent[]): boolean {
  const outcome = run.outcomes.find((each) => each.outcome === 'unknown');
  if (outcome === undefined || run.intent === undefined) return outcome !== undefined;
  const troubles = ['death', ...(mode.ledger === 'redis' ? redisFaults : [])];
  return (
    !story.isTroubled(troubles, timeOf(run.intent), timeOf(outcome)) &&
    !faults.closedBetween(timeOf(run.intent), timeOf(outcome)) &&
    !own.some(({ request }) => faults.mayBeAmbiguous(request))
  );
}

function checkDoubt(stage: Stage, faults: PanelFaults, run: Run, own: readonly Sent[]): Finding[] {
  if (!isIdleDoubt(stage, faults, run, own)) return [];
  const what = `${run.id} is unknown, and nothing was ambiguous`;
  return [{ invariant: 'unknown-has-a-cause', what, invocation: run.invocation, ...serverOf(run) }];
}

function checkRight({ discord }: Stage, run: Run): Finding[] {
  // With break-glass, a person goes on without the right.
  if (run.intent === undefined || run.server === undefined || run.asked?.['glass'] !== undefined) return [];
  // Who asked others for it is not who did it.
  const actor = run.asked?.actor?.id ?? run.actor;
  const person = Object.values(discord.people).find(({ id }) => id === actor);
  if (person !== undefined && may(person.name, run.command, run.server)) return [];
  const what = `${run.id}: ${person?.name ?? actor} may not run ${run.command} on ${run.server}, and it was begun`;
  return [{ invariant: 'denied-means-nothing', what, invocation: run.invocation, server: run.server }];
}
