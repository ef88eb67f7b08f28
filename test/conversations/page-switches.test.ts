import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { startPage } from '../../src/sandbox/page/index.ts';
import { intakeOf, token } from '../helpers/alerts.ts';
import { forAll } from '../helpers/lives.ts';
import { answerTo, asks, idOf, messageOf, stateOf } from '../helpers/messages.ts';
import { call } from '../helpers/sandbox/discord/raw.ts';
import { makeBundle, noBot, openWindow, post } from '../helpers/sandbox/page/visit.ts';
import { startWorld } from '../helpers/world.ts';

const bundle = makeBundle();
afterAll(() => bundle.remove());
const intake = forAll(intakeOf);
const world = forAll(() =>
  startWorld({
    alerts: { ...intake, pause: 0 },
    redis: 'own',
    panel: { restoreMs: 3_600_000 },
    intervals: { followUps: { first: 20, most: 40 }, cards: { looks: 20 } },
  }),
);
const page = forAll(() => {
  const { discord, panel, app } = world;
  const bot = {
    ...{ entries: () => app.entries(), followUps: () => app.followUps(), killRedis: () => app.killRedis?.() },
    alerts: { url: intake.url, name: 'alertmanager', token },
  };
  return startPage({ port: 0, discord, panel, bundle: bundle.folder, bot, pace: { look: 20 } });
});
const window = forAll(() => openWindow(page.url, 'alice', '&behind=1'));
afterEach(() => world.panel.clear());

const turn = async (id: string, on?: boolean): Promise<void> => {
  expect(await post(page.url, '/switch', { id, ...(on !== undefined && { on }) })).toMatchObject({ status: 200 });
};
/** Until the side panel shows the switch so. */
const shows = (id: string, on: boolean) =>
  window.untilBehind(({ switches }) => switches.some((each) => each.id === id && each.on === on));

const rest = ['SUCCEEDED', 'ACCEPTED', 'NOT-SENT', 'REJECTED', 'UNKNOWN', 'UNAVAILABLE', 'DENIED', 'QUESTION'];
const types = async (line: string, who: 'alice' | 'bob' = 'alice') =>
  answerTo(world, await world.discord.type(who, 'ops', line), rest, who);

describe('the switches', () => {
  it('are listed with one sentence each, all off', () => {
    const { switches } = window.behind();
    expect(switches.filter(({ on }) => on)).toEqual([]);
    for (const { label, watch } of switches)
      expect([label, watch]).toEqual([
        expect.stringMatching(/^[A-Z].*[a-z]$/),
        expect.stringMatching(/^[A-Z].*[^.]\.$/),
      ]);
    const ofKind = (kind: string) => switches.filter((each) => each.kind === kind).map(({ id }) => id);
    expect(ofKind('once')).toEqual(['rate-limit', 'discord-cut', 'redis-killed', 'restore-clock']);
    expect(ofKind('toggle').join()).toBe(
      'panel-slow,panel-down,panel-silent,error-after-effect,no-in-success,proxy-refuses,wrong-token,alert-at-night,bob-role',
    );
  });

  it('can be turned twice: one order, one that takes it back', async () => {
    await turn('error-after-effect', true);
    await turn('error-after-effect', true);
    await turn('error-after-effect', false);
    await shows('error-after-effect', false);
    expect(stateOf(await types('/firewall enable server:web-1'))).toBe('SUCCEEDED');
    await turn('error-after-effect');
    await shows('error-after-effect', true);
  });

  it('that concern a panel or a Redis of somebody else are not there', async () => {
    const { discord } = world;
    const other = await startPage({ port: 0, discord, bundle: bundle.folder, bot: noBot });
    const at = await openWindow(other.url, 'bob', '&behind=1');
    expect(at.behind().switches.map(({ id }) => id)).toEqual(['discord-cut', 'bob-role']);
    at.close();
    await other.close();
  });
});

it('Where the bot posts its ledger in #audit, there are two more: one closes it to the bot, one deletes its newest message', async () => {
  const bot = { ...noBot, trail: true as const };
  const other = await startPage({ port: 0, discord: world.discord, bundle: bundle.folder, bot });
  const turnThere = (id: string, on?: boolean) => post(other.url, '/switch', { id, ...(on !== undefined && { on }) });
  const path = '/channels/1300000000000000002/messages';
  const posting = async () => (await call(world.discord, 'POST', path, { content: 'a' })).status;
  expect(await posting()).toBe(200);
  for (const [on, status] of [
    [true, 403],
    [true, 403],
    [false, 200],
  ] as const) {
    await turnThere('audit-closed', on);
    expect(await posting()).toBe(status);
  }
  const ids = () => world.discord.messages('alice', 'audit').map(({ id }) => id);
  for (let before = ids(); before.length > 0; before = before.slice(0, -1)) {
    expect(ids()).toEqual(before);
    await turnThere('audit-deleted');
  }
  expect(ids()).toEqual([]);
  await other.close();
});

/** The card of a restore that the side panel has seen run. */
async function restores(server: string): Promise<SeenMessage> {
  const card = await asks(world, `/backup restore server:${server} disks:0 reason:"lost update"`);
  await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
  await window.until((view) => view.modal);
  await world.discord.submit('alice', server);
  await window.untilBehind(({ followUps }) =>
    followUps.some(({ words }) => words.startsWith(`/backup restore ${server} `) && /running, \d+ %/.test(words)),
  );
  return card;
}

/** Turns the clock of restores, and waits until alice is pinged about this one and nothing is followed any more. */
async function endsWithAPing({ id }: SeenMessage): Promise<void> {
  await turn('restore-clock');
  await world.discord.until(() => stateOf(messageOf(world, id)) === 'FINISHED');
  await window.until((view) =>
    Object.values(view.messages)
      .flat()
      .some(({ message, pinged }) => message.message_reference?.message_id === id && pinged.includes('alice')),
  );
  await window.untilBehind(({ followUps }) => !followUps.some(({ words }) => words.includes('/backup restore')));
}

describe('the bot, when somebody breaks', () => {
  it('the connection to Discord, is gone and back, and answers what was typed meanwhile', async () => {
    await turn('discord-cut');
    await window.until((view) => !view.online);
    const id = await world.discord.type('alice', 'ops', '/help');
    await window.until((view) => view.online);
    expect(stateOf(await answerTo(world, id, rest))).toBe('SUCCEEDED');
  });

  it('a host at night, shows the alert, and that it is resolved', async () => {
    await turn('alert-at-night', true);
    await shows('alert-at-night', true);
    const card = () => world.discord.messages('bob', 'ops').find(({ content }) => content.includes('`HostDown`'));
    const posted = await world.discord.until(card);
    expect(posted.buttons.map(({ label }) => label)).toContain('/power restart web-1');
    expect(window.behind().entries.map(({ words }) => words)).toContain('received: HostDown firing');
    await turn('alert-at-night', false);
    await shows('alert-at-night', false);
    await world.discord.until(() => card()?.content.includes('resolved'));
  });

  it('the clock, finds restores at their end', async () => {
    const card = await restores('web-1');
    expect(window.behind().followUps.map(({ words }) => words)).toContain(
      '/backup restore web-1 (101): running, 0 %; alice is pinged when it ends',
    );
    await endsWithAPing(card);
  });

  it.each([
    ['panel-down', 'NOT-SENT'],
    ['error-after-effect', 'UNKNOWN'],
    ['no-in-success', 'UNKNOWN'],
    ['proxy-refuses', 'UNKNOWN'],
    ['wrong-token', 'REJECTED'],
    ['rate-limit', 'REJECTED'],
  ])('the panel (%s), says %s, and goes on once that is over', async (id, state) => {
    await turn(id, true);
    await shows(id, true);
    expect(stateOf(await types('/firewall enable server:web-1'))).toBe(state);
    world.minutePasses();
    // What is turned once is over by itself: any other switch has the page look again.
    await turn(id === 'rate-limit' ? 'panel-slow' : id, false);
    await shows(id, false);
    expect(stateOf(await types('/firewall enable server:web-1'))).toBe('SUCCEEDED');
  });
});

it('keeps the secrets to itself, also from the side panel', () => {
  expect(window.text()).not.toMatch(/canary/i);
});
