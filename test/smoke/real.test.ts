import { describe, expect, it } from 'vitest';
import { chainIn } from '../helpers/ledger/reading.ts';
import {
  answerTo,
  asks,
  changes,
  ended,
  historyOf,
  idOf,
  labelsOf,
  stateOf,
  textOf,
  until,
} from '../helpers/messages.ts';
import { stageForAll } from '../helpers/stage.ts';

const stage = stageForAll();

describe('the built bot, between a real Discord and a real panel,', () => {
  it('asks, changes once, reads its configuration again on SIGHUP, and stops in order on SIGTERM', async () => {
    const bot = await stage.start();
    const question = await asks(stage, '/firewall flush server:web-1');
    const confirm = idOf(question, 'Confirm');
    await Promise.all([1, 2].map(() => stage.discord.click('alice', question.id, confirm)));
    expect(stateOf(await ended(stage, question))).toBe('SUCCEEDED');
    expect(changes(stage)).toMatchObject([{ method: 'POST', path: '/servers/101/firewall/primary/rules?sync=true' }]);
    bot.child.kill('SIGHUP');
    const same = 'nothing that can change without a restart has changed';
    await until(() => bot.stderr().includes(same), 'the configuration, read again');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(chainIn(stage.dir)).toBe(true);
  });

  it('killed after its request went out: the end is unknown, and nothing is sent again', async () => {
    const bot = await stage.start();
    const [sent, effects] = [changes(stage).length, stage.panel.effects.length];
    stage.panel.order({ kind: 'hang-before', match: { changes: true } });
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-1');
    await stage.panel.until(() => changes(stage).length > sent);
    await bot.end('SIGKILL');
    await stage.panel.clear();
    await stage.start();
    const card = await answerTo(stage, id, ['UNKNOWN']);
    // Whoever asked is told that nobody knows.
    await until(() => historyOf(stage, card).includes('pinged'), 'the ping');
    expect(historyOf(stage, card)).toEqual(['intent', 'unknown', 'pinged']);
    expect(labelsOf(card)).toEqual(['Say what happened']);
    expect(textOf(card)).toContain('look at the tasks of web-1 (101) in the panel');
    expect([changes(stage).length, stage.panel.effects.length]).toEqual([sent + 1, effects]);
    expect(chainIn(stage.dir)).toBe(true);
  });
});
