import { expect, it } from 'vitest';
import { outcomeEntry } from '../../src/decide/entries.ts';
import { alice, bob, type Scene, scene, told } from '../helpers/decide/scene.ts';

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
