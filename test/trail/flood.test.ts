import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verify } from '../../src/audit/verify.ts';
import { toLine } from '../../src/ledger/chain.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import { ChannelClosed } from '../../src/outcome.ts';
import type { AuditChannel } from '../../src/trail/channel.ts';
import { check } from '../../src/trail/check.ts';
import { folder, openLedger } from '../helpers/ledger/samples.ts';
import { chain, denial } from '../helpers/record/entries.ts';
import {
  audit,
  begun,
  contents,
  linesOf,
  ownDiscord,
  reaches,
  several,
  startTrailProcess,
} from '../helpers/trail/process.ts';
import { channelOf } from '../helpers/trail/ranges.ts';

const alice = { id: '1400000000000000001', name: 'alice' };
const bob = { id: '1400000000000000002', name: 'bob' };

const files = (dir: string): Parameters<typeof startTrailProcess>[1] => ({
  open: (log) => openLedger({ dir, log }),
  lines: () => Promise.resolve([]),
  write: () => Promise.resolve(),
});

/** A channel with a trail of two messages behind which a person has posted 120, and the same ledger with another name in it. */
async function flooded() {
  let ahead = 0;
  const discord = await ownDiscord({ now: () => Date.now() + ahead });
  const [first, forged] = [folder(), folder()];
  const poster = await startTrailProcess(discord, files(first));
  await poster.append([begun]);
  await reaches(discord, () => 1);
  const entries = await poster.append([denial(alice)]);
  await reaches(discord, () => 2);
  expect(entries).toHaveLength(1);
  await poster.trail.close();
  await poster.ledger.close();
  for (let n = 0; n < 120; n += 1) await discord.type('alice', 'audit', 'hello');
  // Discord has forgotten every nonce.
  ahead = 20 * 60_000;
  const rewritten = chain([begun, denial(bob)]);
  writeFileSync(join(forged, 'ledger.jsonl'), rewritten.map((entry) => `${toLine(entry)}\n`).join(''));
  return { discord, first, forged };
}

it('A trail whose newest message cannot be found is not begun again: nothing may change', async () => {
  const { discord, first } = await flooded();
  const before = contents(discord);
  const poster = await startTrailProcess(discord, files(first), { pages: 1 });
  await expect.poll(() => poster.log.messages).toContain('cannot post the trail yet: will retry');
  await poster.append(several(1));
  const unread = { reason: 'trail-behind', words: `How far the trail is in <#${audit}> could not be read yet.` };
  expect(poster.trail.trouble()).toEqual(unread);
  expect(contents(discord)).toEqual(before);
});

it('A ledger that was rewritten is found behind whatever a person has posted since', async () => {
  const { discord, forged } = await flooded();
  const { ledger } = await startTrailProcess(discord, files(forged));
  const told = () =>
    ledger
      .entries()
      .slice()
      .flatMap((each) => (each.kind === 'tampered' ? [each.finding] : []));
  await expect.poll(told).toContain('strange');
  await discord.until(() => linesOf(discord).some((line) => line.includes('TRAIL CHANGED strange')));
});

it('A check reads past where a trail seems to begin: another may stand before it', async () => {
  const [was, is] = [chain([begun, denial(alice)]), chain([begun, denial(bob)])];
  const messages = [...channelOf(was, [1]), ...channelOf(is, [1])].map((each, at) => ({ ...each, id: String(at + 1) }));
  const all = messages.toReversed();
  const refused = () => Promise.reject(new ChannelClosed());
  const channel: AuditChannel = {
    id: audit,
    page: (before) => Promise.resolve(all.filter(({ id }) => Number(id) < Number(before ?? 99))),
    around: refused,
    post: refused,
    file: refused,
  };
  const kept = { entries: is, head: { seq: 2, hash: is[1]?.hash ?? '' } };
  const checked = await check(() => Promise.resolve(kept), channel);
  expect(checked.channel?.contradiction?.spans.map(({ first }) => first.message)).toEqual(['2']);
});

it('A check that could not read all of the channel does not succeed', async () => {
  const { discord, first } = await flooded();
  let said = '';
  const code = await verify({
    read: () => readFiles(first),
    channel: { ...discord, id: audit, pages: 1 },
    out: (text) => {
      said += text;
    },
  });
  expect(code).toBe(1);
  expect(said).toMatch(/^the ledger itself is whole: 2 entries, head [0-9a-f]{64}$/m);
  expect(said).toContain('channel: incomplete: the oldest messages were not compared');
});
