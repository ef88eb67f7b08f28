import { expect, it } from 'vitest';
import type { Decision } from '../../src/decide/decision.ts';
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
