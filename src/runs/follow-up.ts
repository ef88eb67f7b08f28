import type { Actor } from '../outcome.ts';
import type { Entry, EntryServer, Step } from './entry.ts';
import type { FollowUpState, RunState } from './state.ts';

/** A run with a follow-up, whose card and server are known. */
export interface FollowUp extends RunState {
  followUp: FollowUpState & { card: string; started: Started };
}
export type Started = Step<'started'> & { server: EntryServer };

export const followUpOf = (state: RunState | undefined): FollowUp | undefined =>
  state !== undefined && isFollowUp(state) ? state : undefined;

const isFollowUp = (state: RunState): state is FollowUp =>
  state.followUp?.card !== undefined && state.followUp.started.server !== undefined;

/** The job's name, for people and the queue: `restore-<server>-<job>` or `queue-<job>`; or with the run's id. */
export const jobOf = ({ run, follow, server, job }: Started): string =>
  follow === 'restore' ? `restore-${server.id}-${job ?? run}` : `queue-${job ?? run}`;

/** When the followed job began, in ms. A person may have confirmed it long after it was sent. */
export const begunAt = ({ intent }: RunState, started: Step<'started'>): number =>
  Date.parse((started.job === undefined ? (intent ?? started) : started).time);

/** The start of a restore that has a job in the panel. */
export type RestoreJob = Started & { job: number };
export const isRestoreJob = (entry: Entry): entry is RestoreJob =>
  entry.kind === 'follow-up' &&
  entry.step === 'started' &&
  entry.follow === 'restore' &&
  entry.job !== undefined &&
  entry.server !== undefined;

export const startedAt = ({ time }: Step<'started'>): number => Date.parse(time);
export const deadlineOf = ({ deadline }: Step<'started'>): number => Date.parse(deadline);

/** The members shared by all later entries of a follow-up. */
export const followUpEntry = ({ started }: Pick<FollowUpState, 'started'>, actor: Actor, message?: string) => ({
  run: started.run,
  kind: 'follow-up' as const,
  actor,
  command: started.command,
  options: {},
  server: started.server,
  place: {
    guild: started.place.guild,
    channel: started.place.channel,
    message,
  },
  follow: started.follow,
  job: started.job,
});
