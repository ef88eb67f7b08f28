import { expect, it } from 'vitest';
import { half, pair } from '../../helpers/cut-off.ts';
import { answerTo, changes, idOf, labelsOf, messageOf, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

const answered = ({ logged }: { logged(): string }): number => logged().split('"answered"').length;

describeWithRedisServer('of two processes, one that has lost Redis', () => {
  it('and refuses a button in private leaves no deed to the other that one person sees alone', async () => {
    const { around, other } = await half();
    const { discord } = around;
    const throttle = (percent: number) => discord.type('alice', 'ops', `/cpu throttle server:web-1 percent:${percent}`);
    await answerTo(around, await throttle(20), ['SUCCEEDED']);
    const card = await answerTo(around, await throttle(50), ['SUCCEEDED']);
    const sent = changes(around).length;
    other.kill('SIGSTOP');
    const undo = await discord.click('alice', card.id, idOf(card, 'Undo'));
    const answers = () => discord.messages('alice', 'ops').filter((message) => message.answers === undo);
    const [refused] = await until(() => answers().length > 0 && answers(), 'the refusal', 20_000);
    expect(refused?.ephemeral).toBe(true);
    const before = answered(other);
    other.kill('SIGCONT');
    await until(() => answered(other) > before, 'the other one', 20_000);
    expect(changes(around)).toHaveLength(sent);
    expect(answers()).toEqual([refused]);
  });
});

describeWithRedisServer('a process whose claim was not answered', () => {
  it('leaves the buttons on the card of what another one ended', async () => {
    const { around, lost, way } = await pair();
    const { discord, panel } = around;
    panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    lost.kill('SIGSTOP');
    const card = await answerTo(around, await discord.type('alice', 'ops', '/cpu throttle server:web-1 percent:20'), [
      'UNKNOWN',
    ]);
    const offered = ['It happened', 'It did not'];
    expect(labelsOf(card)).toEqual(offered);
    // The connection of its claim breaks, and that of its ledger does not.
    way.breakAt('panelops:claim:');
    const before = answered(lost);
    lost.kill('SIGCONT');
    await until(() => answered(lost) > before, 'its answer', 20_000);
    expect(labelsOf(messageOf(around, card.id))).toEqual(offered);
    expect(textOf(messageOf(around, card.id))).toContain('To check:');
  });
});
