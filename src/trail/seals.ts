import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Entry, Kind } from '../runs/entry.ts';

/** What settles findings, so that nobody looks for them any more. */
export type Settling = Kind<'acknowledged'> | Kind<'alerted'>;
type Link = 'seq' | 'time' | 'prev' | 'hash';
type Unsealed = Omit<Kind<'acknowledged'>, Link | 'seal'> | Omit<Kind<'alerted'>, Link | 'seal'>;

/** Seals of entries that settle findings: whoever can write the ledger, and does not hold the bot's token, makes none. */
export interface Seals {
  /** `entries`: the ledger, which has the findings. */
  of(entry: Unsealed, entries: readonly Entry[]): string;
  match(entry: Settling, entries: readonly Entry[]): boolean;
}

/** Derived from the bot's token, so that it is never stored. In hex. */
export const sealKeyOf = (discordToken: string): string =>
  Buffer.from(hkdfSync('sha256', discordToken, '', 'panelops settled findings', 32)).toString('hex');

/** A seal has 128 bits, as 22 characters. */
export function createSeals(key: string): Seals {
  const of: Seals['of'] = (entry, entries) =>
    createHmac('sha256', Buffer.from(key, 'hex'))
      .update(JSON.stringify(meant(entry, entries)))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
  return {
    of,
    match(entry, entries) {
      const [expected, actual] = [Buffer.from(of(entry, entries)), Buffer.from(entry.seal ?? '')];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

/** A finding's hash stands for it, and for all of the ledger before it: in another ledger the seal is worth nothing. */
function meant(entry: Unsealed, entries: readonly Entry[]): unknown[] {
  const hashOf = (seq: number): string => entries[seq - 1]?.hash ?? '';
  return entry.kind === 'acknowledged'
    ? [entry.kind, entry.findings.map(hashOf), entry.actor.id, entry.why]
    : [entry.kind, hashOf(entry.upTo)];
}
