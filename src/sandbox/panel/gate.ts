import { createHash, timingSafeEqual } from 'node:crypto';
import { type Answer, Refusal } from './answer.ts';

const minute = 60_000;
const failuresAllowed = 10;

const digest = (text: string) => createHash('sha256').update(text).digest();

export interface Gate {
  /** Returns headers for the answer, or throws the refusal: 401 (`silent`: without a body), or a kind of 429. */
  enter(address: string, authorization: string | undefined, silent: boolean): Record<string, string>;
  /** Throws this endpoint's 401, whatever the token. */
  refuse(silent: boolean): never;
  /** Starts a minute without any requests left. */
  exhaust(): void;
  isExhausted(): boolean;
}

/** A gate for one token, with `perMinute` requests in a minute that starts with the first one. */
export function createGate(token: string, perMinute: number, now: () => Date): Gate {
  const failures = new Map<string, number[]>();
  let spell = { ends: 0, used: 0 };

  function refuseLockedOut(recent: number[], time: number): void {
    const [oldest] = recent;
    if (oldest === undefined || recent.length < failuresAllowed) return;
    const seconds = Math.ceil((oldest + minute - time) / 1000);
    throw new Refusal({
      status: 429,
      headers: { 'retry-after': String(seconds) },
      body: { errors: ['Too many failed authentications.'], retry_after_seconds: seconds },
    });
  }

  function authenticate(address: string, authorization: string | undefined, silent: boolean): void {
    const time = now().getTime();
    const recent = (failures.get(address) ?? []).filter((at) => at > time - minute);
    refuseLockedOut(recent, time);
    if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))) return;
    failures.set(address, [...recent, time]);
    refuse(silent);
  }

  function refuse(silent: boolean): never {
    const refusal: Answer = { status: 401 };
    throw new Refusal(silent ? refusal : { ...refusal, body: '401 Unauthorized' });
  }

  function spend(): Record<string, string> {
    const time = now().getTime();
    if (time >= spell.ends) spell = { ends: time + minute, used: 0 };
    const left = perMinute - spell.used;
    const headers = {
      'x-ratelimit-limit': String(perMinute),
      'x-ratelimit-remaining': String(Math.max(0, left - 1)),
      'x-ratelimit-reset': String(Math.ceil(spell.ends / 1000)),
    };
    if (left <= 0) {
      const seconds = Math.ceil((spell.ends - time) / 1000);
      throw new Refusal({
        status: 429,
        headers: { ...headers, 'retry-after': String(seconds) },
        body: { errors: ['Too many requests.'] },
      });
    }
    spell.used += 1;
    return headers;
  }

  return {
    enter(address, authorization, silent) {
      authenticate(address, authorization, silent);
      return spend();
    },
    refuse,
    exhaust() {
      spell = { ends: now().getTime() + minute, used: perMinute };
    },
    isExhausted: () => now().getTime() < spell.ends && spell.used >= perMinute,
  };
}
