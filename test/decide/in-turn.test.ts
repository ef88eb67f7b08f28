import { expect, it } from 'vitest';
import { alice, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

const all = { server: 'web-1,web-2,web-3', reason: 'kernel' };
const restarts = (here: Scene): string => here.asks(alice, 'power.restart', all);
/** web-1 alone, with the others left; it ends so. */
function first(here: Scene, outcome: 'accepted' | 'unknown' = 'accepted'): string {
  const options = { server: 'web-1', reason: 'kernel' };
  const id = here.asks(alice, 'power.restart', options, { inTurn: { rest: '102,103' } });
  const work = here.workOf(alice, 'power.restart', options, id);
  here.does(alice, 'confirm', id);
  for (const { run, server } of work.runs) {
    const of = {
      run,
      actor: alice,
      command: work.command,
      options: work.options,
      server: { id: server.id },
      place: here.place,
    };
    here.record({ ...of, kind: 'intent', owner: 'p' }, { ...of, kind: 'outcome', outcome });
  }
  return id;
}

it('One after the other asks about the first server alone, and closes the question about all', () => {
  const here = scene();
  expect(here.presses(alice, 'turn', restarts(here))).toEqual({
    kind: 'command',
    command: {
      command: 'power.restart',
      options: { server: '101', reason: 'kernel' },
      since: 1,
      inTurn: { rest: '102,103', over: 'inv1' },
    },
  });
});

it('Next asks about the next of those that are left, whoever presses it', () => {
  const here = scene();
  expect(here.presses(bob, 'turn', first(here))).toMatchObject({
    kind: 'command',
    command: { options: { server: '102', reason: 'kernel' }, since: 4, inTurn: { rest: '103' } },
  });
});

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  [
    'by somebody else',
    (here) => here.presses(carol, 'turn', restarts(here)),
    'Only <@1400000000000000001> can continue this question.',
  ],
  [
    'of a question that was cancelled',
    (here) => {
      const id = restarts(here);
      here.does(alice, 'cancel', id);
      return here.presses(alice, 'turn', id);
    },
    'Nothing of this card is left to do',
  ],
  ['that the card does not have', (here) => here.presses(alice, 'turn', restarts(here), { offered: false }), 'is left'],
  ['after one of which nobody knows', (here) => here.presses(alice, 'turn', first(here, 'unknown')), 'is left to do'],
  [
    'once somebody has gone on',
    (here) => {
      const id = first(here);
      here.sends(bob, 'power.restart', { server: 'web-2' }, { outcome: 'accepted' });
      return here.presses(alice, 'turn', id);
    },
    'Nothing of this card is left to do',
  ],
])('%s, nothing goes on', (_, press, says) => {
  expect(told(press(scene()))).toContain(says);
});
