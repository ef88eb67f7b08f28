import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { answerTo, quietLog, until } from '../../helpers/messages.ts';
import { type BotProcess, run, stageForAll } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/world.ts';

const stage = stageForAll();

/** Waits for words in the log. */
const says = (bot: BotProcess, words: string): Promise<unknown> => until(() => bot.stderr().includes(words), words);

/** Starts the bot with other settings, and waits for its end. */
async function ends(more: Record<string, string>, args?: string[]) {
  const bot = run({ ...stage.env, LOG_LEVEL: 'silent', ...more }, { cwd: stage.cwd, ...(args && { args }) });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  const { code } = await bot.exit;
  return { code, stdout: bot.stdout(), stderr: bot.stderr() };
}

describe('the program does not start', () => {
  it('with a wrong configuration: 78, every problem at once, no value', async () => {
    const { code, stdout, stderr } = await ends({
      DISCORD_TOKEN: `Bot ${canaries.discord}`,
      DISCORD_GUILD_ID: 'guild-canary',
      PANEL_URL: 'ftp://url-canary',
      PANEL_TOKEN: `Bearer ${canaries.panel}`,
      POLICY_FILE: '/canary1a2b3c4d.yaml',
      LOG_LEVEL: 'level-canary',
      PANEL_TOKN: 'typo-canary',
    });
    expect([code, stdout]).toEqual([78, '']);
    const named = [
      'DISCORD_GUILD_ID',
      'DISCORD_TOKEN',
      'LOG_LEVEL',
      'PANEL_TOKEN',
      'PANEL_TOKN',
      'PANEL_URL',
      'POLICY_FILE',
    ];
    expect([...stderr.matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, name]) => name).sort()).toEqual(named);
    expect(stderr.toLowerCase()).not.toContain('canary');
  });

  const policy = (text: string) => (): { POLICY_FILE: string } => {
    const file = join(stage.cwd, '..', 'own.yaml');
    writeFileSync(file, text, { mode: 0o600 });
    return { POLICY_FILE: file };
  };
  const role = 'roles:\n  - { role: "1234567890123456789", name: lead, allow: ["*"] }\n';
  const elsewhere = { DISCORD_GUILD_ID: '1100000000000000002' };
  it.each([
    ['a policy that is wrong', 78, 'line 3', policy(`${role}chanels: []\n`)],
    ['the example as the policy of another guild', 78, 'one problem in its configuration', () => elsewhere],
    ['a guild that the bot is not in', 78, 'the bot is not in this guild', () => ({ ...policy(role)(), ...elsewhere })],
    ['a token that Discord refuses', 77, 'token is not valid', () => ({ DISCORD_TOKEN: `${canaries.discord}-wrong` })],
  ])('with %s: %i, and why', async (_what, code, words, env) => {
    expect(await ends(env())).toEqual({ code, stdout: '', stderr: expect.stringContaining(words) });
  });

  it('with a Redis that is not there: 1, in one line that says so, and without a login at Discord', async () => {
    const before = stage.discord.requests.length;
    const redis = await ends({
      REDIS_URL: 'redis://user:redis-canary@127.0.0.1:1',
      DATA_DIR: join(stage.cwd, 'other'),
    });
    expect(redis).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Redis cannot be reached. Check REDIS_URL, and that Redis is up.\n',
    });
    expect(stage.discord.requests).toHaveLength(before);
  });

  it('with a policy that requires an audit channel where none is named: 78', async () => {
    const policy = join(stage.cwd, '..', 'policy.yaml');
    const text = readFileSync(new URL('../../../policy.example.yaml', import.meta.url), 'utf8');
    writeFileSync(policy, text.replace('audit-channel: wanted', 'audit-channel: required'), { mode: 0o600 });
    const checked = await ends({ POLICY_FILE: policy }, ['start', '--check']);
    expect(checked.code).toBe(78);
    expect(checked.stderr).toContain(
      '  audit-channel\n    It is required, and there is none. Set AUDIT_CHANNEL_ID, or let it be wanted.\n',
    );
    const named = await ends({ POLICY_FILE: policy, AUDIT_CHANNEL_ID: '1300000000000000002' }, ['start', '--check']);
    expect(named.code).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('in a folder that an upgrade replaced: 78', () => {
    const program = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
    const left = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$1" start --check';
    const { status, stderr } = spawnSync('sh', ['-c', left, process.execPath, program], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([78, expect.stringContaining('The folder in which this was run is gone')]);
  });

  it('with a folder that cannot be used, or a ledger that was changed: 78', async () => {
    const file = join(stage.cwd, '..', 'file');
    writeFileSync(file, '');
    const used = await ends({ DATA_DIR: join(file, 'data') });
    const unused = `DATA_DIR cannot be used (ENOTDIR). ${file}/data must be a folder that the bot may write to.\n`;
    expect([used.code, used.stderr]).toEqual([78, unused]);
    const checked = await ends({ DATA_DIR: join(file, 'data') }, ['start', '--check']);
    expect([checked.code, checked.stderr]).toEqual([78, unused]);
    const dir = join(stage.cwd, '..', 'changed');
    mkdirSync(dir);
    writeFileSync(join(dir, 'ledger.jsonl'), '{"seq":1}\n');
    const changed = await ends({ DATA_DIR: dir });
    expect([changed.code, changed.stderr]).toEqual([78, expect.stringContaining('entry 1 was changed')]);
  });
});

// Windows has no such modes.
describe.runIf(process.getuid !== undefined)('what other users of the machine may touch', () => {
  const folder = (mode: number): string => {
    const dir = mkdtempSync(join(stage.cwd, '..', 'folder-'));
    chmodSync(dir, mode);
    return dir;
  };

  it('is no place for a ledger, where everybody may write: 78, with the folder and what to type', async () => {
    const dir = folder(0o777);
    const { code, stdout, stderr } = await ends({ DATA_DIR: dir });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(`  DATA_DIR\n    Everybody on this machine may write to ${dir}`);
    expect(stderr).toContain(`chmod go-w ${dir}`);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is no policy, where everybody may write: 78, with the file and what to type', async () => {
    const policy = join(folder(0o700), 'policy.yaml');
    copyFileSync('policy.example.yaml', policy);
    chmodSync(policy, 0o666);
    const { code, stdout, stderr } = await ends({ POLICY_FILE: policy });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(
      `  POLICY_FILE\n    Everybody on this machine may write to ${policy}, and so give themselves every right.`,
    );
    expect(stderr).toContain(`chmod go-w ${policy}`);
  });

  it('is named where it is a folder of its group, or the file with the tokens', async () => {
    const dir = folder(0o770);
    const cwd = folder(0o700);
    writeFileSync(join(cwd, '.env'), '', { mode: 0o644 });
    const bot = run({ ...stage.env, LOG_LEVEL: 'warn', DATA_DIR: dir }, { cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await bot.ready();
    expect(bot.stderr()).toContain(`chmod go-w ${dir}`);
    expect(bot.stderr()).toMatch(/chmod 600 .*\/\.env\b/);
    expect((await bot.end('SIGTERM')).code).toBe(0);
  });
});

describe('the program, once it serves', () => {
  it('exits with 77 when Discord takes back what it allowed', async () => {
    for (const [code, problem] of [
      [4004, 'the token is not valid'],
      [4014, 'disallowed intents'],
    ] as const) {
      const bot = await stage.start();
      stage.discord.order({ kind: 'drop-gateway', code });
      expect(await bot.exit).toEqual({ code: 77, signal: null });
      expect(bot.stderr()).toContain(`Discord refused the bot: ${problem}.`);
    }
  });

  it('waits for a Discord that is down, and serves as soon as it is back', async () => {
    stage.discord.order({ kind: 'outage' });
    onTestFinished(() => stage.discord.clear());
    const bot = run(stage.env, { cwd: stage.cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await says(bot, 'Discord cannot be reached; the bot tries again.');
    expect([bot.child.exitCode, bot.stdout()]).toEqual([null, '']);
    stage.discord.clear();
    await bot.ready();
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('ends at once when it is told to while it waits for Discord', async () => {
    stage.discord.order({ kind: 'outage' });
    onTestFinished(() => stage.discord.clear());
    const bot = run(stage.env, { cwd: stage.cwd });
    await says(bot, 'Discord cannot be reached; the bot tries again.');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('works with a Redis of its own, and ends in order while that is gone', async () => {
    const redis = await startEmbeddedRedis(quietLog);
    const bot = await stage.start({ REDIS_URL: redis.url });
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-1');
    await answerTo(stage, id, ['ACCEPTED']);
    await redis.close();
    await until(() => /Redis connection lost|Redis cannot be reached/.test(bot.stderr()), 'the loss in the log');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bot.stderr()).not.toContain(new URL(redis.url).password);
  });
});

describe('the sandbox, with nothing set', () => {
  let cwd: string;
  let bot: BotProcess;
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'panelops-nothing-'));
    bot = run({}, { cwd, args: [] });
    await bot.ready();
  });
  afterAll(async () => {
    await bot.end('SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  });

  it('goes on when its input ends, writes into ./data/sandbox alone, and ends with 0', async () => {
    const from = bot.stdout().length;
    // The end comes with the line, and so before its answer.
    bot.child.stdin?.end('alice /power boot server:web-2\n');
    await until(
      () => /(ACCEPTED|FINISHED) \/power boot/.test(bot.stdout().slice(from)),
      'the answer after the end of the input',
    );
    expect([readdirSync(cwd), readdirSync(join(cwd, 'data'))]).toEqual([['data'], ['sandbox']]);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bot.stderr()).toBe('');
  });

  it('takes no lines with --quiet, and prints none', async () => {
    const quiet = run({}, { cwd, args: ['--quiet'] });
    onTestFinished(() => void quiet.child.kill('SIGKILL'));
    await quiet.ready();
    quiet.child.stdin?.end('alice /power boot server:web-1\n');
    expect(await quiet.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(quiet.stdout().trim().split('\n')).toEqual([expect.stringMatching(/^ready \{/)]);
  });
});
