import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { openScene } from '../../helpers/quick-bot.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { posted, reaches } from '../../helpers/trail/process.ts';
import { envOf, run } from '../../helpers/trail/program.ts';
import { startWorld } from '../../helpers/world.ts';

const quick = { between: 10, retry: 50, look: 50 };

/** A bot that has done something, whose lines have arrived; gone with the test. */
async function atWork() {
  const world = await startWorld({ audit: true, still: true, intervals: { trail: quick } });
  onTestFinished(() => world.stop());
  const { discord, dir } = world;
  const head = (): number => world.entries().length;
  for (const server of ['web-1', 'web-2', 'web-3']) {
    await reaches(discord, head);
    await discord.type('alice', 'ops', `/firewall enable server:${server}`);
    await discord.until(() =>
      posted(discord).some(({ content }) => content.includes(`SUCCEEDED \`/firewall enable\` · ${server}`)),
    );
  }
  await reaches(discord, head);
  return { discord, dir, head };
}

describe('npm run audit -- verify, beside the bot', () => {
  it('says that all is whole, and what was compared', async () => {
    const { discord, dir, head } = await atWork();
    const hash = JSON.parse(readFileSync(join(dir, 'ledger.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '').hash;
    const { code, out, error } = await run(['verify'], envOf(discord, dir));
    expect({ code, out, error }).toEqual({
      code: 0,
      out: [`ok: ${head()} entries, head ${hash}`, `channel: ${posted(discord).length} messages were compared`],
      error: '',
    });
  });

  it('finds by the channel that the end was cut off, and in the channel what was deleted and edited', async () => {
    const { discord, dir, head } = await atWork();
    const messages = posted(discord);
    const last = head();
    discord.deleteMessage('alice', messages[1]?.id ?? '');
    await discord.until(() => discord.view('alice', 'audit').includes('TRAIL CHANGED deleted'));
    const known = await run(['verify'], envOf(discord, dir));
    expect(known.code).toBe(1);
    expect(known.out[0]).toMatch(/^finding \d+, \S+Z: #\d+(–#\d+)? was deleted: not acknowledged$/);
    // Without the bot's own word on it: as if it had been down.
    const copy = folder();
    const lines = readFileSync(join(dir, 'ledger.jsonl'), 'utf8').split('\n').slice(0, last);
    writeFileSync(join(copy, 'ledger.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
    const { code, out } = await run(['verify'], envOf(discord, copy));
    expect(code).toBe(1);
    expect(out.join('\n')).toMatch(/channel: #\d+(–#\d+)? is missing before this message \(message \d+\)/);
    expect(out.join('\n')).toContain('contradicts the ledger');
    expect(out.join('\n')).not.toContain('not there yet');
  });
});

describe('npm run audit', () => {
  it('says what is wrong with the configuration, all together, and that there is no ledger', async () => {
    const wrong = await run(['verify'], { DISCORD_TOKEN: 'x.y.z' });
    expect(wrong.code).toBe(78);
    expect(wrong.error).toContain('PANEL_URL');
    expect(wrong.error).not.toContain('x.y.z');
    const nothing = await run(['verify'], { DATA_DIR: join(folder(), 'gone') });
    expect([nothing.code, nothing.error]).toEqual([
      78,
      "There is no ledger in DATA_DIR. Run this where the bot runs, with the bot's own environment.\n",
    ]);
  });
});

describeWithRedisServer('npm run audit -- verify, with the ledger in Redis', () => {
  it('reads it beside the bots, and names an entry that was changed there', async () => {
    const [scene, redis] = [await openScene({ audit: true }), await ownRedisServer()];
    const { discord, dir } = scene;
    await scene.start({ redisUrl: redis.url, ledger: 'redis' });
    await reaches(discord, () => 1);
    const env = envOf(discord, dir, { LEDGER: 'redis', REDIS_URL: redis.url });
    const clean = await run(['verify'], env);
    expect([clean.code, clean.out[0]]).toEqual([0, expect.stringMatching(/^ok: 1 entry, head [0-9a-f]{64}$/)]);
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    await client.xdel('panelops:ledger', '1-0');
    client.disconnect();
    const cut = await run(['verify'], env);
    expect([cut.code, cut.out[0]]).toEqual([
      1,
      'the stream panelops:ledger: it ends at entry 0, but entry 1 was written',
    ]);
  });
});
