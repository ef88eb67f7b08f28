import { defined } from '../defined.ts';
import type { Actor } from '../outcome.ts';
import type { EntryServer, Step } from './entry.ts';
import { jobIdOf } from './ids.ts';
import type { FollowUpState, RunState } from './state.ts';

/** A run of which a job is followed, and whose card and server are known. */
export interface FollowUp extends RunState {
  followUp: FollowUpState & { card: string; started: Started };
}
export type Started = Step<'started'> & { server: EntryServer };

/** The follow-up of a run; undefined when nothing of it is followed. */
export const followUpOf = (state: RunState | undefined): FollowUp | undefined =>
  state !== undefined && isFollowUp(state) ? state : undefined;

const isFollowUp = (state: RunState): state is FollowUp =>
  state.followUp?.card !== undefined && state.followUp.started.server !== undefined;

/** What its job is called, by people and in the queue. */
export const jobOf = ({ run, follow, server, job }: Started): string => jobIdOf(follow, server.id, job ?? run);

/** When what is followed began, in ms: somebody may have said so long after it was sent. */
export const begunAt = ({ intent }: RunState, started: Step<'started'>): number =>
  Date.parse((started.job === undefined ? (intent ?? started) : started).time);

export const startedAt = ({ time }: Step<'started'>): number => Date.parse(time);
export const deadlineOf = ({ deadline }: Step<'started'>): number => Date.parse(deadline);

/** What all later entries of a follow-up share. */
export const followUpEntry = ({ started }: Pick<FollowUpState, 'started'>, actor: Actor, message?: string) => ({
  run: started.run,
  kind: 'follow-up' as const,
  actor,
  command: started.command,
  options: {},
  ...defined({ server: started.server }),
  place: {
    guild: started.place.guild,
    channel: started.place.channel,
    ...defined({ message }),
  },
  follow: started.follow,
  ...defined({ job: started.job }),
});
