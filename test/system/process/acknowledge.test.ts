import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alerts, type BotHere, startHere, types, verified } from '../../helpers/bot-here.ts';
import { ownRedisServer, startBot } from '../../helpers/bot-process.ts';
import { entriesIn, fileIn } from '../../helpers/ledger/reading.ts';
import { textOf } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';
import { audit, posted, reaches } from '../../helpers/trail/process.ts';

const env = { AUDIT_CHANNEL_ID: audit };

/** A bot that enabled two firewalls; its ledger stands in the channel, and it is stopped. */
async function history(around: Surroundings, start: () => Promise<BotHere> = () => startHere(around)) {
  const bot = await start();
  for (const server of ['web-1', 'web-2'])
    expect(await types(around, `/firewall enable server:${server}`)).toContain('SUCCEEDED');
  await bot.stops();
  return bot.dir;
}

describe('A ledger that was deleted while the bot was down', () => {
  it('is not taken for a new one: the bot does not start unless told so, and then nothing may change', async () => {
    const around = await surroundings();
    const dir = await history(around);
    const last = entriesIn(dir).length;
    rmSync(fileIn(dir));
    await expect(startBot(around, { dir, env })).rejects.toThrow(
      new RegExp(
        `ended with 78: [\\s\\S]*${dir} has no ledger, but the audit channel ${audit} has the trail of one, up to entry ${last}\\. [\\s\\S]*--new-ledger`,
      ),
    );
    await startHere(around, { dir, newLedger: true });
    await around.discord.until(() => alerts(around)[0]);
    expect(await types(around, '/firewall enable server:web-3')).toContain('UNAVAILABLE');
    expect(await types(around, '/audit acknowledge finding:all reason:"the disk died"')).toContain('SUCCEEDED');
    expect(await types(around, '/firewall enable server:web-3')).toContain('SUCCEEDED');
    await reaches(around.discord, () => entriesIn(dir).length);
    expect((await verified(around.discord, dir)).code).toBe(0);
    expect(alerts(around)).toHaveLength(1);
  });
});

describeWithRedisServer('A Redis that was emptied while the bot was down', () => {
  it('is not taken for a new ledger', async () => {
    const redis = await ownRedisServer();
    const around = await surroundings();
    const inRedis = { ...env, LEDGER: 'redis', REDIS_URL: redis.url };
    const dir = await history(around, () => startBot(around, { env: inRedis }));
    await redis.kill();
    redis.wipe();
    await redis.restart();
    await expect(startBot(around, { dir, env: inRedis })).rejects.toThrow(
      /The Redis of REDIS_URL has no ledger, but the audit channel/,
    );
    await startBot(around, { dir, env: inRedis, args: ['--new-ledger'] });
    await around.discord.until(() => alerts(around)[0]);
    expect(await types(around, '/firewall enable server:web-3')).toContain('UNAVAILABLE');
  });
});

describe('A message of the trail that somebody deletes', () => {
  it('is told to those who may acknowledge it, once; changes go on, and verify fails until then', async () => {
    const around = await surroundings();
    const { discord } = around;
    const { dir } = await startHere(around);
    expect(await types(around, '/firewall enable server:web-1')).toContain('SUCCEEDED');
    await reaches(discord, () => entriesIn(dir).length);
    discord.deleteMessage('alice', posted(discord)[0]?.id ?? '');
    const alert = await discord.until(() => alerts(around)[0]);
    expect(textOf(alert)).toContain('deleted from the channel, noticed');
    expect(textOf(alert)).not.toContain('Nothing may change');
    expect(await types(around, '/firewall enable server:web-2')).toContain('SUCCEEDED');
    await reaches(discord, () => entriesIn(dir).length);
    expect((await verified(discord, dir)).code).toBe(1);
    const unknown = await types(around, '/audit acknowledge finding:1 reason:fine');
    expect(unknown).toContain('`finding:1`: the ledger has no finding no. 1.\n');
    const seq = entriesIn(dir).find(({ kind }) => kind === 'tampered')?.seq;
    expect(await types(around, '/audit acknowledge finding:all reason:"bob, by mistake"')).toContain('SUCCEEDED');
    expect(await types(around, `/audit acknowledge finding:${seq} reason:again`)).toContain(
      `No. ${seq} was already acknowledged by <@1400000000000000001>: \`bob, by mistake\``,
    );
    expect(await types(around, '/audit acknowledge finding:all reason:again')).toContain('No finding is open.');
    await reaches(discord, () => entriesIn(dir).length);
    expect((await verified(discord, dir)).code).toBe(0);
    expect(alerts(around)).toHaveLength(1);
  });
});
