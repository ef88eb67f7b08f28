import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../../src/runs/entry.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { forEach } from '../../helpers/lives.ts';
import { textOf, typed, until } from '../../helpers/messages.ts';
import { type BotProcess, openStage, run } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/surroundings.ts';

const example = readFileSync('policy.example.yaml', 'utf8');
const audit = '1300000000000000002';

const stage = forEach(openStage, (it) => it.stop());
let bot: BotProcess;

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
  textOf(await typed(stage, line, states, who));

const configured = (): Entry[] => entriesIn(stage.dir).filter(({ kind }) => kind === 'configured');
const trail = (words: string): Promise<unknown> =>
  stage.discord.until(() => stage.discord.view('alice', 'audit').includes(words));

const rights = 'allow: [read, write, "power.*", audit.history, hold, release, alerts.acknowledge]';

it('SIGHUP takes a right away; a broken file leaves the one before in force, and says so in the log, the ledger and the trail', async () => {
  bot = await stage.start({ POLICY_FILE: put('policy.yaml', example), AUDIT_CHANNEL_ID: audit });
  put('policy.yaml', example.replace(rights, 'allow: [raed]'));
  await hangUp('the configuration was read again and is wrong: the previous one stays in force');
  await says('\\"raed\\". The nearest is read.');
  await trail('CONFIGURATION REFUSED the one before stays in force');
  expect(configured()).toMatchObject([
    { changed: [], problems: [expect.stringContaining('roles[1].allow[0] (line 29): No command has this id')] },
  ]);
  rmSync(file('policy.yaml'));
  await hangUp('There is no such file: ');
  await answers('bob', '/power boot server:web-1', ['ACCEPTED']);
  put('policy.yaml', example.replace(rights, 'allow: [read]'));
  await hangUp(inForce);
  expect(await answers('bob', '/power boot server:web-2', ['DENIED'])).toContain('power.boot');
  await trail('CONFIGURATION CHANGED `roles`');
  await trail('allow: [read], break-glass: true,');
  expect(configured().at(-1)).toMatchObject({
    changed: ['policy.roles'],
    difference: [expect.stringMatching(/^- roles .*allow: \[read, write/), expect.stringContaining('allow: [read], b')],
  });
});

it('A panel token in a file that is rotated goes out with the next request, without a restart', async () => {
  const token = put('panel-token', 'panel-canary-of-yesterday\n');
  bot = await stage.start({ PANEL_TOKEN: '', PANEL_TOKEN_FILE: token, AUDIT_CHANNEL_ID: audit });
  expect(await answers('alice', '/traffic show server:web-1', ['REJECTED', 'NOT-SENT'])).toContain('token');
  put('panel-token', `${canaries.panel}\n`);
  await hangUp(inForce);
  await answers('alice', '/traffic show server:web-1', ['SUCCEEDED']);
  await trail('CONFIGURATION CHANGED `PANEL_TOKEN`');
  expect(configured()).toMatchObject([{ changed: ['PANEL_TOKEN'], difference: [] }]);
});

it('The file .env is read again for the token of the panel; the environment wins, and the rest takes a restart', async () => {
  // Outside of the folder that is searched for secrets.
  const cwd = folder();
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

it('A signal that comes while the bot starts does not end it, and is heard as soon as it serves', async () => {
  bot = run({ ...stage.env, POLICY_FILE: put('policy.yaml', example) }, { cwd: stage.cwd });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  await says('"msg"');
  put('policy.yaml', example.replace('unlisted: nothing', 'unlisted: read'));
  bot.child.kill('SIGHUP');
  await bot.ready();
  await says(inForce);
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
