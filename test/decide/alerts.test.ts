import { expect, it } from 'vitest';
import { botActor } from '../../src/outcome.ts';
import { alice, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000001' };
const web1 = { id: 101, name: 'web-1', tier: 'production' };
const db1 = { id: 201, name: 'db-1', tier: 'production' };

const suggest =
  '[{ alert: HostDown, command: "/power boot server:{server}" }, { alert: HostDown, command: "/power restart server:{server}" }]';
const night = (): Scene =>
  scene(
    // No glob gives it to alice.
    ['panel.refresh, alerts.acknowledge]', 'panel.refresh]'],
    ['suggest: [{ alert: HostDown, command: "/power restart server:{server}" }]', `suggest: ${suggest}`],
  );

const bot = { kind: 'alert', actor: botActor } as const;
const of = (servers: readonly { id: number; name: string }[], key = 'k') => ({
  ...({ source: 'alertmanager', group: 'g', key, state: 'firing', since: '2026-11-19T21:58:00.000Z' } as const),
  ...{ title: 'HostDown', servers },
});

/** It fires on these servers, and people were told: the card is 1-0. */
function fires(here: Scene, ...servers: readonly { id: number; name: string }[]): Scene {
  here.record({ ...bot, step: 'received', news: [of(servers)] });
  here.record({ ...bot, step: 'shown', card: '1-0', upTo: 1, place });
  return here;
}

const acknowledge = (here: Scene, who = bob, upTo = 1) =>
  here.presses(who, 'acknowledge', '', { payload: `alert 1-0:${upTo}` });
const respond = (here: Scene, what: string, who = bob) =>
  here.presses(who, 'respond', '', { payload: `alert 1-0:${what}` });

it.each<[string, () => ReturnType<Scene['presses']>, string]>([
  ['by whoever has the right', () => acknowledge(fires(night(), web1)), 'records alert acknowledged'],
  ['by nobody without it', () => acknowledge(fires(night(), web1), carol), 'denies DENIED /alerts acknowledge'],
  ['by nobody whom no glob gives it', () => acknowledge(fires(night(), web1), alice), 'denies DENIED'],
  ['by nobody on a server of others', () => acknowledge(fires(night(), db1)), 'denies DENIED'],
  [
    'by nobody where one of several is a server of others',
    () => acknowledge(fires(night(), web1, db1)),
    'denies DENIED',
  ],
  [
    'once',
    () => {
      const here = fires(night(), web1);
      here.record({ ...bot, actor: bob, step: 'acknowledged', card: '1-0', upTo: 1, place });
      return acknowledge(here);
    },
    'is left to acknowledge',
  ],
  [
    'as far as the card showed it',
    () => {
      const here = fires(night(), web1);
      here.record({ ...bot, step: 'received', news: [of([web1], 'other')] });
      here.record({ ...bot, actor: bob, step: 'acknowledged', card: '1-0', upTo: 1, place });
      return acknowledge(here, bob, 3);
    },
    'records alert acknowledged',
  ],
  ['on no card that there is not', () => acknowledge(night()), 'Nothing of this card is left to do'],
])('Acknowledge is pressed %s', (_how, pressed, expected) => {
  expect(told(pressed())).toContain(expected);
});

it('a suggestion is the command with the id of the server, and asks, whatever its danger', () => {
  const here = fires(night(), web1);
  expect(respond(here, 'power.boot:0')).toEqual({
    kind: 'command',
    command: { command: 'power.boot', options: { server: '101' }, isSuggested: true },
  });
  expect(told(here.types(bob, 'power.boot', { server: '101' }))).toBe('starts power.boot');
  expect(told(here.types(bob, 'power.boot', { server: '101' }, { isSuggested: true }))).toBe(
    'starts power.boot, which asks',
  );
});

it.each([
  ['that the policy has not', [web1], 'power.poweroff:0'],
  ['that the policy has elsewhere by now', [web1], 'power.boot:1'],
  ['where labels disagree', [web1, db1], 'power.boot:0'],
  ['without a server', [], 'power.boot:0'],
])('nothing comes of a suggestion %s', (_which, servers, what) => {
  expect(told(respond(fires(night(), ...servers), what))).toContain('Nothing of this card is left to do');
});

it.each([
  ['Show server', 'server', 'types /server show server:101'],
  ['What changed', 'changes', 'types /audit history server:101 since:24h'],
])('%s is the command, by the rights of whoever presses it', (_label, what, typed) => {
  expect(told(respond(fires(night(), web1), what))).toBe(typed);
});

it('a title of more letters than a thread may have is cut between letters', () => {
  const here = night();
  const title = `${'x'.repeat(90)}🔥`;
  here.record({ ...bot, step: 'received', news: [{ ...of([web1]), title }] });
  here.record({ ...bot, step: 'shown', card: '1-0', upTo: 1, place });
  expect(told(respond(here, 'incident'))).toContain(`${'x'.repeat(90)} on web-1`);
});
