import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { bySeq, type Entries } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';

/** Entries that settle findings: an acknowledgement, or an alert that was sent. */
export type SettlingEntry = Kind<'acknowledged'> | Kind<'alerted'>;
type Link = 'seq' | 'time' | 'prev' | 'hash';
type Unsealed = Omit<Kind<'acknowledged'>, Link | 'seal'> | Omit<Kind<'alerted'>, Link | 'seal'>;

/** Seals for entries that settle findings: to forge one takes the bot's token, not only the ledger. */
export interface Seals {
  /** `entries`: the ledger with the findings. */
  of(entry: Unsealed, entries: Entries): string;
  match(entry: SettlingEntry, entries: Entries): boolean;
}

/** Derived from the bot's token, so it need not be stored. Hex. */
export const sealKeyOf = (discordToken: string): string =>
  Buffer.from(hkdfSync('sha256', discordToken, '', 'panelops settled findings', 32)).toString('hex');

/** A seal has 128 bits, as 22 characters. */
export function createSeals(key: string): Seals {
  const of: Seals['of'] = (entry, entries) =>
    createHmac('sha256', Buffer.from(key, 'hex'))
      .update(JSON.stringify(sealedContent(entry, entries)))
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

/** What a seal covers. A finding's hash covers all before it, so a seal is worthless in another ledger. */
function sealedContent(entry: Unsealed, entries: Entries): unknown[] {
  const hashOf = (seq: number): string => bySeq(entries, seq)?.hash ?? '';
  return entry.kind === 'acknowledged'
    ? [entry.kind, entry.findings.map(hashOf), entry.actor.id, entry.why]
    : [entry.kind, hashOf(entry.upTo)];
}
