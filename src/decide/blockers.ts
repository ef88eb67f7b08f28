import { bold, type Markup, md, serverName, trusted } from '../card.ts';
import type { ReadFailed } from '../command.ts';
import { type Actor, isOfTier, type Server } from '../outcome.ts';
import { afterRead, isTrailLag, reasons, sayerOf } from '../reasons.ts';
import { doneAfter } from '../runs/covers.ts';
import { freezesOf, type Stop, stopOf } from '../runs/freezes.ts';
import { replaced, takenBack } from '../runs/history.ts';
import { stopLine } from '../view/words.ts';
import type { Snapshot } from './decision.ts';
import type { Ending, Facts, Run, Work } from './work.ts';

type Blocking = Pick<Snapshot, 'ledger' | 'rules' | 'commands'>;

type ForbiddenNow = { outcome: 'not-sent'; reason: 'not-allowed-now' };

/** The policy may be another one than at the click: it decides again until the request leaves. */
export function forbiddenNow(
  { rules, commands, ledger }: Blocking,
  work: Work,
  { run, server: confirmed }: Run,
): ForbiddenNow | undefined {
  const server = serverNow({ rules }, confirmed);
  const command = commands.find(({ id }) => id === work.command);
  const isEmergency = work.breakGlass !== undefined;
  const isAllowed =
    command !== undefined && rules.decide(work.roles ?? work.actor.roles, command, server, isEmergency).allowed;
  // What was approved, by those who may still approve. The ledger holds that they are different people.
  const { asked, approved = [] } = ledger.run(run) ?? {};
  const wanted = command === undefined ? 0 : (rules.requirements(command, [server]).approvals ?? 0);
  const mayStill = ({ id, roles }: Actor) => rules.mayApprove(work.approverRoles?.get(id) ?? roles, server).allowed;
  const has = approved.filter(({ actor }) => mayStill(actor)).length;
  return isAllowed && (isEmergency || has >= Math.max(wanted, asked?.approvals ?? 0))
    ? undefined
    : { outcome: 'not-sent', reason: 'not-allowed-now' };
}

/** For the card: the change goes on, and the audit channel does not show it yet. */
export function lagLines(
  { lag, troubles }: Pick<Snapshot['trail'], 'lag' | 'troubles'>,
  { breakGlass }: Emergency,
): Markup[] {
  const behind = lag() ?? (breakGlass === undefined ? undefined : troubles().find(({ reason }) => isTrailLag(reason)));
  return behind === undefined ? [] : [trusted(`The audit channel is behind: ${behind.words} The ledger has this.`)];
}

type Emergency = Pick<Work, 'breakGlass'>;

/** Why nothing may change now, if the ledger or the audit channel prevents it. Break-glass does not wait for the channel. */
export function trailBlocker(
  trail: Pick<Snapshot['trail'], 'troubles'>,
  { breakGlass }: Emergency,
): Ending | undefined {
  const trouble = trail.troubles().find(({ reason }) => breakGlass === undefined || !isTrailLag(reason));
  return trouble && { outcome: 'unavailable', reason: trouble.reason, detail: trusted(trouble.words) };
}

/** Whether the change to undo was undone or replaced since the click. */
export function undoneMeanwhile({ ledger }: Blocking, { undoes }: Work, { server }: Run): Ending | undefined {
  if (undoes === undefined) return undefined;
  const state = ledger.runs(undoes).find(({ outcome }) => outcome?.server?.id === server.id);
  const isOver =
    state !== undefined && (takenBack(ledger, state) !== undefined || replaced(ledger, state) !== undefined);
  return isOver ? { outcome: 'not-sent', reason: 'undone-meanwhile' } : undefined;
}

/** Whether the same was done there since the button was shown that began this: one of two people was faster, or the same one. */
export function doneMeanwhile({ ledger }: Blocking, { since, ...work }: Work, { server }: Run): Ending | undefined {
  const isDone = since !== undefined && doneAfter(ledger, { ...work, server, seq: since }) !== undefined;
  return isDone ? { outcome: 'not-sent', reason: 'done-meanwhile' } : undefined;
}

/** Undefined: unchanged. A hash says nothing to people, and is left out where anything else differs, too. */
export function changedSince(facts: Facts = {}, now: Facts = {}): Ending | undefined {
  const differs = Object.keys(facts).filter((name) => facts[name] !== now[name]);
  if (differs.length === 0) return undefined;
  const said = differs
    .filter((name) => name !== 'content')
    .map((name) => `${name}: ${String(facts[name])} then, ${String(now[name])} now.`);
  const detail = trusted(said.length === 0 ? 'As many as then, but not the same.' : said.join(' '));
  return { outcome: 'not-sent', reason: 'changed-since', detail };
}

/** If the current settings cannot be read, nothing is sent. */
export function lookFailed({ result }: ReadFailed): Ending {
  const { reason, said } = result;
  // The reason of the entry tells whose words its `said` are.
  const isOthers = said !== undefined && sayerOf(reason) !== sayerOf('look-failed');
  const why = isOthers
    ? md`${trusted(reasons[reason].why)} ${trusted(sayerOf(reason))}: ${said}.`
    : trusted(reasons[reason].why);
  return {
    outcome: 'not-sent',
    reason: 'look-failed',
    detail: md`${why} ${trusted(afterRead(result))}`,
    ...(isOthers ? {} : { said }),
  };
}

type Stopping = Pick<Snapshot, 'ledger' | 'rules' | 'commands' | 'now'>;
type Asking = Pick<Work, 'actor' | 'command' | 'roles' | 'overriddenFreezes'>;

/** The server as the policy has it now: its tier may be another one than at the click. */
export const serverNow = ({ rules }: Pick<Stopping, 'rules'>, server: Server): Server =>
  rules.find(String(server.id)) ?? server;

/** How a run ends that a freeze or a hold stops. */
export const stoppedBy = (stop: Stop): Ending & { reason: 'frozen' | 'held' } => ({
  outcome: 'blocked',
  reason: stop.kind,
  detail: md`${stopLine(stop)}.`,
});

/** Whether the policy lets them change this server during a freeze, with the roles of now. */
function mayActDuringFreeze(
  { rules, commands }: Stopping,
  { actor, roles, command: id }: Asking,
  server: Server,
): boolean {
  const command = commands.find((each) => each.id === id);
  return command !== undefined && rules.mayDuringFreeze(roles ?? actor.roles, command, server);
}

/** The freezes in force there that do not stop this work: its question named them, and the policy still lets them. */
export const overridden = (parts: Stopping, work: Asking, server: Server): number[] =>
  mayActDuringFreeze(parts, work, server)
    ? freezesOf(parts.ledger, server, parts.now()).flatMap(({ seq }) =>
        work.overriddenFreezes?.includes(seq) ? [seq] : [],
      )
    : [];

export function stopNow(parts: Stopping, work: Asking, run: Pick<Run, 'server'>): Stop | undefined {
  const server = serverNow(parts, run.server);
  const about = { server, actor: work.actor, despite: overridden(parts, work, server) };
  return stopOf(parts.ledger, about, parts.now());
}

/** Freezes that a question must tell of, because this person may go on during them. */
export const freezesToTell = (parts: Stopping, work: Asking, servers: readonly Server[]): number[] => [
  ...new Set(
    servers.flatMap((server) =>
      mayActDuringFreeze(parts, work, server) ? freezesOf(parts.ledger, server, parts.now()).map(({ seq }) => seq) : [],
    ),
  ),
];

/** For a question that is asked all the same: freezes in force, and the servers that they hold themselves. */
export function stopLines({ ledger, now }: Stopping, servers: readonly Server[]): Markup[] {
  const at = now();
  const freezes = ledger.freezes(at).filter((each) => servers.some((one) => isAbout(each, one)));
  const holds = servers.flatMap((server) => {
    const hold = ledger.hold(server.id, at);
    return hold === undefined ? [] : [md`${bold(stopLine(hold))}. That is you.`];
  });
  return [...freezes.map((each) => md`${bold(stopLine(each))}. You may continue anyway.`), ...holds];
}

const isAbout = (freeze: { tier?: string }, server: Server): boolean =>
  freeze.tier === undefined || isOfTier(server, freeze.tier);

/** What stops the first of these servers, with its name where it stops not all of them. */
export function firstStop(parts: Stopping, work: Asking, runs: readonly Run[]): Ending | undefined {
  for (const run of runs) {
    const stop = stopNow(parts, work, run);
    if (stop === undefined) continue;
    const how = stoppedBy(stop);
    const isOfAll = runs.length === 1 || (stop.kind === 'frozen' && stop.tier === undefined);
    return isOfAll ? how : { ...how, detail: md`${serverName(run.server)}: ${stopLine(stop)}.` };
  }
  return undefined;
}
