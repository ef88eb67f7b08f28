const minuteMs = 60_000;

/** How the panel treats the address of this machine, whatever the token. All times are in ms by our clock. */
export interface Address {
  /** The panel refused a token. `by`: an object that identifies the token. */
  refused(by: object): void;
  lockedOut(ms: number): void;
  /** The panel accepted a token under test. */
  accepted(): void;
  /** When any token may send again. */
  closedUntil(): number;
  /** Whether the panel's last verdict was a refusal or a lock-out: a new token may then send one request as a test. */
  isSuspect(): boolean;
}

/** Ten failed authentications lock the address out: after two refused tokens in a minute, nobody sends for one. */
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
    accepted() {
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
