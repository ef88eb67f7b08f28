import { isGiven } from './decide.ts';
import type { Policy } from './schema.ts';

/** What Discord's list of commands shows of the policy in force: who has which, and the zone of times. */
export const shownOf = (current: () => Policy) => ({
  isGiven: (command: Parameters<typeof isGiven>[1]): boolean => isGiven(current(), command),
  zone: (): string => current().timezone,
});
