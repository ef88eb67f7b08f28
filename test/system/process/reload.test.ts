import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Kind } from '../../../src/runs/entry.ts';
import { answerTo, textOf, until } from '../../helpers/messages.ts';
import { type BotProcess, openStage, run, type Stage } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/surroundings.ts';

const example = readFileSync('policy.example.yaml', 'utf8');
const audit = '1300000000000000002';

let stage: Stage;
let bot: BotProcess;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.stop());

/** Beside the bot's folder, which is searched for secrets. */
const file = (name: string): string => join(stage.cwd, '..', name);
const put = (name: string, text: string): string => {
  writeFileSync(file(name), text, { mode: 0o600 });
  return file(name);
};

const says = (words: string): Promise<unknown> => until(() => bot.stderr().includes(words), words);
/** Sends SIGHUP, and waits for the words in the log. */
async function hangUp(words: string): Promise<void> {
  const before = bot.stderr().length;
  bot.child.kill('SIGHUP');
  await until(() => bot.stderr().slice(before).includes(words), words);
}
const inForce = 'the configuration was read again: in force from now on';

const answers = async (who: 'alice' | 'bob', line: string, states: string[]): Promise<string> =>
  textOf(await answerTo(stage, await stage.discord.type(who, 'ops', line), states, who));

const configured = (): Kind<'configured'>[] =>
  readFileSync(join(stage.dir, 'ledger.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'configured');
const trail = (words: string): Promise<unknown> =>
  stage.discord.until(() => stage.discord.view('alice', 'audit').includes(words));

describe('SIGHUP', () => {
  beforeEach(async () => {
    bot = await stage.start({
      POLICY_FILE: put('policy.yaml', example),
      AUDIT_CHANNEL_ID: audit,
    });
  });

  it('takes a right away without a restart, and the ledger and the trail have the difference', async () => {
    await answers('bob', '/power boot server:web-1', ['ACCEPTED']);
    put(
      'policy.yaml',
      example.replace(
        'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]',
        'allow: [read]',
      ),
    );
    await hangUp(inForce);
    expect(await answers('bob', '/power boot server:web-2', ['DENIED'])).toContain('power.boot');
    expect(stage.panel.requests.filter(({ path }) => path.includes('boot'))).toHaveLength(1);
    await trail('CONFIGURATION CHANGED `roles`');
    await trail('allow: [read], break-glass: true,');
    expect(configured()).toMatchObject([
      {
        changed: ['policy.roles'],
        difference: [
          '- roles { role: 1200000000000000002, name: on-call, allow: [read, write, power.*, audit.history, hold, release, alerts.acknowledge], break-glass: true, allow-i…',
          '+ roles { role: 1200000000000000002, name: on-call, allow: [read], break-glass: true, allow-in-emergency: [backup.restore], servers: [web-*, 100-199] }',
        ],
      },
    ]);
  });

  it('with a broken file leaves the one before in force, and says so in the log, the ledger and the trail', async () => {
    put(
      'policy.yaml',
      example.replace(
        'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]',
        'allow: [raed]',
      ),
    );
    await hangUp('the configuration was read again and is wrong: the previous one stays in force');
    await says('\\"raed\\". The nearest is read.');
    await answers('bob', '/power boot server:web-1', ['ACCEPTED']);
    await trail('CONFIGURATION REFUSED the one before stays in force');
    expect(configured()).toMatchObject([
      { changed: [], problems: [expect.stringContaining('roles[1].allow[0] (line 29): No command has this id')] },
    ]);
    rmSync(file('policy.yaml'));
    await hangUp('There is no such file: ');
    await answers('bob', '/power boot server:web-2', ['ACCEPTED']);
  });
});

describe('a panel token in a file', () => {
  it('that is rotated goes out with the next request, without a restart', async () => {
    const token = put('panel-token', 'panel-canary-of-yesterday\n');
    bot = await stage.start({ PANEL_TOKEN: '', PANEL_TOKEN_FILE: token, AUDIT_CHANNEL_ID: audit });
    expect(await answers('alice', '/traffic show server:web-1', ['REJECTED', 'NOT-SENT'])).toContain('token');
    put('panel-token', `${canaries.panel}\n`);
    await hangUp(inForce);
    await answers('alice', '/traffic show server:web-1', ['SUCCEEDED']);
    await trail('CONFIGURATION CHANGED `PANEL_TOKEN`');
    expect(configured()).toMatchObject([{ changed: ['PANEL_TOKEN'], difference: [] }]);
  });
});

describe('the file .env', () => {
  it('is read again for the token of the panel; the environment wins, and the rest takes a restart', async () => {
    // Outside of the folder that is searched for secrets.
    const cwd = mkdtempSync(join(tmpdir(), 'panelops-reload-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const env = (lines: string): void => writeFileSync(join(cwd, '.env'), lines, { mode: 0o600 });
    env('PANEL_TOKEN=panel-canary-of-yesterday\nLOG_LEVEL=fatal\n');
    const { PANEL_TOKEN: _token, ...others } = stage.env;
    bot = run(others, { cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await bot.ready();
    await answers('alice', '/traffic show server:web-1', ['REJECTED', 'NOT-SENT']);
    env(`PANEL_TOKEN=${canaries.panel}\nLOG_LEVEL=fatal\nREGISTER=off\n`);
    await hangUp(inForce);
    expect(bot.stderr()).toContain('"variables":["REGISTER"]');
    await answers('alice', '/traffic show server:web-1', ['SUCCEEDED']);
    env('PANEL_TOKN=x\n');
    await hangUp('PANEL_TOKN: There is no such variable. The nearest is PANEL_TOKEN.');
    await answers('alice', '/traffic show server:web-1', ['SUCCEEDED']);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bot.stderr()).not.toContain('canary');
  });
});

describe('a signal that comes while the bot starts', () => {
  it('does not end it, and is heard as soon as it serves', async () => {
    bot = run({ ...stage.env, POLICY_FILE: put('policy.yaml', example) }, { cwd: stage.cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await says('"msg"');
    put('policy.yaml', example.replace('unlisted: nothing', 'unlisted: read'));
    bot.child.kill('SIGHUP');
    await bot.ready();
    await says(inForce);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
