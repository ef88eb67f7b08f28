import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alerts, startHere, types, verified } from '../../helpers/bot-here.ts';
import { entriesIn, fileIn, overwrite } from '../../helpers/ledger/reading.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { seal } from '../../helpers/ledger/seal.ts';
import { changes, textOf } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { startBot } from '../../helpers/stage.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';
import { audit, contents, posted, reaches } from '../../helpers/trail/process.ts';
import { envOf, run } from '../../helpers/trail/program.ts';
import { rangesOf } from '../../helpers/trail/ranges.ts';

/** A bot that enables the firewalls of these, with all of it in the channel. */
async function atWork(around: Surroundings, servers: readonly string[]) {
  const bot = await startHere(around);
  const settled = () => reaches(around.discord, () => entriesIn(bot.dir).length);
  for (const server of servers) {
    expect(await types(around, `/firewall enable server:${server} reason:"after maintenance"`)).toContain('SUCCEEDED');
    await settled();
  }
  return { ...bot, settled };
}

/** Another reason in the first intent, and everything from there on sealed again. */
function rewrite(dir: string): number {
  const entries = entriesIn(dir);
  const at = entries.findIndex(({ kind }) => kind === 'intent');
  for (const [i, old] of entries.entries()) {
    if (i < at) continue;
    const { seq, time, prev: _p, hash: _h, ...entry } = old;
    const changed = i === at && 'options' in entry ? { ...entry, options: { ...entry.options, reason: 'x' } } : entry;
    entries[i] = seal(changed, seq, time, entries[i - 1]?.hash ?? '');
  }
  overwrite(dir, entries);
  return at + 1;
}

/** The end is gone: so many entries. */
function cutOff(dir: string, count: number): number {
  const kept = entriesIn(dir).slice(0, -count);
  overwrite(dir, kept);
  return kept.length + 1;
}

function remove(dir: string): number {
  rmSync(fileIn(dir));
  return 1;
}

const words = (from: number, to: number): string => (from === to ? `entry ${from}` : `entries ${from} to ${to}`);

describe('Investigating a ledger that differs from the channel', () => {
  it.each([
    ['rewritten from an entry on', rewrite],
    ['cut off at its end', (dir: string) => cutOff(dir, 4)],
    ['deleted, and begun again', remove],
  ])(
    'is told which entries, when it was %s, and nothing changes until somebody says why',
    async (_how, tamper) => {
      const around = await surroundings();
      const { dir, settled, stops } = await atWork(around, ['web-1', 'web-2', 'web-3']);
      await stops();
      await settled();
      const [ranges, last] = [rangesOf(contents(around.discord)), entriesIn(dir).length];
      const first = tamper(dir);
      const touched = ranges.filter(([, to]) => to >= first);
      const [[from, upTo] = [0, 0]] = touched;
      const begin = from === upTo ? `entry ${from}` : `one of entries ${from} to ${upTo}`;
      const contradicts = `it contradicts the audit channel from ${begin} on (${touched.length} messages):`;
      // It is not taken for a new ledger.
      const reach = `${dir} has no ledger, but the audit channel ${audit} has the trail of one, up to entry ${last}. `;
      if (tamper === remove) await expect(startHere(around, { dir })).rejects.toThrow(reach);
      const bot = await startHere(around, { dir, newLedger: tamper === remove });
      const alert = textOf(await around.discord.until(() => alerts(around)[0]));
      expect(alert).toContain(`${words(from, last)}, up to this [message]`);
      expect(await types(around, '/firewall enable server:db-1')).toContain('UNAVAILABLE');
      await settled();

      const told = await types(around, '/audit verify');
      expect(told).toContain('FAILED /audit verify');
      expect(told).toMatch(/^The ledger's own chain is whole \(\d+ entries, head `\w+`\); it contradicts/m);
      expect(told).toContain(contradicts);
      expect(told).toContain(`- ${words(from, last)}: ${touched.length} messages, from this [message](`);
      expect(told).not.toMatch(/ledger is whole|nothing/i);
      await bot.stops();

      const ids = posted(around.discord).slice(ranges.length - touched.length, ranges.length);
      const checked = await verified(around.discord, dir);
      expect(checked.code).toBe(1);
      expect(checked.out).toContain(
        `channel: #${from}–#${last} contradicts the ledger: ${touched.length} messages, the first ${ids[0]?.id}, the last ${ids.at(-1)?.id} (not acknowledged)`,
      );

      // What stands there for good is named for good, and said to be acknowledged.
      await startHere(around, { dir });
      expect(await types(around, '/audit acknowledge finding:all reason:"restored by bob"')).toContain('SUCCEEDED');
      expect(await types(around, '/firewall enable server:db-1')).toContain('SUCCEEDED');
      await settled();
      const after = await types(around, '/audit verify');
      expect(after).toContain('Check of ledger and trail');
      expect(after).toContain(contradicts);
      expect(after).toContain('The findings about it have been acknowledged.');
      expect(after).not.toMatch(/ledger is whole|nothing/i);
      expect((await verified(around.discord, dir)).code).toBe(0);
      expect(alerts(around)).toHaveLength(1);
    },
    120_000,
  );
});

describe('A ledger that somebody changes while the bot runs', () => {
  /** In the second entry, a letter of the same length elsewhere in its line. */
  function change(dir: string): void {
    const text = readFileSync(fileIn(dir), 'utf8');
    const at = text.indexOf('firewall', text.indexOf('\n'));
    writeFileSync(fileIn(dir), `${text.slice(0, at)}P${text.slice(at + 1)}`);
  }

  it('stops all changes as soon as a check finds it, and those who may acknowledge are told what to do, once', async () => {
    const around = await surroundings();
    const { dir } = await atWork(around, ['web-1']);
    const before = readFileSync(fileIn(dir), 'utf8');
    change(dir);
    const sent = changes(around).length;

    const told = await types(around, '/audit verify');
    expect(told).toContain('The ledger is damaged at entry 2: ');
    expect(told).toContain('**Nothing may change.** Type /audit export');
    const alert = await around.discord.until(() => alerts(around)[0]);
    expect(alert.pinged).toEqual(['alice']);
    expect(textOf(alert)).toMatch(/^ALERT Ledger · not as it was written, at entry 2 /);
    expect(textOf(alert)).toContain('/audit export');
    const refused = await types(around, '/firewall enable server:web-2');
    expect(refused).toContain('UNAVAILABLE /firewall enable');
    expect(refused).toContain('The stored ledger is not as the bot wrote it');
    expect(refused).toContain('/audit verify found it broken at entry 2.');
    expect(await types(around, '/panel check')).toContain('/audit verify found it broken at entry 2.');
    expect(await types(around, '/audit acknowledge finding:all reason:fine')).toContain('No finding is open.');
    expect(await types(around, '/audit verify')).toContain('FAILED');
    expect(alerts(around)).toHaveLength(1);
    expect(changes(around)).toHaveLength(sent);

    // In place, with what was recorded since.
    const now = readFileSync(fileIn(dir), 'utf8');
    writeFileSync(fileIn(dir), before + now.slice(before.length));
    expect(await types(around, '/audit verify')).toContain('Check of ledger and trail');
    expect(await types(around, '/firewall enable server:web-2')).toContain('SUCCEEDED');
  }, 120_000);

  it.each([
    ['cut off at its end', (dir: string) => cutOff(dir, 1), /it ends at entry \d+, and entry \d+ was written/],
    ['rewritten, with a chain that is sound', rewrite, /entry \d+ is not the one that was written/],
  ])(
    'is found by a check although its chain is whole: it was %s',
    async (_how, tamper, found) => {
      const around = await surroundings();
      const { dir } = await atWork(around, ['web-1']);
      tamper(dir);
      const told = await types(around, '/audit verify');
      expect(told).toMatch(/The ledger is damaged at entry \d+: /);
      expect(told).toMatch(found);
      expect(textOf(await around.discord.until(() => alerts(around)[0]))).toMatch(found);
      expect(await types(around, '/firewall enable server:web-2')).toContain('UNAVAILABLE');
    },
    120_000,
  );
});

describe('A message of the trail that somebody deletes', () => {
  it('is told to those who may acknowledge it, once; changes go on, and verify fails until then', async () => {
    const around = await surroundings();
    const { discord } = around;
    const { dir, settled } = await atWork(around, ['web-1']);
    discord.deleteMessage('alice', posted(discord)[0]?.id ?? '');
    const alert = await discord.until(() => alerts(around)[0]);
    expect(textOf(alert)).toContain('deleted from the channel, noticed');
    expect(textOf(alert)).not.toContain('Nothing may change');
    expect(await types(around, '/firewall enable server:web-2')).toContain('SUCCEEDED');
    await settled();
    const failed = await verified(discord, dir);
    expect([failed.code, failed.out[0]]).toEqual([
      ...[1, expect.stringMatching(/^finding \d+, \S+Z: #\d+(–#\d+)? was deleted: not acknowledged$/)],
    ]);
    const unknown = await types(around, '/audit acknowledge finding:1 reason:fine');
    expect(unknown).toContain('`finding:1`: the ledger has no finding no. 1.\n');
    const seq = entriesIn(dir).find(({ kind }) => kind === 'tampered')?.seq;
    expect(await types(around, '/audit acknowledge finding:all reason:"bob, by mistake"')).toContain('SUCCEEDED');
    expect(await types(around, `/audit acknowledge finding:${seq} reason:again`)).toContain(
      `No. ${seq} was already acknowledged by <@1400000000000000001>: \`bob, by mistake\``,
    );
    await settled();
    expect((await verified(discord, dir)).code).toBe(0);
    expect(alerts(around)).toHaveLength(1);
  });
});

describeWithRedisServer('A ledger in Redis', () => {
  it('of which somebody deleted an entry, or all, is named, and not taken for a new one', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const env = { AUDIT_CHANNEL_ID: audit, LEDGER: 'redis', REDIS_URL: redis.url };
    const bot = await startBot(around, { env });
    expect(await types(around, '/firewall enable server:web-1')).toContain('SUCCEEDED');
    await bot.end('SIGTERM');
    const client = new Redis(redis.url);
    client.on('error', () => undefined);
    onTestFinished(() => client.disconnect());
    const last = await client.xlen('panelops:ledger');
    await client.xdel('panelops:ledger', `${last}-0`);
    const cut = await run(['verify'], envOf(around.discord, folder(), env));
    expect([cut.code, cut.out[0]]).toEqual([
      ...[1, `the stream panelops:ledger: it ends at entry ${last - 1}, but entry ${last} was written`],
    ]);

    await redis.kill();
    redis.wipe();
    await redis.restart();
    await expect(startBot(around, { env })).rejects.toThrow(
      /ended with 78: [\s\S]*The Redis of REDIS_URL has no ledger, but the audit channel [\s\S]*--new-ledger/,
    );
    await startBot(around, { env, args: ['--new-ledger'] });
    await around.discord.until(() => alerts(around)[0]);
    expect(await types(around, '/firewall enable server:web-3')).toContain('UNAVAILABLE');
  });
});
