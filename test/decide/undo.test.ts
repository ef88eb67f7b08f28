import { expect, it } from 'vitest';
import { alice, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

const undoing = (server: string) => ({ command: 'firewall.enable', options: { server, interface: 'primary' } });
/** Alice has disabled the firewall of web-1. */
const disabled = (here: Scene): string =>
  here.sends(alice, 'firewall.disable', { server: 'web-1' }, { outcome: 'succeeded', undo: undoing('101') });
const failed = (here: Scene, server = 'web-1'): string => here.fails(alice, 'firewall.disable', { server });

it('Undo types what undoes it, for whoever presses it', () => {
  const here = scene();
  expect(here.presses(bob, 'undo', disabled(here))).toEqual({
    kind: 'command',
    command: {
      command: 'firewall.enable',
      options: { server: '101', interface: 'primary', reason: 'undo of run inv1' },
      undoes: 'inv1',
    },
  });
});

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  [
    'Undo of what was undone says so',
    (here) => {
      const id = disabled(here);
      here.sends(bob, 'firewall.enable', { server: 'web-1' }, { outcome: 'succeeded' });
      return here.presses(bob, 'undo', id);
    },
    'says NOT-SENT this button\nNothing of this card is left to do',
  ],
  [
    'Undo of what was undone is denied to whoever could not do it',
    (here) => {
      const id = disabled(here);
      here.sends(bob, 'firewall.enable', { server: 'web-1' }, { outcome: 'succeeded' });
      return here.presses(carol, 'undo', id);
    },
    'denies DENIED /firewall enable',
  ],
  [
    'Undo that the card does not have',
    (here) => here.presses(bob, 'undo', disabled(here), { offered: false }),
    'Nothing of this card is left to do',
  ],
  ['Undo of nothing', (here) => here.presses(bob, 'undo', 'inv9'), 'Nothing of this card is left to do'],
  ['Ask again', (here) => here.presses(bob, 'again', failed(here)), 'types /firewall disable'],
  [
    'Ask again about those of which nothing was done',
    (here) => {
      const id = failed(here, 'web-1,web-2');
      here.sends(bob, 'firewall.disable', { server: 'web-1' }, { outcome: 'succeeded' });
      return here.presses(bob, 'again', id);
    },
    'server:102',
  ],
  [
    'Ask again about what was done since',
    (here) => {
      const id = failed(here);
      here.sends(bob, 'firewall.disable', { server: 'web-1' }, { outcome: 'succeeded' });
      return here.presses(bob, 'again', id);
    },
    'Nothing of this card is left to do',
  ],
  [
    'Ask again about what was done',
    (here) => here.presses(bob, 'again', disabled(here)),
    'Nothing of this card is left',
  ],
  [
    'Apply what was only stored',
    (here) => {
      const stored = { server: 'web-1', sync: false };
      return here.presses(bob, 'apply', here.sends(alice, 'firewall.disable', stored, { outcome: 'accepted' }));
    },
    'types /firewall sync',
  ],
  [
    'Apply what was applied',
    (here) => here.presses(bob, 'apply', disabled(here)),
    'Nothing of this card is left to do',
  ],
])('%s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toContain(expected);
});

it('a card whose Undo is no longer so is drawn again', () => {
  const here = scene();
  const id = disabled(here);
  here.sends(bob, 'firewall.enable', { server: 'web-1' }, { outcome: 'succeeded' });
  expect(here.presses(bob, 'undo', id)).toMatchObject({ kind: 'answer', isOutdated: true });
});

it('Power off of a shutdown that takes long is about the servers that still shut down', () => {
  const here = scene();
  const id = here.sends(bob, 'power.shutdown', { server: 'web-1,web-2' }, { outcome: 'accepted' });
  const deadline = '2026-11-20T22:00:00.000Z';
  for (const n of [1, 2]) {
    const outcome = here.state(id, n)?.outcome ?? expect.fail('it has not ended');
    const { run, actor, command, options, server, place } = outcome;
    const of = { run, actor, command, options, server, place, kind: 'follow-up', follow: 'power', job: n } as const;
    here.record({ ...of, step: 'started', deadline });
    if (n === 1) here.record({ ...of, step: 'ended', end: 'finished' });
  }
  expect(told(here.presses(bob, 'off', id))).toBe('types /power poweroff server:102');
  expect(told(here.presses(bob, 'off', id, { offered: false }))).toContain('Nothing of this card is left to do');
});
