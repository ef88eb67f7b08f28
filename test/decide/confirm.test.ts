import { expect, it } from 'vitest';
import { alice, as, bob, carol, dora, type Scene, scene, told } from '../helpers/decide/scene.ts';

const flush = (here: Scene): string => here.asks(alice, 'firewall.flush', { server: 'web-1' });
const restore = (here: Scene): string =>
  here.asks(alice, 'backup.restore', { server: 'web-1', disks: '0', reason: 'x' });
const approvedToo = ['commands:\n', 'commands:\n  - { match: [firewall.flush], approvals: 1 }\n'] as const;

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  ['by its requester', (here) => here.presses(alice, 'confirm', flush(here)), 'records confirmed, then sends'],
  [
    'of two servers at once',
    (here) => here.presses(alice, 'confirm', here.asks(alice, 'firewall.disable', { server: 'web-1,web-2' })),
    'records confirmed, confirmed, then sends',
  ],
  [
    'by another person who may run it',
    (here) => here.presses(dora, 'confirm', flush(here)),
    'says NOT-SENT /firewall flush\nOnly <@1400000000000000001> can confirm this question. Your click changed nothing.\nIf you may run the command, you can cancel this one, or type it yourself.',
  ],
  [
    'by somebody who may not',
    (here) => here.presses(carol, 'confirm', flush(here)),
    'denies DENIED /firewall flush\nNot allowed: none of your roles has the permission `firewall.flush`.\nRoles that may: `lead`.\nNothing was sent.',
  ],
  [
    'by the requester whose role has gone since',
    (here) => here.presses(as(alice, 'on-call'), 'confirm', here.asks(alice, 'power.poweroff', { server: 'lab-2' })),
    'denies DENIED /power poweroff\nNot allowed: your roles have `power.poweroff`, but not for `202`, or the policy names no such server.',
  ],
  [
    'with the name of the server',
    (here) => here.presses(alice, 'confirm', restore(here), { typed: ' WEB-1 ' }),
    'records confirmed, then sends',
  ],
  [
    'with another name',
    (here) => here.presses(alice, 'confirm', restore(here), { typed: 'web-2' }),
    'What you typed is not `web-1`. Nothing was sent; the question stays open.',
  ],
  [
    'in a private thread that the bot has not joined',
    (here) => here.presses(alice, 'confirm', flush(here), { mayReturn: false }),
    '**Add me to this thread first**: it is private',
  ],
  [
    'that somebody else must approve, too',
    (here) => {
      here.changePolicy(...approvedToo);
      return here.presses(alice, 'confirm', flush(here));
    },
    'records confirmed',
  ],
  [
    'that nobody is asked to approve, because it is frozen',
    (here) => {
      here.changePolicy(...approvedToo);
      const id = flush(here);
      const place = { guild: '1', channel: '2' };
      here.record({ kind: 'frozen', actor: dora, until: '2026-11-20T22:00:00.000Z', why: 'x', place });
      return here.presses(alice, 'confirm', id);
    },
    'records confirmed, blocked frozen',
  ],
  [
    'of a question from before the policy wanted an approval',
    (here) => {
      const id = flush(here);
      here.changePolicy(...approvedToo);
      return here.presses(alice, 'confirm', id);
    },
    'Since this question, the policy wants it approved by others, too. Nothing was sent.',
  ],
  [
    'of a question from before the policy wanted the name typed',
    (here) => {
      const id = flush(here);
      here.changePolicy('commands:\n', 'commands:\n  - { match: [firewall.flush], typed: true }\n');
      return here.presses(alice, 'confirm', id);
    },
    'Since this question, the policy wants the name of the server typed to confirm. Nothing was sent.',
  ],
  [
    'of a server that has another name by now',
    (here) => {
      const id = restore(here);
      here.changePolicy('name: web-1,', 'name: web-9,');
      return here.presses(alice, 'confirm', id, { typed: 'web-1' });
    },
    'Since this was asked, web-1 (101, production) has become web-9 (101, production). Nothing was sent.',
  ],
])('Confirm %s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toContain(expected);
});

it('what is confirmed a second time was confirmed already', () => {
  const here = scene();
  const id = flush(here);
  here.does(alice, 'confirm', id);
  expect(told(here.presses(alice, 'confirm', id))).toMatch(/says .*\n`alice` confirmed this <t:\d+:R>\. Your click/);
});

it('what was said by somebody who waits is taken back with the question', () => {
  const here = scene();
  const wrong = here.presses(alice, 'confirm', restore(here), { typed: 'web-2' });
  expect(wrong).toMatchObject({ kind: 'answer', isAside: true });
});

it('a form asks for the name, of the requester alone; what it submits confirms', () => {
  const here = scene();
  const id = restore(here);
  const opened = here.presses(alice, 'typed', id);
  expect(told(opened)).toBe('asks /backup restore · web-1 | Type web-1');
  const [, payload = ''] = opened.kind === 'form' ? (opened.form.id ?? '').split('confirm:') : [];
  expect(told(here.presses(alice, 'confirm', id, { payload, typed: 'web-1' }))).toBe('records confirmed, then sends');
  expect(told(here.presses(dora, 'typed', id))).toContain('Only <@1400000000000000001> can confirm');
  expect(told(here.presses(bob, 'typed', id))).toContain('DENIED /backup restore');
});
