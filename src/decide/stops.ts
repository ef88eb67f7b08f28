import { bold, type Markup, md, serverName } from '../card.ts';
import { stopLine } from '../freeze-words.ts';
import { isOfTier, type Server } from '../outcome.ts';
import { freezesOf, type Stop, stopOf } from '../runs/freezes.ts';
import type { Snapshot } from './decision.ts';
import { type Ending, type Run, serverRef, type Work } from './work.ts';

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
    ? freezesOf(parts.ledger, serverRef(server), parts.now()).flatMap(({ seq }) =>
        work.overriddenFreezes?.includes(seq) ? [seq] : [],
      )
    : [];

export function stopNow(parts: Stopping, work: Asking, run: Pick<Run, 'server'>): Stop | undefined {
  const server = serverNow(parts, run.server);
  const about = { server: serverRef(server), actor: work.actor, despite: overridden(parts, work, server) };
  return stopOf(parts.ledger, about, parts.now());
}

/** Freezes that a question must tell of, because this person may go on during them. */
export const freezesToTell = (parts: Stopping, work: Asking, servers: readonly Server[]): number[] => [
  ...new Set(
    servers.flatMap((server) =>
      mayActDuringFreeze(parts, work, server)
        ? freezesOf(parts.ledger, serverRef(server), parts.now()).map(({ seq }) => seq)
        : [],
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
