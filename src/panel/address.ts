const minuteMs = 60_000;

/** What the panel holds against the address of this machine, whatever the token. All times are ms by our clock. */
export interface Address {
  /** The panel refused a token. `by`: whichever object stands for it. */
  refused(by: object): void;
  lockedOut(ms: number): void;
  /** A request that tested a token was answered. */
  works(): void;
  /** Until when no token may send. */
  closedUntil(): number;
  /** Whether a refusal or a lock-out was the last that was heard: a new token may try with one request. */
  isSuspect(): boolean;
}

/** Ten failed authentications lock the address out: after a second token that is refused within a minute, none tries for a minute. */
export function createAddress(now: () => number): Address {
  let last: { by: object; until: number } | undefined;
  let closedUntil = 0;
  let suspect = false;
  const close = (until: number): void => {
    closedUntil = Math.max(closedUntil, until);
  };
  return {
    isSuspect: () => suspect,
    closedUntil: () => closedUntil,
    lockedOut(ms) {
      suspect = true;
      close(now() + ms);
    },
    works() {
      suspect = false;
    },
    refused(by) {
      const until = now() + minuteMs;
      if (last !== undefined && now() < last.until && last.by !== by) close(until);
      suspect = true;
      last = { by, until };
    },
  };
}
