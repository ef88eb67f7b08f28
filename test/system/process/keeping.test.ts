import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { startPanel } from '../../../src/sandbox/panel/index.ts';
import { chainIn } from '../../helpers/ledger/reading.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { forThis } from '../../helpers/lives.ts';
import { asks, presses, textOf, typed, until, whispers } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { environmentFor, openStage, run as runProgram, startBot } from '../../helpers/stage.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { envOf, run } from '../../helpers/trail/program.ts';

/** Enables a firewall, and waits until that is done and in the channel. */
async function enables(stage: { discord: SandboxDiscord }, server: string): Promise<void> {
  await typed(stage, `/firewall enable server:${server}`, ['SUCCEEDED']);
  const posted = (): boolean =>
    stage.discord
      .messages('alice', 'audit')
      .some(({ content }) => content.includes(`SUCCEEDED \`/firewall enable\` · ${server}`));
  await until(posted, `the line of ${server}`);
}

const linesIn = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('a backup', () => {
  it('is whole while the bot works, and with it a lost folder is what it was', async () => {
    const stage = await forThis(openStage());
    const env = { ...stage.env, AUDIT_CHANNEL_ID: stage.discord.channels.audit };
    const bot = await stage.start(env);
    await enables(stage, 'web-1');
    const copies = join(stage.cwd, 'copies');
    mkdirSync(copies);
    const working = ['web-2', 'web-3', 'db-1', 'db-2'].map((server) =>
      stage.discord.type('alice', 'ops', `/power boot server:${server}`),
    );
    const [first] = await Promise.all([run(['backup', '--out', join(copies, 'first')], env), ...working]);
    expect([first.code, first.error]).toEqual([0, '']);
    // One that none of these may still be under way on.
    await enables(stage, 'mail-1');
    await bot.end('SIGTERM');
    const last = await run(['backup', '--out', join(copies, 'last')], env);
    expect(last.out[0]).toMatch(/: \d+ entries, head [0-9a-f]{64}$/);
    const before = linesIn(join(stage.dir, 'ledger.jsonl'));
    expect(linesIn(join(copies, 'last'))).toEqual(before);
    expect(before.slice(0, linesIn(join(copies, 'first')).length)).toEqual(linesIn(join(copies, 'first')));

    const lost = join(stage.cwd, 'new');
    const after = { ...env, DATA_DIR: lost };
    const restored = await run(['restore', '--from', join(copies, 'last')], after);
    expect([restored.code, restored.error]).toEqual([0, '']);
    expect((await run(['verify'], after)).code).toBe(0);
    const again = await stage.start(after);
    await enables(stage, 'web-3');
    const refused = await run(['restore', '--from', join(copies, 'last')], after);
    expect([refused.code, refused.error]).toEqual([78, expect.stringContaining('is already using the folder')]);
    await again.end('SIGTERM');
    expect(chainIn(lost)).toBe(true);
    expect((await run(['verify'], after)).code).toBe(0);
  });
});

it('npm run audit says what is wrong with its configuration, all together, and where there is no ledger', async () => {
  const wrong = await run(['verify'], { DISCORD_TOKEN: 'x.y.z' });
  expect([wrong.code, wrong.error]).toEqual([78, expect.stringContaining('PANEL_URL')]);
  expect(wrong.error).not.toContain('x.y.z');
  const nothing = await run(['verify'], { DATA_DIR: join(folder(), 'gone') });
  expect([nothing.code, nothing.error]).toEqual([
    78,
    "There is no ledger in DATA_DIR. Run this where the bot runs, with the bot's own environment.\n",
  ]);
});

describeWithRedisServer('a Redis that is lost, with the ledger in it', () => {
  it('starts again from a backup, and refuses one while a bot uses it', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const env = { REDIS_URL: redis.url, LEDGER: 'redis', AUDIT_CHANNEL_ID: around.discord.channels.audit };
    const dir = folder();
    const whole = { ...environmentFor(around, dir), ...env };
    const audit = (...args: string[]) => run(args, whole, process.cwd());
    const bot = await startBot(around, { env });
    await enables(around, 'web-1');
    const copy = join(folder(), 'copy');
    expect((await audit('backup', '--out', copy)).code).toBe(0);

    // The machine dies, and the new one has nothing.
    await bot.end('SIGKILL');
    await redis.kill();
    redis.wipe();
    await redis.restart();
    const empty = runProgram(whole, { cwd: process.cwd() });
    expect((await empty.exit).code).toBe(78);
    expect((await audit('restore', '--from', copy)).code).toBe(0);
    expect((await audit('verify')).code).toBe(0);
    const next = await startBot(around, { env });
    await enables(around, 'web-2');
    const refused = await audit('restore', '--from', copy);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('A bot uses this Redis.')]);
    await next.end('SIGTERM');
  });
});

describe('an audit channel that is deleted', () => {
  it('is on every card; with another channel it is not, and the new trail begins with that start', async () => {
    const stage = await forThis(openStage());
    const env = { ...stage.env, AUDIT_CHANNEL_ID: stage.discord.channels.audit };
    const bot = await stage.start(env);
    await enables(stage, 'web-1');
    stage.discord.deleteChannel('audit');
    const trying = async (): Promise<string> =>
      textOf(await typed(stage, '/firewall enable server:web-2', ['SUCCEEDED']));
    await expect.poll(trying).toContain('The audit channel is behind: ');
    await bot.end('SIGTERM');

    const after = { ...env, AUDIT_CHANNEL_ID: stage.discord.channels.random };
    const again = await stage.start(after);
    await expect.poll(trying).not.toContain('behind');
    const first = (): string | undefined => stage.discord.messages('alice', 'random')[0]?.content;
    expect(await until(first, 'the first message of the new trail')).toContain('STARTED panelops');
    await again.end('SIGTERM');
    const { code, out } = await run(['verify'], after);
    expect([code, out[1]]).toEqual([0, expect.stringMatching(/^channel: \d+ messages were compared$/)]);
  });
});

describe('a token that leaked', () => {
  it('of Discord is replaced: a question from before is asked again, and the trail goes on', async () => {
    const kept = { path: join(folder(), 'discord.jsonl'), onTrouble: () => undefined };
    const before = await startDiscord({ token: 'leaked-token', kept });
    const panel = await forThis(startPanel({ token: 'panel-token' }));
    const env = { AUDIT_CHANNEL_ID: before.channels.audit };
    const bot = await startBot({ discord: before, panel }, { env });
    await enables({ discord: before }, 'web-1');
    const question = await asks({ discord: before }, '/firewall flush server:web-2');
    // Reset Token, in the developer portal, closes the gateway.
    before.order({ kind: 'drop-gateway', code: 4004 });
    expect(await bot.ended).toBe(77);
    await before.close();

    const discord = await forThis(startDiscord({ token: 'another-token', kept }));
    const next = await startBot({ discord, panel }, { dir: bot.dir, env });
    await presses({ discord }, question, 'Confirm');
    const told = await until(() => whispers({ discord }, question).at(-1), 'an answer to the click');
    expect(textOf(told)).toContain('This question is no longer open. Your click changed nothing.');
    await enables({ discord }, 'web-3');
    const { code, out } = await run(['verify'], { ...envOf(discord, bot.dir) });
    expect([code, out[0]]).toEqual([0, expect.stringMatching(/^ok: /)]);
    await next.end('SIGTERM');
  });
});
