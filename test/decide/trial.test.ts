import { expect, it } from 'vitest';
import { bob, scene, told } from '../helpers/decide/scene.ts';

/** What is pressed: the command, 0, and its options in their order. */
const tries = (payload: string, how: { offered?: boolean; typed?: string } = {}): string =>
  told(scene().presses(bob, 'trial', '', { payload, ...how }));

it.each<[string, string, string]>([
  [
    'tries the whole command, with a reason where it has one',
    tries('firewall.flush?0&web-1'),
    'tries /firewall flush reason:"to see what would be sent" server:web-1',
  ],
  ['asks for what is missing beside the server', tries('cpu.throttle?0&web-1'), 'asks /cpu throttle | Its percent'],
  [
    'goes on with what was typed then',
    tries('cpu.throttle?0&web-1', { typed: 'percent:50' }),
    'tries /cpu throttle reason:"to see what would be sent" server:web-1 percent:50',
  ],
  ['says what is wrong with it', tries('cpu.throttle?0&web-1', { typed: 'volume:50' }), 'says INVALID /cpu throttle\n'],
  ['tries nothing that does not exist any more', tries('power.dance?0&web-1'), 'Nothing of this card is left to do'],
  [
    'tries nothing that its card does not offer any more',
    tries('firewall.flush?0&web-1', { offered: false }),
    'Nothing of this card is left to do',
  ],
])('What would be sent? %s', (_what, decided, expected) => {
  expect(decided).toContain(expected);
});
