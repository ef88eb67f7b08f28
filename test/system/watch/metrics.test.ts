import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, asks, ended, idOf } from '../../helpers/messages.ts';
import { type BotProcess, openStage, type Stage } from '../../helpers/stage.ts';
import { describeWith, judged } from '../../helpers/tools.ts';
import { healthOf, type Sample, scrape, untilScraped, valueIn } from '../../helpers/watch/scrape.ts';

let stage: Stage;
let bot: BotProcess;
let url = '';
beforeAll(async () => {
  stage = await openStage({ panel: { powerMs: 3_600_000 } });
  bot = await stage.start({ HTTP_PORT: '0', AUDIT_CHANNEL_ID: stage.discord.channels.audit });
  url = await healthOf(bot);
});
afterAll(() => stage.stop());

const types = (who: 'alice' | 'bob' | 'carol', line: string): Promise<string> => stage.discord.type(who, 'ops', line);

describe('the metrics of a bot that serves', () => {
  it('count runs by command and outcome, those that were refused and that only read among them', async () => {
    await answerTo(stage, await types('carol', '/firewall show server:web-1'), ['SUCCEEDED'], 'carol');
    await answerTo(stage, await types('alice', '/power boot server:web-1'), ['ACCEPTED']);
    await answerTo(stage, await types('carol', '/firewall flush server:web-1'), ['DENIED'], 'carol');
    await answerTo(stage, await types('bob', '/power boot server:nowhere'), ['DENIED', 'INVALID'], 'bob');
    const off = await asks(stage, '/firewall disable server:web-2');
    await stage.discord.click('alice', off.id, idOf(off, 'Confirm'));
    await ended(stage, off);
    const runs = (command: string, outcome: string) => (samples: readonly Sample[]) =>
      valueIn(samples, 'panelops_runs_total', { command, outcome }) === 1;
    for (const [command, outcome] of [
      ['firewall.show', 'succeeded'],
      ['power.boot', 'accepted'],
      ['firewall.flush', 'denied'],
      ['firewall.disable', 'succeeded'],
    ] as const)
      await untilScraped(url, runs(command, outcome));
  });

  it('tell how long first answers and whole commands took, and requests to the panel by endpoint and status', async () => {
    const samples = await scrape(url);
    const count = (name: string, labels: Sample['labels']) => valueIn(samples, `${name}_count`, labels);
    expect(count('panelops_acknowledge_seconds', { interaction: 'command', name: 'firewall.disable' })).toBe(1);
    expect(count('panelops_acknowledge_seconds', { interaction: 'click', name: 'confirm' })).toBe(1);
    expect(count('panelops_finish_seconds', { command: 'firewall.disable' })).toBe(1);
    expect(count('panelops_finish_seconds', { command: 'power.boot' })).toBeGreaterThanOrEqual(1);
    expect(count('panelops_card_edit_seconds', {})).toBeGreaterThanOrEqual(3);
    const boot = { endpoint: 'powerBoot', status: '200' };
    const sent = samples.filter(({ name }) => name === 'panelops_panel_requests_total').map(({ labels }) => labels);
    expect(sent).toContainEqual(boot);
    expect(count('panelops_panel_request_seconds', { endpoint: 'powerBoot' })).toBe(1);
  });

  it('show what waits: questions, jobs that are followed, outcomes that nobody knows', async () => {
    await asks(stage, '/firewall flush server:web-1');
    await untilScraped(url, (samples) => valueIn(samples, 'panelops_questions_open') === 1);
    await untilScraped(url, (samples) => valueIn(samples, 'panelops_follow_ups', { state: 'seen' }) === 1);
    stage.panel.order({ kind: 'reset-after' });
    await answerTo(stage, await types('alice', '/power boot server:web-3'), ['UNKNOWN']);
    const age = await untilScraped(url, (samples) =>
      valueIn(samples, 'panelops_unknown_outcomes') === 1
        ? valueIn(samples, 'panelops_unknown_outcomes_oldest_seconds')
        : undefined,
    );
    expect(age).toBeLessThan(60);
  });

  it('show how far the trail is', async () => {
    await untilScraped(url, (samples) => valueIn(samples, 'panelops_trail_backlog_entries') === 0);
    stage.discord.order({ kind: 'forbid-channel', channel: 'audit' });
    await answerTo(stage, await types('carol', '/firewall flush server:web-2'), ['DENIED'], 'carol');
    await untilScraped(url, (samples) => (valueIn(samples, 'panelops_trail_backlog_entries') ?? 0) > 0);
    const isBehind = (value: 0 | 1) => (samples: readonly Sample[]) =>
      valueIn(samples, 'panelops_trail_behind', { reason: 'trail-closed' }) === value;
    await untilScraped(url, isBehind(1));
    // Changes go on.
    await untilScraped(url, (samples) => valueIn(samples, 'panelops_changes_held', { reason: 'trail-closed' }) === 0);
    stage.discord.clear();
    await untilScraped(url, (samples) => valueIn(samples, 'panelops_trail_backlog_entries') === 0);
    await untilScraped(url, isBehind(0));
  });

  it('have the version, the event loop, and what is left of the budget', async () => {
    const samples = await scrape(url);
    const { version } = await bot.ready().then((ready): { version: string } => JSON.parse(JSON.stringify(ready)));
    expect(valueIn(samples, 'panelops_build_info', { version })).toBe(1);
    expect(valueIn(samples, 'panelops_ready')).toBe(1);
    expect(valueIn(samples, 'panelops_follow_ups_canary_age_seconds')).toBeLessThan(60);
    expect(valueIn(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(valueIn(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(valueIn(samples, 'panelops_panel_circuit_open')).toBe(0);
  });

  it('name nobody: no server, no person, no id of Discord, no secret', async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).not.toMatch(/web-\d|alice|bob|carol|(?<![.\d])\d{17}/);
    for (const secret of [stage.discord.token, stage.panel.token]) expect(text).not.toContain(secret);
  });
});

describeWith('promtool', 'what promtool says of the metrics', () => {
  it('has no metric of ours', async () => {
    const { status, said } = judged('promtool', ['check', 'metrics'], await (await fetch(`${url}/metrics`)).text());
    // Node's own are called what they are called.
    const ours = said.split('\n').filter((line) => line.startsWith('panelops_') || line.includes('error'));
    expect([ours, [0, 3].includes(status ?? -1)]).toEqual([[], true]);
  });
});
