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
