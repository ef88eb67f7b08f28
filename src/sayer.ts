import type { Reason } from './reasons.ts';

/** Whose words came with it: those of a proxy are not told as the panel's. */
export const sayerOf = (reason: Reason | undefined): string =>
  reason !== undefined && ofAnybody.includes(reason) ? 'The answer says' : 'The panel says';
const ofAnybody: readonly Reason[] = [
  'refused-before',
  'requests-limited',
  'server-error',
  'not-the-panel',
  'no-success',
  'not-understood',
];

/** Whether answers with different statuses have this reason. */
export const hasManyStatuses = (reason: Reason): boolean => ofMany.includes(reason);
const ofMany: readonly Reason[] = ['refused', 'refused-before', 'server-error', 'not-the-panel', 'no-success'];
