import { describe, expect, it } from 'vitest';
import { fires, openNight, webhook, webhookAlert } from '../helpers/alerts.ts';
import { until } from '../helpers/messages.ts';
import { examplePolicy, type World } from '../helpers/world.ts';

const sees = (world: World, words: string) => until(() => world.alice.sees().includes(words), words);
const steps = (world: World) => world.entries().flatMap((entry) => (entry.kind === 'alert' ? entry.step : []));

describe('an alert', () => {
  it('has one card, which says what and where, until it is resolved', async () => {
    const { world, send } = await openNight();
    expect(await send(fires)).toBe(202);
    await sees(world, 'HostDown');
    expect(world.alice.sees()).toContain('web-1 (101, production)');
    expect(await send(fires)).toBe(202);
    expect(await send({ ...fires, status: 'resolved' })).toBe(202);
    await sees(world, 'resolved');
    expect(await send({ ...fires, status: 'resolved' })).toBe(202);
    expect(steps(world)).toEqual(['received', 'shown', 'received']);
    expect(world.discord.messages('alice', 'ops')).toHaveLength(1);
  });

  it('pings until somebody who may acknowledges it; a new one pings again', async () => {
    const { world, send } = await openNight({ clockStands: true });
    const group = (...all: unknown[]) => send(webhook(all), { to: 'alertmanager' });
    await group(webhookAlert({ instance: 'web-1:9100' }));
    await until(() => steps(world).includes('shown'), 'the card');
    world.timePasses(10 * 60_000);
    await sees(world, 'Nobody has acknowledged it');
    expect(await world.carol.clicks('Acknowledge')).toContain('DENIED');
    await until(() => world.ledger().at(-1)?.command === 'alerts.acknowledge', 'its record');
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'denied', options: { alert: '2-0' } });
    await world.bob.clicks('Acknowledge');
    await sees(world, 'Acknowledged by');
    const pings = () => steps(world).filter((step) => step === 'shown').length;
    expect(pings()).toBe(2);
    expect(await world.alice.types('/alerts list')).toContain('0 of them not acknowledged');
    await group(webhookAlert({ instance: 'web-1:9100' }), webhookAlert({ instance: 'web-2:9100' }));
    world.timePasses(60_000);
    await until(() => pings() === 3, 'the ping about web-2');
    expect(await world.alice.types('/alerts list')).toContain('2 alerts, 1 of them not acknowledged');
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
    await until(() => !world.alice.sees().includes('Nothing was heard of it'), 'that it fires');
  });

  it('is not taken twice, lost or posted twice over a restart', async () => {
    const { world, send } = await openNight();
    await send(fires);
    await sees(world, 'HostDown');
    await world.restart();
    expect(await send(fires)).toBe(202);
    await send({ ...fires, status: 'resolved' });
    await sees(world, 'resolved');
    expect(world.discord.messages('alice', 'ops')).toHaveLength(1);
  });
});

describe('the server of an alert', () => {
  it.each([
    ['its name, with a port', { instance: 'web-1:9100' }, 'web-1 (101, production)'],
    ['its id', { server: '101' }, 'web-1 (101, production)'],
    ['a name of a domain', { host: 'web-1.example.com' }, 'web-1 (101, production)'],
    ['a label that says nothing beside one that does', { server: 'web-1', instance: '10.9.9.9:9100' }, 'web-1 (101, p'],
    ['two servers', { server: 'web-1', instance: 'db-1:9100' }, 'its labels disagree'],
    ['no server that is known', { instance: 'nowhere:1' }, 'which the policy does not list for this source.'],
    ['none', {}, 'It names no server.'],
  ])('by %s', async (_how, labels, says) => {
    const { world, send } = await openNight({}, ', domains: [example.com]');
    await send(webhook([webhookAlert(labels)]), { to: 'grafana' });
    await sees(world, says);
  });
});

describe('a night', () => {
  it('goes from the alert over acknowledge, incident and a suggested restart to the summary', async () => {
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
    await until(
      () => world.bob.sees(thread?.id).includes('`HostDown` on web-1 (101) fired'),
      'the alert in the thread',
    );
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
    for (const words of [
      '`HostDown` on web-1 (101) fired',
      'Acknowledged by @bob',
      '`HostDown` on web-1 (101) resolved',
    ])
      expect(summary).toContain(words);
  });
});

describe('the thread of an incident', () => {
  it('hears what is new of its alerts, once, over a Discord that refuses and a restart', async () => {
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
    const entries: { step?: string; actor: { name: string } }[] = new TextDecoder()
      .decode(file?.bytes)
      .split('\n')
      .filter((line) => line.includes('"kind":"alert"'))
      .map((line) => JSON.parse(line));
    expect(entries.map(({ step, actor }) => `${step} ${actor.name}`)).toEqual([
      'received panelops',
      'shown panelops',
      'acknowledged bob',
    ]);
    for (const line of ['/alerts list', '/handover', '/audit history', '/audit history server:web-1']) {
      const seen = await world.bob.types(line);
      for (const words of ['LabDown', 'lab-1', '@alice']) expect(seen).not.toContain(words);
    }
    expect(await world.alice.types('/alerts list')).toContain('2 alerts');
  });
});
