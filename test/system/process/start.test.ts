import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../../helpers/here.ts';
import { until } from '../../helpers/messages.ts';
import { type BotProcess, run, stageForAll } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/surroundings.ts';

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
  const policy = (text: string) => (): { POLICY_FILE: string } => {
    const file = join(stage.cwd, '..', 'own.yaml');
    writeFileSync(file, text, { mode: 0o600 });
    return { POLICY_FILE: file };
  };
  const role = 'roles:\n  - { role: "1234567890123456789", name: lead, allow: ["*"] }\n';
  const elsewhere = { DISCORD_GUILD_ID: '1100000000000000002' };
  it.each([
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
  it('is looked at by panelops check, which finds nothing wrong and does not disturb it', async () => {
    const env = { ...stage.env, AUDIT_CHANNEL_ID: stage.discord.channels.audit };
    const bot = await stage.start(env);
    await stage.discord.until(() => stage.discord.messages('alice', 'audit').length > 0);
    const { code, stdout } = await runHere(['check'], env, stage.cwd);
    expect([code, stdout.split('\n').at(-2)], stdout).toEqual([0, expect.stringMatching(/^0 wrong, 0 warnings, /)]);
    expect(stdout).toContain('Redis: The embedded Redis belongs to the running bot: /panel check looks at it.');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('serves commands that were registered before, with REGISTER=off', async () => {
    const writes = () => stage.discord.requests.filter(({ method }) => method === 'PUT').length;
    const before = writes();
    const bot = await stage.start({ REGISTER: 'off' });
    await stage.discord.type('alice', 'ops', '/help');
    expect(writes()).toBe(before);
    await bot.end('SIGTERM');
  });

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
});

it('without a .env, check and start --check say that nothing is configured', async () => {
  const check = run({}, { cwd: stage.cwd, args: ['check'] });
  expect((await check.exit).code).toBe(1);
  expect(check.stdout()).toContain(
    `WRONG    Configuration: .env: There is none in ${stage.cwd}. Nothing is configured: a start would be the sandbox.`,
  );
  const quick = run({}, { cwd: stage.cwd, args: ['start', '--check'] });
  await quick.exit;
  expect(quick.stdout()).toMatch(
    /^This is the sandbox: neither a real Discord nor a real panel is configured\. There is no/,
  );
  expect(quick.stdout()).not.toContain('valid');
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
