import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readRoot, root } from '../../helpers/house.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { asks, ended, presses, typed } from '../../helpers/messages.ts';
import { type BotProcess, stageForAll } from '../../helpers/stage.ts';
import { describeWith, judged } from '../../helpers/tools.ts';
import { healthOf, type Sample, scrape, untilScraped, valueIn } from '../../helpers/watch/scrape.ts';

const fileOf = (path: string): string => join(root, path);

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string().min(40), runbook_url: z.string() }),
});
const [{ rules }] = z
  .strictObject({ groups: z.tuple([z.strictObject({ name: z.string(), rules: z.array(rule) })]) })
  .parse(parse(readRoot('deploy/prometheus/alerts.yaml'))).groups;
const tests = z
  .object({ tests: z.array(z.object({ name: z.string() })) })
  .parse(parse(readRoot('deploy/prometheus/alerts.test.yaml'))).tests;

const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(readRoot('deploy/grafana/panelops.json')));

/** Words in an expression that name metrics; `up` is Prometheus's own. */
const metricsIn = (expr: string): string[] => expr.match(/\b(?:panelops|nodejs|process)_[a-z0-9_]+/g) ?? [];

describe('the alerts', () => {
  it('have a section each in docs/operations.md, to which they link', () => {
    const section =
      readRoot('docs/operations.md')
        .split('\n## ')
        .find((each) => each.startsWith('Alerts\n')) ?? '';
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.panelops_docs }}/operations.md#${alert.toLowerCase()}`);
  });

  it('are each tested to fire, and not to fire', () => {
    const names = tests.map(({ name }) => name);
    for (const { alert } of rules)
      expect(names).toEqual(expect.arrayContaining([`${alert} fires`, `${alert} is quiet`]));
  });
});

describeWith('promtool', 'what promtool says', () => {
  it.each([
    ['of the rules is that they are right', ['check', 'rules', 'alerts.yaml']],
    ['of their tests is that all alerts fire when they should and not else', ['test', 'rules', 'alerts.test.yaml']],
  ])('%s', (_what, [verb = '', what = '', file]) => {
    const { status, said } = judged('promtool', [verb, what, fileOf(`deploy/prometheus/${file}`)]);
    expect({ status, said }).toMatchObject({ status: 0 });
  });

  it('of the expressions of the dashboard is that they can be read', () => {
    const exprs = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const readable = exprs.map((expr) => expr.replace(/\$__(?:rate_interval|range)/g, '5m'));
    const groups = [{ name: 'dashboard', rules: readable.map((expr, i) => ({ record: `panel:${i}`, expr })) }];
    const dir = folder();
    // JSON is YAML.
    writeFileSync(join(dir, 'rules.yaml'), JSON.stringify({ groups }));
    expect(judged('promtool', ['check', 'rules', join(dir, 'rules.yaml')])).toMatchObject({ status: 0 });
  });
});

const stage = stageForAll({ panel: { powerMs: 3_600_000 } });
let bot: BotProcess;
let url = '';
beforeAll(async () => {
  const policy = join(stage.cwd, 'policy.yaml');
  const inventory = 'inventory: { source: panel, path: "/servers?type=simple", id: /id, name: /name }';
  writeFileSync(policy, `${readRoot('policy.example.yaml')}\n${inventory}\n`, { mode: 0o600 });
  const own = { HTTP_PORT: '0', AUDIT_CHANNEL_ID: stage.discord.channels.audit, POLICY_FILE: policy };
  bot = await stage.start(own);
  url = await healthOf(bot);
});

describe('the metrics of a bot that serves', () => {
  it('count runs by command and outcome, those that were refused and that only read among them', async () => {
    await typed(stage, '/firewall show server:web-1', ['SUCCEEDED'], 'carol');
    await typed(stage, '/power boot server:web-1', ['ACCEPTED']);
    await typed(stage, '/firewall flush server:web-1', ['DENIED'], 'carol');
    await typed(stage, '/power boot server:nowhere', ['DENIED', 'INVALID'], 'bob');
    const off = await asks(stage, '/firewall disable server:web-2');
    await presses(stage, off, 'Confirm');
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
    await typed(stage, '/power boot server:web-3', ['UNKNOWN']);
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
    await typed(stage, '/firewall flush server:web-2', ['DENIED'], 'carol');
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

describe('what alerts and dashboard ask for', () => {
  let served = new Set<string>();
  const labels = new Map<string, Set<string>>();
  beforeAll(async () => {
    await asks(stage, '/firewall flush server:web-1');
    // The list of the panel's servers comes late.
    const samples = await untilScraped(
      url,
      (all) => all.some(({ name }) => name === 'panelops_inventory_age_seconds') && all,
    );
    served = new Set(samples.map(({ name }) => name));
    for (const { name, labels: own } of samples)
      labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(own)]));
  });

  it('is what the bot serves', () => {
    const asked = [...rules, ...dashboard.panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
      metricsIn(expr),
    );
    expect(asked.length).toBeGreaterThan(30);
    expect([...new Set(asked)].filter((name) => !served.has(name))).toEqual([]);
  });

  it('misses nothing of ours on the dashboard', () => {
    const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    const ours = [...served].filter((name) => name.startsWith('panelops_') && !/_(?:sum|count)$/.test(name));
    expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('selects by labels that are there', () => {
    const selected = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(panelops_[a-z_]+)\{([a-z]+)=/g)].map(([, name = '', label = '']) => ({ name, label })),
    );
    expect(selected.length).toBeGreaterThan(5);
    expect(selected.filter(({ name, label }) => !labels.get(name)?.has(label))).toEqual([]);
  });
});
