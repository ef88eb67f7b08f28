import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Kind } from '../runs/entry.ts';
import type { Drawing } from './render/index.ts';

/** Proves that the bot offered exactly this button on that message. */
export interface Seal {
  of: Drawing['seal'];
  matches(given: string, kind: Parameters<Drawing['seal']>[0], asked: Kind<'asked' | 'requested'>): boolean;
}

/** The key is derived from the bot's token, so it need not be stored. A seal has 128 bits, as 22 characters. */
export function createSeal(discordToken: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', discordToken, '', 'panelops question buttons', 32));
  // The entry's hash covers the whole question: who asked, for what, until when.
  const of: Drawing['seal'] = (kind, { hash, place }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, hash, place.message]))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
  return {
    of,
    matches(given, kind, asked) {
      const [expected, actual] = [Buffer.from(of(kind, asked)), Buffer.from(given)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}
