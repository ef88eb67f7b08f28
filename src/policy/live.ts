import type { Command } from '../command.ts';
import { isGiven } from './decide.ts';
import type { Policy } from './schema.ts';

/** The policy in force. It may change at any time, so it is read at each use and never kept. */
export interface LivePolicy {
  current(): Policy;
  replace(next: Policy): void;
}

export function livePolicy(first: Policy): LivePolicy {
  let policy = first;
  return {
    current: () => policy,
    replace(next) {
      policy = next;
    },
  };
}

/** Which commands there are under this policy: what is off is not there. */
export const isOn =
  (policy: Policy) =>
  ({ needs }: Command): boolean =>
    needs === undefined || policy[needs] !== undefined;

/** What Discord's list of commands shows of the policy in force: who has which, and the zone of times. */
export const shownOf = (current: () => Policy) => ({
  isGiven: (command: Parameters<typeof isGiven>[1]): boolean => isGiven(current(), command),
  zone: (): string => current().timezone,
});
