import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../../helpers/here.ts';
import { chainIn, entriesIn } from '../../helpers/ledger/reading.ts';
import { folderForAll } from '../../helpers/ledger/samples.ts';
import { stateOf, textOf, typed, until } from '../../helpers/messages.ts';
import { childrenOf } from '../../helpers/process.ts';
import { type BotProcess, botForAll, program, run, stageForAll } from '../../helpers/stage.ts';
import { canaries, filesIn } from '../../helpers/surroundings.ts';

const stage = stageForAll();
const stopped = { code: 0, signal: null };

/** Waits for words in the log. */
const says = (bot: BotProcess, words: string): Promise<unknown> => until(() => bot.stderr().includes(words), words);

/** Starts the bot with other settings; killed with the test. */
function starts(more: Record<string, string> = {}, args?: string[], cwd = stage.cwd): BotProcess {
  const bot = run({ ...stage.env, ...more }, { cwd, ...(args && { args }) });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  return bot;
}

/** The same, and waits for its end. */
async function ends(more: Record<string, string>, args?: string[]) {
  const bot = starts({ LOG_LEVEL: 'silent', ...more }, args);
  const { code } = await bot.exit;
  return { code, stdout: bot.stdout(), stderr: bot.stderr() };
}

/** A path beside the bot's folder. */
const beside = (name: string): string => join(stage.cwd, '..', name);

describe('the program does not start', () => {
  it.each([
    ['a guild that the bot is not in', 78, 'the bot is not in this guild', { DISCORD_GUILD_ID: '1100000000000000002' }],
    ['a token that Discord refuses', 77, 'token is not valid', { DISCORD_TOKEN: `${canaries.discord}-wrong` }],
  ])('with %s: %i, and why', async (_what, code, words, env) => {
    const policy = beside('own.yaml');
    writeFileSync(policy, 'roles:\n  - { role: "1234567890123456789", name: lead, allow: ["*"] }\n', { mode: 0o600 });
    expect(await ends({ ...env, POLICY_FILE: policy })).toEqual({
      ...{ code, stdout: '', stderr: expect.stringContaining(words) },
    });
  });

  it('with a Redis that is not there: 1, in one line that says so, and without a login at Discord', async () => {
    const before = stage.discord.requests.length;
    expect(await ends({ REDIS_URL: 'redis://user:redis-canary@127.0.0.1:1', DATA_DIR: beside('other') })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Redis cannot be reached. Check REDIS_URL, and that Redis is up.\n',
    });
    expect(stage.discord.requests).toHaveLength(before);
  });

  it.skipIf(process.platform === 'win32')('in a folder that an upgrade replaced: 78', () => {
    const left = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$1" start --check';
    const { status, stderr } = spawnSync('sh', ['-c', left, process.execPath, program], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([78, expect.stringContaining('The folder in which this was run is gone')]);
  });

  it('with a folder that cannot be used, or a ledger that was changed: 78', async () => {
    const file = beside('file');
    writeFileSync(file, '');
    const unused = `DATA_DIR cannot be used (ENOTDIR). ${file}/data must be a folder that the bot may write to.\n`;
    for (const args of [undefined, ['start', '--check']])
      expect(await ends({ DATA_DIR: join(file, 'data') }, args)).toMatchObject({ code: 78, stderr: unused });
    const dir = beside('changed');
    mkdirSync(dir);
    writeFileSync(join(dir, 'ledger.jsonl'), '{"seq":1}\n');
    const changed = { code: 78, stderr: expect.stringContaining('entry 1 was changed') };
    expect(await ends({ DATA_DIR: dir })).toMatchObject(changed);
  });
});

// Windows has no such modes.
it.runIf(process.getuid !== undefined)(
  'A folder of its group, or a file with tokens that others may read, is named',
  async () => {
    const [dir, cwd] = [0o770, 0o700].map((mode) => {
      const made = mkdtempSync(beside('folder-'));
      chmodSync(made, mode);
      return made;
    });
    writeFileSync(join(cwd ?? '', '.env'), '', { mode: 0o644 });
    const bot = starts({ LOG_LEVEL: 'warn', DATA_DIR: dir ?? '' }, undefined, cwd);
    await bot.ready();
    expect(bot.stderr()).toContain(`chmod go-w ${dir}`);
    expect(bot.stderr()).toMatch(/chmod 600 .*\/\.env\b/);
    expect(await bot.end('SIGTERM')).toEqual(stopped);
  },
);

const sockets = ['tcp', 'tcp6'].map((name) => `/proc/net/${name}`);

/** The addresses, in the kernel's hexadecimal, on which a process listens: proc(5). 0100007F is 127.0.0.1. */
function listensOn(pid: number): string[] {
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return sockets
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.includes(`socket:[${inode}]`))
    .map(([, address = '']) => address.split(':', 1).join());
}

describe('the program, serving a guild and a panel', () => {
  let bot: BotProcess;
  let before = 0;
  beforeAll(async () => {
    before = stage.panel.requests.length;
    bot = await stage.start();
  });

  it('says on standard output that it is ready and where everything is, and nothing else; it asked the panel once', async () => {
    expect(stage.panel.requests.slice(before).map(({ path }) => path)).toEqual(['/connect']);
    const { url } = stage.panel;
    expect(await bot.ready()).toMatchObject({
      ...{ version: '0.1.0', discord: stage.discord.apiUrl, panel: { url, state: 'ok' }, redis: 'embedded' },
    });
    expect(bot.stdout().trim().split('\n')).toHaveLength(1);
    const help = textOf(await typed(stage, '/help', ['SUCCEEDED'], 'mallory'));
    expect(help.split('\n')).toContain('panelops 0.1.0');
    const started = entriesIn(stage.dir).findLast(({ kind }) => kind === 'started');
    expect(started).toMatchObject({ facts: { version: '0.1.0' } });
  });

  it.skipIf(process.platform !== 'linux')('listens on 127.0.0.1 alone', async () => {
    const redis = await until(() => childrenOf(bot.pid).find((child) => listensOn(child).length > 0), 'Redis');
    expect(listensOn(bot.pid)).toEqual([]);
    // It listens twice: to find a free port, then on that.
    await expect.poll(() => listensOn(redis)).toEqual(['0100007F']);
  });

  it('writes into its own folder alone, for its owner alone', async () => {
    await typed(stage, '/power boot server:web-1', ['ACCEPTED']);
    expect(readdirSync(stage.cwd)).toEqual(['data']);
    const files = filesIn(stage.cwd);
    expect(files).toContain(join(stage.dir, 'ledger.jsonl'));
    // It holds tokens of interactions.
    expect(files).toContain(join(stage.dir, 'cards.jsonl'));
    expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
  });

  it('keeps its folder to itself: a second process says who has it, and exits with 78', async () => {
    const inUse = expect.stringContaining(`process ${bot.pid} is already using the folder`);
    expect(await ends({})).toEqual({ code: 78, stdout: '', stderr: inUse });
    await typed(stage, '/power boot server:web-2', ['ACCEPTED']);
  });

  it('exits with 0 after SIGTERM and after SIGINT, and its Redis with it; REGISTER=off leaves the commands as they are', async () => {
    expect(await bot.end('SIGTERM')).toEqual(stopped);
    const writes = () => stage.discord.requests.filter(({ method }) => method === 'PUT').length;
    const written = writes();
    const next = await stage.start({ REGISTER: 'off' });
    await typed(stage, '/help', ['SUCCEEDED']);
    expect(writes()).toBe(written);
    expect(await next.end('SIGINT')).toEqual(stopped);
    expect(chainIn(stage.dir)).toBe(true);
    expect(bot.stderr() + next.stderr()).not.toContain('"level":50');
  });

  it('is looked at by panelops check, which finds nothing wrong and does not disturb it', async () => {
    const env = { ...stage.env, AUDIT_CHANNEL_ID: stage.discord.channels.audit };
    const checked = await stage.start(env);
    await stage.discord.until(() => stage.discord.messages('alice', 'audit').length > 0);
    const { code, stdout } = await runHere(['check'], env, stage.cwd);
    expect([code, stdout.split('\n').at(-2)], stdout).toEqual([0, expect.stringMatching(/^0 wrong, 0 warnings, /)]);
    expect(stdout).toContain('Redis: The embedded Redis belongs to the running bot: /panel check looks at it.');
    expect(await checked.end('SIGTERM')).toEqual(stopped);
  });

  it.each([
    [4004, 'the token is not valid'],
    [4014, 'disallowed intents'],
  ])('exits with 77 when Discord takes back what it allowed: %i', async (code, problem) => {
    const refused = await stage.start();
    stage.discord.order({ kind: 'drop-gateway', code });
    expect(await refused.exit).toEqual({ code: 77, signal: null });
    expect(refused.stderr()).toContain(`Discord refused the bot: ${problem}.`);
  });
});

describe('a start', () => {
  it.each([
    [
      'without a panel',
      { PANEL_URL: 'http://127.0.0.1:1' },
      'unreachable',
      'The panel could not be reached: it refused the connection. Check PANEL_URL',
    ],
    [
      'with a token that the panel refuses',
      { PANEL_TOKEN: `${canaries.panel}-wrong` },
      'unauthorized',
      "The panel did not accept the bot's token (401): it is missing, wrong or expired. Create a new token in the panel, and put it in PANEL_TOKEN or PANEL_TOKEN_FILE.",
    ],
  ])('serves %s, and says in its log what is wrong', async (_what, env, state, problem) => {
    const bot = await stage.start(env);
    await says(bot, `the panel cannot be used: ${problem}`);
    expect((await bot.ready()).panel.state).toBe(state);
    const boot = await typed(stage, '/power boot server:web-3', ['NOT-SENT', 'UNKNOWN', 'REJECTED']);
    expect(stateOf(boot)).not.toBe('UNKNOWN');
    expect(await bot.end('SIGTERM')).toEqual(stopped);
  });

  it('waits for a panel that says nothing 5 seconds at most, serves meanwhile, and says what came later', async () => {
    const before = stage.panel.requests.length;
    stage.panel.order({ kind: 'delay', ms: 8_000, match: { path: '/connect' } });
    const bot = starts();
    await until(() => stage.panel.requests.length > before, 'the one request');
    await typed(stage, '/power boot server:db-1', ['ACCEPTED']);
    expect(bot.stdout()).toBe('');
    expect((await bot.ready()).panel.state).toBe('unreachable');
    await says(bot, 'the panel cannot be used: The panel has not answered within 5 seconds.');
    await says(bot, 'the panel takes the token');
    expect(await bot.end('SIGTERM')).toEqual(stopped);
  });
});

it('Without a .env, check and start --check say that nothing is configured', async () => {
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
  const cwd = folderForAll();
  const bot = botForAll({}, cwd);

  it('goes on when its input ends, writes into ./data/sandbox alone, and ends with 0', async () => {
    const from = bot.stdout().length;
    // The end comes with the line, and so before its answer.
    bot.child.stdin?.end('alice /power boot server:web-2\n');
    await until(() => /(ACCEPTED|FINISHED) \/power boot/.test(bot.stdout().slice(from)), 'the answer after the end');
    expect([readdirSync(cwd), readdirSync(join(cwd, 'data'))]).toEqual([['data'], ['sandbox']]);
    expect(await bot.end('SIGTERM')).toEqual(stopped);
    expect(bot.stderr()).toBe('');
  });

  it('takes no lines with --quiet, and prints none', async () => {
    const quiet = run({}, { cwd, args: ['--quiet'] });
    onTestFinished(() => void quiet.child.kill('SIGKILL'));
    await quiet.ready();
    quiet.child.stdin?.end('alice /power boot server:web-1\n');
    expect(await quiet.end('SIGINT')).toEqual(stopped);
    expect(quiet.stdout().trim().split('\n')).toEqual([expect.stringMatching(/^ready \{/)]);
  });
});
