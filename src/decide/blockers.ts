import { type Markup, md, trusted } from '../card.ts';
import type { ReadFailed } from '../command.ts';
import type { Actor } from '../outcome.ts';
import { afterRead, isTrailLag, reasons, sayerOf } from '../reasons.ts';
import { doneAfter } from '../runs/covers.ts';
import { replaced, takenBack } from '../runs/history.ts';
import type { Snapshot } from './decision.ts';
import { serverNow } from './stops.ts';
import { type Ending, type Facts, type Run, serverRef, type Work } from './work.ts';

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
  const isDone =
    since !== undefined && doneAfter(ledger, { ...work, server: serverRef(server), seq: since }) !== undefined;
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
export function lookFailed({ answer }: ReadFailed): Ending {
  const { reason, said } = answer;
  // The reason of the entry tells whose words its `said` are.
  const isOthers = said !== undefined && sayerOf(reason) !== sayerOf('look-failed');
  const why = isOthers
    ? md`${trusted(reasons[reason].why)} ${trusted(sayerOf(reason))}: ${said}.`
    : trusted(reasons[reason].why);
  return {
    outcome: 'not-sent',
    reason: 'look-failed',
    detail: md`${why} ${trusted(afterRead(answer))}`,
    ...(isOthers ? {} : { said }),
  };
}
