import type { Ledger } from '../ledger/ledger.ts';
import type { Actor } from '../outcome.ts';
import type { EntryServer, Step } from '../runs/entry.ts';
import { invocationOf, jobIdOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';

/** A job of the panel that is watched, as the ledger has it. Times in ms. */
export interface FollowUp {
  /** `restore-<serverId>-<jobId>` or `queue-<queueId>`: also the id of the BullMQ job. */
  id: string;
  follow: 'restore' | 'power';
  run: string;
  invocationId: string;
  server: EntryServer;
  job: number;
  command: string;
  requester: Actor;
  /** Who is pinged at the end: the requester, or whom it was handed over to. */
  notify: Actor;
  place: { guild: string; channel: string };
  /** The message that is its card now. */
  card: string;
  /** How many servers its command has: they share the card. */
  width: number;
  started: number;
  deadline: number;
  /** How many reminders were posted. */
  reminded: number;
  ended?: Step<'ended'>;
  announced: boolean;
}

/** The follow-up of a run; undefined when nothing of it is followed. */
export function followUpOf({ run, followUp }: RunState): FollowUp | undefined {
  if (followUp === undefined) return undefined;
  const { started, card, notify, reminded, ended, announced } = followUp;
  const { follow, job, server, command, actor, place, options, time, deadline } = started;
  if (card === undefined || server === undefined) return undefined;
  return {
    id: jobIdOf(follow, server.id, job),
    follow,
    run,
    invocationId: invocationOf(run),
    server,
    job,
    command,
    requester: actor,
    notify,
    place: { guild: place.guild, channel: place.channel },
    card,
    width: String(options.server ?? '').split(',').length,
    started: Date.parse(time),
    deadline: Date.parse(deadline),
    reminded,
    ...(ended === undefined ? {} : { ended }),
    announced: announced !== undefined,
  };
}

/** The follow-up of a run, as the ledger has it now. */
export function find(ledger: Pick<Ledger, 'run'>, run: string): FollowUp | undefined {
  const state = ledger.run(run);
  return state === undefined ? undefined : followUpOf(state);
}

/** Who acts when nobody does. */
export const botActor: Actor = { id: '0', name: 'panelops', roles: [] };

/** What all entries of a follow-up share. */
export const entryOf = ({ run, command, server, place, follow, job }: FollowUp, actor: Actor, message?: string) => ({
  run,
  kind: 'follow-up' as const,
  actor,
  command,
  options: {},
  server,
  place: { ...place, ...(message === undefined ? {} : { message }) },
  follow,
  job,
});
