import { joined, linkTo, type Markup, md, moment, serverName, trusted, typedAs } from '../card.ts';
import { cardLink } from '../cards/render/parts.ts';
import type { Command, Preview } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { Requirements } from '../policy/decide.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import { gaveBefore } from '../runs/history.ts';
import type { FollowUpState, RunState } from '../runs/state.ts';
import { stopLines } from './blockers.ts';
import type { Snapshot } from './decision.ts';
import { entryOf, outcomeEntry, serverRef } from './entries.ts';
import { typedName } from './notes.ts';
import type { Run, Warning, Work } from './work.ts';

/** What the policy asks for beyond Confirm. */
export type Wanted = Pick<Requirements, 'typed' | 'approvals'>;

type Asking = Pick<Snapshot, 'ledger' | 'rules' | 'commands' | 'limits' | 'now'>;

/** The question, by what is set now on each server. What waits for others ends where its requester goes on alone. */
export function questionEntries(
  snapshot: Asking,
  work: Work,
  settings: readonly Preview[],
  { typed, approvals }: Wanted,
): NewRunEntry[] {
  const { prepared, runs, undoes, since, overriddenFreezes, breakGlass, inTurn } = work;
  const servers = runs.map(({ server }) => server);
  const seen = settings.map((each, i) => withGave(snapshot, runs[i], each));
  const says = [
    ...prepared.question(seen),
    ...panelLines(servers),
    ...stopLines(snapshot, servers),
    ...breakGlassLines(work),
  ];
  const warns = warnings(snapshot, work, 'look before you confirm.').map(({ run, says: line }) => ({
    run,
    says: line.markup,
  }));
  const { limits, now } = snapshot;
  const { open } = limits;
  const asked = runs.map(
    (run, i): NewRunEntry => ({
      ...{ ...entryOf(work, run), kind: 'asked', undoes, since, approvals, glass: breakGlass?.why, rest: inTurn?.rest },
      expires: new Date(now() + (typed ? open.typed : open.plain)).toISOString(),
      despite: overriddenFreezes === undefined ? undefined : [...overriddenFreezes],
      typed: typed ? confirmationText(servers) : undefined,
      facts: seen[i]?.facts && { ...seen[i].facts },
      before: seen[i]?.before && { ...seen[i].before },
      ...(i === 0 ? { says: says.map(({ markup }) => markup), warns: warns.length === 0 ? undefined : warns } : {}),
    }),
  );
  return [...asked, ...replaced(snapshot, work)];
}

/** The question that this one is instead of: nobody approves, or confirms, what is done already. */
function replaced({ ledger }: Asking, { breakGlass, inTurn, actor, place, invocationId }: Work): NewRunEntry[] {
  const over = breakGlass?.over ?? inTurn?.over;
  if (over === undefined) return [];
  const how = breakGlass === undefined ? 'one after the other' : 'with break-glass';
  const { guild, channel, message } = place;
  const newer =
    message === undefined ? trusted(`run ${invocationId}`) : linkTo('the newer card', { guild, channel, message });
  const detail = md`<@${trusted(actor.id)}> went on ${trusted(how)}: see ${newer}.`;
  return ledger.runs(over).flatMap(({ run, asked, requested }) => {
    const of = asked ?? requested;
    const ending = { outcome: 'cancelled', reason: 'cancelled', detail } as const;
    return of === undefined ? [] : [outcomeEntry({ ...of, actor }, { run, server: of.server ?? { id: 0 } }, ending)];
  });
}

/** With what the ledger knows of how that came to be. */
function withGave({ ledger }: Asking, run: Run | undefined, preview: Preview): Preview {
  if (run === undefined || preview.kept === undefined) return preview;
  const of = { server: serverRef(run.server), seq: Number.POSITIVE_INFINITY };
  return { ...preview, gave: gaveBefore(ledger, of, preview.kept)?.options };
}

const panelLines = (servers: readonly Server[]): Markup[] =>
  servers.flatMap((each) => [
    ...(each.suspended ? [md`⚠ ${serverName(each)} is suspended in the panel.`] : []),
    ...(each.gone ? [md`⚠ ${serverName(each)} is gone: the panel no longer lists it.`] : []),
  ]);

/** What is different about it, before somebody confirms. */
const breakGlassLines = ({ breakGlass }: Work): Markup[] =>
  breakGlass === undefined
    ? []
    : [
        trusted(
          '**With break-glass**: it runs at once. Those who may approve are pinged, and one of them reviews it afterwards.',
        ),
      ];

/** The text to type to confirm: the server's name or id; for several, their number. */
const confirmationText = (servers: readonly Server[]): string => {
  const [first] = servers;
  return servers.length === 1 && first !== undefined ? typedAs(first) : `${servers.length} servers`;
};

/** Of what is not over on these servers: an unknown run, a restore, a power action. `then`: what a person should do. */
export function warnings({ ledger, commands }: Asking, { command, runs }: Work, then: string): Warning[] {
  const find = (id: string): Command | undefined => commands.find((each) => each.id === id);
  const serverOf = (id: number | undefined): Server | undefined => runs.find(({ server }) => server.id === id)?.server;
  const unknown = [...ledger.unknown(), ...ledger.unfollowed()].flatMap((state) => {
    const server = serverOf(state.outcome?.server?.id);
    return server === undefined ? [] : unknownLine(state, server, then);
  });
  const followed = ledger.following().flatMap((state) => {
    const { started, ended } = state.followUp ?? {};
    const server = serverOf(started?.server?.id);
    return started === undefined || ended !== undefined || server === undefined ? [] : [{ state, started, server }];
  });
  const restores = followed.filter(({ started }) => started.follow === 'restore').map(restoreLine);
  // The newest on each server; for a command that starts none, only those that a person reported.
  const newest = new Map(
    followed.filter(({ started }) => started.follow === 'power').map((each) => [each.server.id, each]),
  );
  const powers = [...newest.values()]
    .filter(({ state }) => find(command)?.follows !== undefined || state.resolved !== undefined)
    .map((each) => powerLine(each, find(each.started.command)?.noun));
  return [...unknown, ...restores, ...powers];
}

interface Followed {
  state: RunState;
  started: FollowUpState['started'];
  server: Server;
}

const begunLine = ({ state, started }: Omit<Followed, 'server'>): Markup =>
  md`started ${moment(begunAt(state, started))} by <@${trusted(started.actor.id)}>`;

/** It overwrites changes. */
function restoreLine({ state, started, server }: Followed): Warning {
  const begun = begunLine({ state, started });
  const says =
    started.job === undefined
      ? md`**A restore of ${serverName(server)} may still run**: ${begun}; its job is unknown. Check the panel.`
      : md`**A restore of ${serverName(server)} is under way**: job ${trusted(String(started.job))}, ${begun}.`;
  return { run: state.run, says };
}

function powerLine({ state, started, server }: Followed, noun = 'power action'): Warning {
  const queued = started.job === undefined ? [] : [trusted(`queue item ${started.job}`)];
  const details = joined([...queued, begunLine({ state, started })], ', ');
  const named = cardLink(`run ${state.run}`, state);
  return {
    run: state.run,
    says: md`**The ${trusted(noun)} of ${serverName(server)} is under way**: ${details} (${named}).`,
  };
}

function unknownLine(state: RunState, server: Server, then: string): Warning[] {
  const { run, outcome } = state;
  if (outcome === undefined) return [];
  const what = md`${trusted(typedName(outcome.command))} of ${serverName(server)}`;
  const left = leftRunning(state);
  const named = cardLink(`run ${run}`, state);
  const says =
    left === undefined
      ? md`**${what} ended unknown** ${moment(Date.parse(outcome.time))}, by <@${trusted(outcome.actor.id)}> (${named}): ${trusted(then)}`
      : md`**${what} may still run**: ${left} (${named}): ${trusted(then)}`;
  return [{ run, says }];
}

/** "started 12 minutes ago by @alice; @bob stopped following it 5 minutes ago" */
function leftRunning(state: RunState): Markup | undefined {
  const { started, ended } = state.followUp ?? {};
  if (started === undefined || ended === undefined) return undefined;
  const begun = begunLine({ state, started });
  const at = moment(Date.parse(ended.time));
  return ended.end === 'stopped'
    ? md`${begun}; <@${trusted(ended.actor.id)}> stopped following it ${at}`
    : md`${begun}; not seen to finish by ${at}`;
}
