import { expect, it } from 'vitest';
import type { Decision } from '../../src/decide/decision.ts';
import { titleOf } from '../../src/decide/notes.ts';
import { invocationIdOf } from '../../src/runs/ids.ts';
import { expiryOf } from '../../src/runs/state.ts';
import { alice, as, bob, carol, mallory, type Scene, scene, told } from '../helpers/decide/scene.ts';

const reasonToo = ['commands:\n', 'commands:\n  - { match: [power.boot, ipv4.remove], reason: required }\n'] as const;
const boot = { server: 'web-1' };

/** The id of the form that a command opens. */
const formOf = (decision: Decision): string =>
  decision.kind === 'form' ? (decision.form.id ?? '') : expect.fail(told(decision));
const submits = (here: Scene, who: typeof bob, form: string, typed = 'it is down'): Decision =>
  here.presses(who, 'reason', '', { typed, payload: form.slice('reason:'.length), offered: false });

it.each<[string, (here: Scene) => Decision, string]>([
  ['a read, for whoever typed it', (here) => here.types(carol, 'server.show', boot), 'reads server.show for them'],
  [
    'a change without a question',
    (here) => here.types(bob, 'power.boot', { ...boot, reason: 'x' }),
    'starts power.boot',
  ],
  ['a change with one', (here) => here.types(bob, 'power.restart', boot), 'starts power.restart, which asks'],
  [
    'nothing that this person may not run',
    (here) => here.types(carol, 'power.restart', boot),
    'denies DENIED /power restart',
  ],
  [
    'nothing that does not exist any more',
    (here) => here.types(bob, 'power.dance', boot),
    'The bot no longer has this command.',
  ],
  [
    'nothing where the bot cannot say how it ends',
    (here) => here.types(bob, 'power.restart', boot, { mayReturn: false }),
    'Add me to this thread first',
  ],
  [
    'a read there all the same',
    (here) => here.types(bob, 'server.show', boot, { mayReturn: false }),
    'reads server.show',
  ],
  [
    'no form where the bot cannot say how it ends',
    (here) => here.types(bob, 'power.boot', boot, { mayReturn: false }),
    'Add me to this thread first',
  ],
  [
    'no more questions than one person may have',
    (here) => {
      for (let n = 0; n < 10; n += 1) here.asks(bob, 'power.restart', boot);
      return here.types(bob, 'power.restart', boot);
    },
    '10 of your questions wait for Confirm, which is the most allowed.',
  ],
  [
    'a change without a question beside them',
    (here) => {
      for (let n = 0; n < 10; n += 1) here.asks(bob, 'power.restart', boot);
      return here.types(bob, 'power.boot', { ...boot, reason: 'x' });
    },
    'starts power.boot',
  ],
  [
    'a request to others after a denial, which runs nothing',
    (here) => here.types(bob, 'firewall.flush', boot, { denied: here.denies(bob, 'firewall.flush', boot) }),
    'starts firewall.flush, which asks',
  ],
  [
    'no request of what they may run by now',
    (here) => here.types(alice, 'firewall.flush', boot, { denied: here.denies(alice, 'firewall.flush', boot) }),
    'You may now run it yourself: type the command.',
  ],
])('%s', (_what, decided, expected) => {
  expect(told(decided(scene(reasonToo)))).toContain(expected);
});

it('each right counts where its role has it: who reads some servers and boots others reads none of those', () => {
  const here = scene(
    ['name: viewer, allow: [read]', 'name: viewer, allow: [read], servers: ["web-*"]'],
    ['allow: ["*", approve,', 'allow: [power.boot, approve,'],
  );
  const both = as(carol, 'viewer', 'lead');
  expect(told(here.types(both, 'traffic.show', { server: 'web-1' }))).toBe('reads traffic.show for them');
  expect(told(here.types(both, 'traffic.show', { server: 'db-1' }))).toContain('denies DENIED /traffic show');
  expect(told(here.types(both, 'server.show', { server: 'db-1' }))).toContain('denies DENIED /server show');
  expect(told(here.types(both, 'power.boot', { server: 'db-1' }))).toBe('starts power.boot');
});

it.each<[string, (here: Scene) => Decision, string]>([
  [
    'asks for the reason that is missing',
    (here) => here.types(bob, 'power.boot', boot),
    'asks /power boot · web-1 | Why? For the ledger and the card',
  ],
  [
    'types the command with it, as it was typed',
    (here) => submits(here, bob, formOf(here.types(bob, 'power.boot', boot))),
    'types /power boot server:101',
  ],
  [
    'is of one person',
    (here) => submits(here, alice, formOf(here.types(bob, 'power.boot', boot))),
    'This form is too old, or not yours. Nothing was sent now.',
  ],
  [
    'is of one channel',
    (here) => {
      const form = formOf(here.types(bob, 'power.boot', boot));
      const place = { guild: '1100000000000000001', channel: '1300000000000000002', message: '' };
      return here.presses(bob, 'reason', '', { typed: 'x', payload: form.slice('reason:'.length), place });
    },
    'This form is too old, or not yours.',
  ],
  [
    'is of one command, with its options',
    (here) => submits(here, bob, formOf(here.types(bob, 'power.boot', boot)).replace('101', '102')),
    'This form is too old, or not yours.',
  ],
  [
    'is what the bot made, and nothing else',
    (here) => submits(here, bob, 'reason:1500000000000000001'),
    'This form is too old, or not yours.',
  ],
  [
    'waits for 15 minutes',
    (here) => {
      const form = formOf(here.types(bob, 'power.boot', boot));
      here.passes(15 * 60_000);
      return submits(here, bob, form);
    },
    'Type the command again. Your reason:\n```\nit is down\n```',
  ],
  [
    'is asked for again by none that has been submitted',
    (here) => here.types(bob, 'power.boot', boot, { typed: '   ' }),
    'the policy wants a reason for this command.',
  ],
  [
    'goes on with what was typed into it',
    (here) => here.types(bob, 'power.boot', boot, { typed: 'it is down' }),
    'starts power.boot',
  ],
  [
    'is nothing to who may no longer run it',
    (here) => here.types(as(bob, 'viewer'), 'power.boot', boot, { typed: 'it is down' }),
    'denies DENIED /power boot',
  ],
  [
    'is not there for a command that does not fit: the line is given back',
    (here) =>
      here.types(alice, 'ipv4.remove', {
        ...boot,
        addresses: '192.0.2.101,192.0.2.102,192.0.2.103,192.0.2.104,192.0.2.105',
      }),
    'the policy wants a reason for this command.',
  ],
  [
    'behind a button is that press again',
    (here) => here.types(bob, 'power.boot', boot, { button: 'off:inv1' }),
    'asks /power boot · web-1',
  ],
])('The form for a reason %s', (_what, decided, expected) => {
  expect(told(decided(scene(reasonToo)))).toContain(expected);
});

it('Who has too many open questions is told when the oldest runs out, which is later where it waits for an approval', () => {
  const here = scene(['commands:\n', 'commands:\n  - { match: [power.poweroff], approvals: 1 }\n']);
  const first = here.asks(bob, 'power.poweroff', boot);
  for (let n = 1; n < 10; n += 1) here.asks(bob, 'power.restart', boot);
  here.does(bob, 'confirm', first);
  expect(told(here.types(bob, 'power.restart', boot))).toContain(
    `The oldest runs out <t:${Math.round(expiryOf(here.state(first) ?? expect.fail()) / 1_000)}:R>.`,
  );
});

it('The form for a reason is taken once: the ledger has the command by then', () => {
  const here = scene(reasonToo);
  const form = formOf(here.types(bob, 'power.boot', boot));
  const decision = submits(here, bob, form);
  const of = decision.kind === 'command' ? invocationIdOf(decision.of ?? '') : '';
  here.fails(bob, 'power.boot', boot, of);
  expect(told(submits(here, bob, form))).toContain('This was already sent: see the card that came of it.');
});

it('A form is titled by the command and its servers, and never longer than Discord takes', () => {
  expect(titleOf('/power boot', [])).toBe('/power boot');
  expect(titleOf('/power boot', [{ id: 101, name: 'web-1' }])).toBe('/power boot · web-1');
  expect(titleOf('/power boot', [{ id: 1 }, { id: 2 }])).toBe('/power boot · 2 servers');
  const long = titleOf('/whitelist remove', [{ id: 1, name: `${'x'.repeat(23)}😀y` }]);
  expect(long).toBe(`/whitelist remove · ${'x'.repeat(23)}…`);
  expect(titleOf('/power boot', [{ id: 1, name: 'a\u202e\nb' }])).toBe('/power boot · a b');
});

it.each<[string, (here: Scene) => Decision, string]>([
  [
    'shows a page of a private answer',
    (here) => here.presses(carol, 'page', '', { payload: 'hypervisors.groups?1', isPrivate: true }),
    'reads hypervisors.groups for them',
  ],
  [
    'shows a page of a public one to everybody',
    (here) => here.presses(carol, 'page', '', { payload: 'hypervisors.groups?1' }),
    'reads hypervisors.groups for everybody',
  ],
  [
    'shows no audit in public',
    (here) => here.presses(alice, 'page', '', { payload: 'audit.history?1' }),
    'Nothing of this card is left to do',
  ],
  [
    'changes nothing',
    (here) => here.presses(alice, 'page', '', { payload: 'power.boot?0&101', isPrivate: true }),
    'Nothing of this card is left to do',
  ],
  [
    'reads nothing that the card does not offer',
    (here) => here.presses(carol, 'page', '', { payload: 'hypervisors.groups?1', offered: false }),
    'Nothing of this card is left to do',
  ],
  [
    'reads nothing for who may not',
    (here) => here.presses(mallory, 'page', '', { payload: 'hypervisors.groups?1', isPrivate: true }),
    'denies DENIED',
  ],
  [
    'shares a private answer',
    (here) => here.presses(carol, 'share', '', { payload: 'server.show:101', isPrivate: true }),
    'posts the card',
  ],
  [
    'shares no audit',
    (here) => here.presses(alice, 'share', '', { payload: 'audit.history:', isPrivate: true }),
    'Nothing of this card is left to do',
  ],
  [
    'shares nothing that everybody sees already',
    (here) => here.presses(carol, 'share', '', { payload: 'server.show:101' }),
    'Nothing of this card is left to do',
  ],
  [
    'shares nothing that no card offers',
    (here) => here.presses(carol, 'share', '', { payload: 'server.show:101', isPrivate: true, offered: false }),
    'Nothing of this card is left to do',
  ],
  [
    'shares nothing for who may read it no longer',
    (here) => here.presses(mallory, 'share', '', { payload: 'server.show:101', isPrivate: true }),
    'denies DENIED',
  ],
])('A button of a read %s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toContain(expected);
});
