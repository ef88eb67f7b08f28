import { expect, it } from 'vitest';
import type { Decision } from '../../src/decide/decision.ts';
import { outcomeEntry } from '../../src/decide/entries.ts';
import { alice, as, bob, type Scene, scene, told } from '../helpers/decide/scene.ts';

const reason = { reason: 'migration' };
const tiersOf = (count: number) => {
  const rules = Array.from({ length: count }, (_, n) => `{ match: [x${n}-*], tier: t${n} }`);
  return ['servers:\n', `tiers: [${rules.join(', ')}]\nservers:\n`] as const;
};

const isForm = (decision: Decision): boolean => decision.kind === 'form';

/** alice has typed a freeze of all servers, and its form is open. */
function opened(): { here: Scene; submits: (how: object, who?: typeof alice) => Decision } {
  const here = scene();
  const asked = here.types(alice, 'freeze', reason);
  if (asked.kind !== 'form' || asked.meant === undefined) return expect.fail(told(asked));
  const id = asked.form.id?.slice('go:'.length) ?? '';
  here.snapshot.recent = new Map([[id, asked.meant]]);
  return { here, submits: (how, who = alice) => here.presses(who, 'go', '', { payload: id, offered: false, ...how }) };
}

it.each<[string, object, string]>([
  ['freezes what was typed', { typed: '', chosen: '*' }, 'types /freeze until:1795140000 reason:migration'],
  ['freezes the tier', { typed: '', chosen: 'lab' }, 'types /freeze until:1795140000 reason:migration tier:lab'],
  ['freezes nothing without a choice', {}, 'The bot does not have this button'],
])('The form of a freeze %s', (_what, how, expected) => {
  expect(told(opened().submits(how))).toContain(expected);
});

it('The form of a freeze is not for others, nor for ever', () => {
  const { here, submits } = opened();
  expect(told(submits({ typed: '', chosen: '*' }, as(bob, 'lead')))).toContain('The bot does not have this form');
  here.passes(15 * 60_000);
  expect(told(submits({ typed: '', chosen: '*' }))).toContain('The bot does not have this form');
});

it('Where Discord has no room for the tiers, or for a form after a form, a button asks', () => {
  expect(isForm(scene(tiersOf(20)).types(alice, 'freeze', reason))).toBe(true);
  expect(isForm(scene(tiersOf(21)).types(alice, 'freeze', reason))).toBe(false);
  const card = scene().types(alice, 'freeze', reason, { typed: 'x' });
  expect(told(card)).toMatch(/QUESTION \/freeze · all servers[\s\S]*Freeze ALL servers until/);
});

const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000001' };
const web1 = { id: 101, name: 'web-1', tier: 'production' };

/** A freeze of production has stopped bob's boot of web-1. */
function stopped(here: Scene): string {
  const until = '2026-11-20T22:00:00.000Z';
  here.record({ kind: 'frozen', actor: alice, until, why: 'migration', place, tier: 'production' });
  const work = { actor: bob, command: 'power.boot', options: { server: '101' }, place };
  here.record(outcomeEntry(work, { run: 'inv7.1', server: web1 }, { outcome: 'blocked', reason: 'frozen' }));
  return 'inv7';
}

function thawed(here: Scene): void {
  here.record({ kind: 'thawed', actor: alice, ends: 1, tier: 'production', place });
}

it.each<[string, (here: Scene, id: string) => ReturnType<Scene['presses']>, string]>([
  ['asks', (here, id) => here.presses(bob, 'plead', id), 'records called'],
  [
    'asks once',
    (here, id) => {
      here.does(bob, 'plead', id);
      return here.presses(bob, 'plead', id);
    },
    'You have already asked. Nobody was pinged again.',
  ],
  [
    'alone asks',
    (here, id) => here.presses(alice, 'plead', id),
    'Only <@1400000000000000002>, whom the freeze stopped',
  ],
  [
    'asks for nothing once it is over',
    (here, id) => {
      thawed(here);
      return here.presses(bob, 'plead', id);
    },
    'The freeze is over: press Ask again',
  ],
])('Whom a freeze stopped %s', (_what, pressed, expected) => {
  const here = scene();
  expect(told(pressed(here, stopped(here)))).toContain(expected);
});

it('End the freeze is the command, as if it was typed, as long as there is a freeze', () => {
  const here = scene();
  const id = stopped(here);
  expect(here.presses(alice, 'end-freeze', id)).toEqual({
    kind: 'command',
    command: { command: 'thaw', options: { tier: 'production' } },
  });
  thawed(here);
  expect(told(here.presses(alice, 'end-freeze', id))).toContain('The freeze is over');
});
