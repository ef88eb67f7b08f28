import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../../src/runs/entry.ts';
import { restores } from '../../helpers/follow-ups/story.ts';
import { answerTo, stateOf, textOf, until } from '../../helpers/messages.ts';
import { type BotProcess, run, stageForAll } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/surroundings.ts';

const stage = stageForAll();

/** What the ledger has by now. */
const entries = (): Entry[] =>
  readFileSync(join(stage.dir, 'ledger.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Waits for words in the log. */
const says = (bot: BotProcess, words: string): Promise<unknown> => until(() => bot.stderr().includes(words), words);

describe('a start', () => {
  it('says before it is ready that the panel takes the token, and asks it once', async () => {
    const before = stage.panel.requests.length;
    const bot = await stage.start();
    expect(await bot.ready()).toMatchObject({ version: '0.1.0', panel: { url: stage.panel.url, state: 'ok' } });
    expect(stage.panel.requests.slice(before).map(({ path }) => path)).toEqual(['/connect']);
    const help = await answerTo(stage, await stage.discord.type('mallory', 'ops', '/help'), ['SUCCEEDED'], 'mallory');
    expect(textOf(help).split('\n')).toContain('panelops 0.1.0');
    const started = entries().findLast(({ kind }) => kind === 'started');
    expect(started).toMatchObject({ facts: { version: '0.1.0' } });
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('starts without a panel, and says what is wrong in its log, and when it is asked', async () => {
    const bot = await stage.start({ PANEL_URL: 'http://127.0.0.1:1' });
    await says(
      bot,
      'the panel cannot be used: The panel could not be reached: it refused the connection. Check PANEL_URL',
    );
    expect((await bot.ready()).panel).toEqual({ url: 'http://127.0.0.1:1/api/v1', state: 'unreachable' });
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-1');
    expect(stateOf(await answerTo(stage, id, ['NOT-SENT', 'UNKNOWN']))).toBe('NOT-SENT');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('waits for a panel that says nothing 5 seconds at most, serves meanwhile, and says what came later', async () => {
    const before = stage.panel.requests.length;
    stage.panel.order({ kind: 'delay', ms: 8_000, match: { path: '/connect' } });
    const bot = run(stage.env, { cwd: stage.cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    await until(() => stage.panel.requests.length > before, 'the one request');
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-3');
    await answerTo(stage, id, ['ACCEPTED']);
    expect(bot.stdout()).toBe('');
    expect((await bot.ready()).panel.state).toBe('unreachable');
    await says(bot, 'the panel cannot be used: The panel has not answered within 5 seconds.');
    await says(bot, 'the panel takes the token');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('says in its log that the panel refuses the token, and what is followed cannot be seen', async () => {
    const first = await stage.start();
    await restores(stage, 'web-1');
    await first.end('SIGTERM');
    const bot = await stage.start({ PANEL_TOKEN: `${canaries.panel}-wrong` });
    await says(
      bot,
      "the panel cannot be used: The panel did not accept the bot's token (401): it is missing, wrong or expired. Create a new token in the panel, and put it in PANEL_TOKEN or PANEL_TOKEN_FILE.",
    );
    expect((await bot.ready()).panel.state).toBe('unauthorized');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const dead = await stage.start({ PANEL_URL: 'http://127.0.0.1:1' });
    await says(dead, 'polling follow-ups fails: The panel could not be reached: it refused the connection.');
    expect(await dead.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
