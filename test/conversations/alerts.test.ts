import { describe, expect, it } from 'vitest';
import { fires, openNight, webhook, webhookAlert } from '../helpers/alerts.ts';
import { until } from '../helpers/messages.ts';
import { exampleWith } from '../helpers/policy/in-force.ts';
import { examplePolicy, type World } from '../helpers/world.ts';

const sees = (world: World, words: string) => until(() => world.alice.sees().includes(words), words);
const steps = (world: World) => world.entries().flatMap((entry) => (entry.kind === 'alert' ? entry.step : []));

describe('an alert', () => {
  it('has one card, which says what, where and what happened there, until it is resolved', async () => {
    const { world, send } = await openNight();
    const enable = () => world.alice.types('/firewall enable server:web-1');
    await enable();
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await enable();
    await world.alice.types('/freeze tier:production reason:migration');
    // Nobody saw it begin.
    expect(await send({ ...fires, key: 'db-1 down', server: 'db-1', status: 'resolved' })).toBe(202);
    expect(await send(fires)).toBe(202);
    await sees(world, 'HostDown');
    const card = () => world.discord.messages('alice', 'ops').filter(({ content }) => content.includes('ALERT'));
    const view = () => card().map((posted) => world.discord.viewMessage('alice', posted));
    const [text] = view();
    for (const words of ['web-1 (101, production)', '1 change, 1 unknown there', '`migration`', '@lead(!)'])
      expect(text).toContain(words);
    expect(await send(fires)).toBe(202);
    expect(await send({ ...fires, status: 'resolved' })).toBe(202);
    await sees(world, 'resolved');
    expect(await send({ ...fires, status: 'resolved' })).toBe(202);
    expect(steps(world)).toEqual(['received', 'received', 'shown', 'received']);
    expect(view()).toEqual([expect.stringContaining('@lead')]);
  });

  it('pings until somebody who may acknowledges it; a new one pings again', async () => {
    const { world, send } = await openNight({ clockStands: true });
    const on = (server: string, status = 'firing') => webhookAlert({ instance: `${server}:9100` }, { status });
    const group = (...all: unknown[]) => send(webhook(all, { truncatedAlerts: 3 }), { to: 'alertmanager' });
    await group(on('web-1'));
    await until(() => steps(world).includes('shown'), 'the card');
    world.timePasses(10 * 60_000);
    await sees(world, 'Nobody has acknowledged it');
    expect(await world.carol.clicks('Acknowledge')).toContain('DENIED');
    await until(() => world.ledger().at(-1)?.command === 'alerts.acknowledge', 'its record');
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'denied', options: { alert: '2-0' } });
    await world.bob.clicks('Acknowledge');
    await sees(world, 'Acknowledged by');
    const pings = (card: string) =>
      world.entries().filter((entry) => entry.kind === 'alert' && entry.step === 'shown' && entry.card === card).length;
    expect(await world.alice.types('/alerts list')).toContain('0 of them not acknowledged');
    world.timePasses(10 * 60_000);
    await send({ ...fires, title: 'DiskFull' });
    await until(() => steps(world).filter((step) => step === 'shown').length > 2, 'the card of another alert');
    expect(pings('2-0')).toBe(2);
    await group(on('web-1'), on('web-2'));
    world.timePasses(60_000);
    await until(() => pings('2-0') === 3, 'the ping about web-2');
    expect(await world.alice.types('/alerts list')).toContain('3 alerts, 2 of them not acknowledged');
    await group(on('web-1', 'resolved'), on('web-2'));
    await group(on('web-2'), on('web-3'));
    await sees(world, 'on web-3 (103)');
    expect(world.alice.sees()).toContain('3 alerts more that alertmanager left out.');
    const cards = world.discord.messages('alice', 'ops').filter(({ content }) => content.includes('`HostDown`'));
    expect(cards.filter(({ replyTo }) => replyTo === undefined)).toHaveLength(1);
  });

  it('pings about what fires after the clock was set back, too', async () => {
    const { world, send } = await openNight({ clockStands: true });
    const group = (...servers: string[]) =>
      send(webhook(servers.map((instance) => webhookAlert({ instance }))), { to: 'alertmanager' });
    await group('web-1');
    await until(() => steps(world).includes('shown'), 'the card');
    world.timePasses(-3_600_000);
    await group('web-1', 'web-2');
    await until(() => steps(world).filter((step) => step === 'shown').length === 2, 'the ping about web-2');
  });

  it('pings who may acknowledge a part of it, where nobody may all, and all who may any, where nobody may', async () => {
    const policy = exampleWith(['panel.refresh, alerts.acknowledge],', 'alerts.acknowledge], servers: [lab-1],']);
    const { world, send } = await openNight({ policy });
    const pings = () =>
      world.entries().flatMap((entry) => (entry.kind === 'alert' && entry.step === 'shown' ? [entry.pings] : []));
    const [onCall, lead] = ['&1200000000000000002', '&1200000000000000003'];
    const group = (groupKey: string, ...servers: string[]) =>
      send(
        webhook(
          servers.map((instance) => webhookAlert({ instance })),
          { groupKey },
        ),
        { to: 'alertmanager' },
      );
    await group('one', 'web-1');
    await until(() => pings().length === 1, 'the first card');
    await group('several', 'web-2', 'lab-1');
    await until(() => pings().length === 2, 'the second card');
    await group('none', 'lab-2');
    await until(() => pings().length === 3, 'the third card');
    expect(pings()).toEqual([[onCall], [onCall, lead], [onCall, lead]]);
  });

  it('pings about what fires while Discord takes its card, too', async () => {
    const { world, send } = await openNight({ clockStands: true });
    const on = (server: string) => webhookAlert({ instance: server });
    const group = (...all: unknown[]) => send(webhook(all), { to: 'alertmanager' });
    const match = { method: 'POST', path: '/channels/1300000000000000001/messages' };
    const slow = { kind: 'delay', ms: 1_000, match } as const;
    world.discord.order(slow);
    await group(on('web-1'));
    await until(() => !world.discord.isOrdered(slow), 'that its card is under way');
    await group(on('web-1'), on('web-2'));
    await sees(world, 'web-2 (102)');
    world.timePasses(60_000);
    await until(() => steps(world).filter((step) => step === 'shown').length === 2, 'the ping about web-2');
    expect(world.alice.sees()).toContain('Nobody has acknowledged it');
  });

  it('that nothing is heard of for long says so, is not reminded of, and goes on once it is heard of again', async () => {
    const { world, send } = await openNight({ clockStands: true }, ', stale-after: 1h, remind: off');
    await send(fires);
    await until(() => steps(world).includes('shown'), 'the card');
    world.timePasses(59 * 60_000);
    await send(fires);
    world.timePasses(59 * 60_000);
    await send({ ...fires, key: 'web-2 down', server: 'web-2' });
    await until(() => steps(world).filter((step) => step === 'shown').length === 2, 'the other card');
    expect(steps(world)).not.toContain('silent');
    world.timePasses(2 * 60_000);
    await sees(world, 'Nothing has been heard of it since');
    expect(await world.alice.types('/alerts list')).toContain('1 alert,');
    await send(fires);
    await until(() => !world.alice.sees().includes('Nothing has been heard of it'), 'that it fires');
  });
});

it('the card of an alert says what is unclear about its server', async () => {
  const { world, send } = await openNight();
  const labels: Record<string, string>[] = [{ server: 'web-1', instance: 'db-1:9100' }, { instance: 'nowhere:1' }, {}];
  for (const [n, each] of labels.entries())
    await send(webhook([webhookAlert(each)], { groupKey: `g${n}` }), { to: 'grafana' });
  await sees(world, 'its labels disagree');
  await sees(world, 'It names `nowhere:1`, which the policy does not list for this source.');
  await sees(world, 'It names no server.');
});

it('A night goes from the alert over acknowledge, incident and a suggested restart to the summary', async () => {
  const suggest = ', suggest: [{ alert: HostDown, command: "/power restart server:{server}" }]';
  const { world, send } = await openNight({}, suggest);
  const say = (more = {}) => send(webhook([webhookAlert({ instance: 'web-1:9100' }, more)]), { to: 'alertmanager' });
  await say();
  await sees(world, 'no answer for 2 minutes');
  await world.bob.clicks('Acknowledge');
  await sees(world, 'Acknowledged by');
  await world.bob.clicks('Start incident');
  await until(() => world.discord.threads().length === 1, 'the thread');
  const [thread] = world.discord.threads();
  await until(() => world.bob.sees(thread?.id).includes('`HostDown` on web-1 (101) fired'), 'the alert in the thread');
  expect(thread?.name).toBe('HostDown on web-1');
  expect(await world.alice.clicks('Start incident')).toContain('There is an incident for this card already');
  expect(await world.bob.clicks('Show server')).toContain('web-1');
  expect(await world.carol.clicks('/power restart web-1')).toContain('DENIED');
  expect(await world.bob.clicks('/power restart web-1')).toContain('QUESTION /power restart');
  await world.bob.clicks('Restart web-1');
  await until(() => world.ledger().some(({ kind }) => kind === 'outcome'), 'the restart');
  await say({ status: 'resolved' });
  await sees(world, 'resolved');
  await world.bob.types('/incident end', thread?.id);
  const summary = world.bob.sees(thread?.id);
  for (const words of ['web-1 (101) fired', 'Acknowledged by @bob', 'web-1 (101) resolved'])
    expect(summary).toContain(words);
});

it('The thread of an incident hears what is new of its alerts, once, over a Discord that refuses and a restart', async () => {
  const { world, send } = await openNight();
  const say = (instance: string, more = {}) =>
    send(webhook([webhookAlert({ instance }, more)]), { to: 'alertmanager' });
  await say('web-1');
  await sees(world, 'HostDown');
  await world.bob.clicks('Start incident');
  await until(() => world.discord.threads().length === 1, 'the thread');
  const thread = world.discord.threads()[0]?.id ?? '';
  const hears = (words: string) => until(() => world.bob.sees(thread).includes(words), words);
  await hears('`HostDown` on web-1 (101) fired');
  await world.bob.clicks('Acknowledge');
  await hears('Acknowledged by @bob');
  const match = { method: 'POST', path: `/channels/${thread}/messages` };
  const refusal = { kind: 'status', status: 503, match, times: 1_000 } as const;
  world.discord.order(refusal);
  await say('web-2');
  await sees(world, 'web-2 (102)');
  await world.restart();
  world.discord.clear();
  await hears('`HostDown` on web-2 (102) fired');
  await say('web-2', { status: 'resolved' });
  await hears('`HostDown` on web-2 (102) resolved');
  const heard = world.bob.sees(thread);
  for (const words of ['web-1 (101) fired', 'Acknowledged by', 'web-2 (102) fired'])
    expect(heard.split(words)).toHaveLength(2);
});

describe('what is recorded of alerts', () => {
  const policy = examplePolicy.replace('audit.history, hold', 'audit.history, audit.export, hold');

  it('is in the history and the file of a server, for those who may see it, and nowhere for others', async () => {
    const { world, send } = await openNight({ policy });
    await send({ ...fires, key: 'lab-1 down', server: 'lab-1', title: 'LabDown' });
    await sees(world, 'LabDown');
    // The card itself may be drawn again meanwhile.
    await world.bob.clicks('Acknowledge');
    await until(() => world.bob.sees().includes('DENIED'), 'the refusal');
    await world.alice.clicks('Acknowledge');
    await sees(world, 'Acknowledged by @alice');
    await send(fires);
    await sees(world, 'HostDown');
    await world.bob.clicks('Acknowledge');
    await sees(world, 'Acknowledged by @bob');
    await world.bob.clicks('What changed');
    await until(() => world.bob.sees().includes('History of web-1'), 'the history');
    for (const words of ['ALERT RECEIVED', 'firing `HostDown` on web-1', 'ALERT ACKNOWLEDGED'])
      expect(world.bob.sees()).toContain(words);
    await world.carol.clicks('What changed');
    await until(() => world.carol.sees().includes('DENIED'), 'the other refusal');
    await world.bob.types('/audit export format:jsonl');
    const [file] = world.discord.messages('bob', 'ops').at(-1)?.files ?? [];
    const lines = new TextDecoder().decode(file?.bytes).split('\n');
    const alerts = lines.flatMap((line) => (line.includes('"kind":"alert"') ? [JSON.parse(line)] : []));
    expect(alerts.map(({ step, actor }) => `${step} ${actor.name}`)).toEqual([
      ...['received panelops', 'shown panelops', 'acknowledged bob'],
    ]);
    for (const line of ['/alerts list', '/handover', '/audit history', '/audit history server:web-1']) {
      const seen = await world.bob.types(line);
      for (const words of ['LabDown', 'lab-1', '@alice']) expect(seen).not.toContain(words);
    }
    expect(await world.alice.types('/alerts list')).toContain('2 alerts');
  });
});
