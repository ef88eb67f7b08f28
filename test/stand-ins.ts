import type { Followed } from '../src/command.ts';
import type { Answer } from '../src/outcome.ts';
import type { Parts } from '../src/run/parts.ts';

/** A panel that gives every call this answer. */
export const panelOf = (answer: Answer<unknown>): Parts['panel'] => ({
  // Each test asks the endpoints that its answer is for.
  call: () => Promise.resolve(answer as Answer<never>),
  look: () => Promise.resolve(answer),
  slot: () => Promise.resolve(0),
  close: () => Promise.resolve(),
});

/** There are no pictures. */
export const noPaint: Parts['paint'] = () => Promise.resolve(undefined);

/** Follow-ups of which there are these, and nothing can be decided. */
export const followUpsOf = (list: readonly Followed[] = []): Parts['followUps'] => ({
  list: () => Promise.resolve(list),
  stop: () => Promise.resolve(false),
  handOver: () => Promise.resolve(false),
  deadline: () => undefined,
  reconcile: () => Promise.resolve(),
  say: () => Promise.resolve(false),
  troubles: () => [],
});
