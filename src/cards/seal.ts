import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Snapshot } from '../decide/decision.ts';

export type Seal = Snapshot['seal'];

/** The key is derived from the bot's token, so it need not be stored. A seal has 128 bits, as 22 characters. */
export function createSeal(discordToken: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', discordToken, '', 'panelops question buttons', 32));
  // The entry's hash covers the whole question: who asked, for what, until when.
  const of: Seal['of'] = (kind, { hash, place }) =>
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
