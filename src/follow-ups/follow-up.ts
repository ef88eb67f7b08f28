import type { NewRunEntry, RunEntry } from '../ledger/entry.ts';
import type { Ledger, RunState } from '../ledger/ledger.ts';
import type { Actor, Server } from '../outcome.ts';

/** A job of the panel that is watched, as the ledger has it. Times in ms. */
export interface FollowUp {
  /** `restore-<serverId>-<jobId>` or `queue-<queueId>`: also the id of the BullMQ job. */
  id: string;
  follow: 'restore' | 'power';
  run: string;
  stem: string;
  server: Server;
  job: number;
  command: string;
  requester: Actor;
  /** Who is pinged at the end: the requester, or whom it was handed over to. */
  notify: Actor;
  place: { guild: string; channel: string };
  /** The message that showed it first, and the one that shows it now. */
  origin: string;
  card: string;
  /** How many servers its command has: they share the card. */
  width: number;
  reason?: string;
  started: number;
  deadline: number;
  /** How many reminders were posted. */
  reminded: number;
  ended?: RunEntry;
  /** Whether what nobody saw the end of did happen, as a person said since. */
  happened?: boolean;
  announced: boolean;
}

export const idOf = (follow: FollowUp['follow'], server: number, job: number): string =>
  follow === 'restore' ? `restore-${server}-${job}` : `queue-${job}`;

/** The follow-up of a run; undefined when nothing of it is followed. */
export function followUpOf({ run, followUp, resolved }: RunState): FollowUp | undefined {
  const started = followUp?.started;
  if (
    followUp === undefined ||
    started?.server === undefined ||
    started.follow === undefined ||
    started.job === undefined
  )
    return undefined;
  const { follow, job, server, command, actor, place, options, time, deadline } = started;
  return {
    id: idOf(follow, server.id, job),
    follow,
    run,
    stem: stemOf(run),
    server,
    job,
    command,
    requester: actor,
    notify: followUp.notify,
    place: { guild: place.guild, channel: place.channel },
    origin: place.message ?? followUp.card,
    card: followUp.card,
    width: String(options.server ?? '').split(',').length,
    ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
    started: Date.parse(time),
    deadline: Date.parse(deadline ?? time),
    reminded: followUp.reminded,
    ...(followUp.ended === undefined ? {} : { ended: followUp.ended }),
    ...(resolved?.happened === undefined ? {} : { happened: resolved.happened }),
    announced: followUp.announced !== undefined,
  };
}

export const stemOf = (run: string): string => run.slice(0, run.lastIndexOf('.'));

/** The follow-up of a run, as the ledger has it now. */
export function find(ledger: Pick<Ledger, 'runs'>, run: string): FollowUp | undefined {
  const state = ledger.runs(stemOf(run)).find((each) => each.run === run);
  return state === undefined ? undefined : followUpOf(state);
}

/** Who acts when nobody does. */
export const botActor: Actor = { id: '0', name: 'panelops', roles: [] };

/** What all entries of a follow-up share. */
export const entryOf = (
  followUp: FollowUp,
  actor: Actor,
  message = followUp.card,
): Omit<NewRunEntry, 'step'> & { kind: 'follow-up' } => ({
  run: followUp.run,
  kind: 'follow-up',
  actor,
  command: followUp.command,
  options: {},
  server: followUp.server,
  place: { ...followUp.place, message },
  follow: followUp.follow,
  job: followUp.job,
});
