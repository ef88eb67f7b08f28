import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readRoot, root } from '../../helpers/house.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { asks, typed } from '../../helpers/messages.ts';
import { openStage, type Stage } from '../../helpers/stage.ts';
import { describeWith, judged } from '../../helpers/tools.ts';
import { healthOf, scrape } from '../../helpers/watch/scrape.ts';

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

describe('what alerts and dashboard ask for', () => {
  let stage: Stage;
  let served = new Set<string>();
  const labels = new Map<string, Set<string>>();
  beforeAll(async () => {
    stage = await openStage();
    const policy = join(stage.cwd, 'policy.yaml');
    const inventory = 'inventory: { source: panel, path: "/servers?type=simple", id: /id, name: /name }';
    writeFileSync(policy, `${readRoot('policy.example.yaml')}\n${inventory}\n`);
    const own = { HTTP_PORT: '0', AUDIT_CHANNEL_ID: stage.discord.channels.audit, POLICY_FILE: policy };
    const bot = await stage.start(own);
    await typed(stage, '/power boot server:web-1', ['ACCEPTED']);
    await asks(stage, '/firewall flush server:web-1');
    const health = await healthOf(bot);
    // The embedded Redis starts after the bot, and with it the canary.
    const isQueued = async () => {
      const names = (await scrape(health)).map(({ name }) => name);
      const late = ['panelops_follow_ups_canary_age_seconds', 'panelops_inventory_age_seconds'];
      if (!late.every((name) => names.includes(name))) throw new Error('no canary, or no list, yet');
    };
    await vi.waitFor(isQueued, { timeout: 60_000, interval: 100 });
    const samples = await scrape(health);
    served = new Set(samples.map(({ name }) => name));
    for (const { name, labels: own } of samples)
      labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(own)]));
  });
  afterAll(() => stage.stop());

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
