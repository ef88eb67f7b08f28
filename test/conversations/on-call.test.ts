import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fetched } from '../../src/on-call/fetch.ts';
import { folderForAll } from '../helpers/ledger/samples.ts';
import { changes, until } from '../helpers/messages.ts';
import { by, calendar } from '../helpers/on-call/calendar.ts';
import { changePolicy } from '../helpers/policy/in-force.ts';
import { openShell, shellPolicy } from '../helpers/terminal.ts';
import { examplePolicy, openWorld } from '../helpers/world.ts';

const file = join(folderForAll(), 'primary');
writeFileSync(file, 'https://calendar.example/secret-path\n');

const scheduled = (people: string): string => `${examplePolicy}
on-call:
  - { name: primary, ical-file: ${file}, match: attendee, role: on-call, people: { ${people} } }
`;

const stamp = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
const hour = 3_600_000;
/** From so many hours before or after now, until which. */
const shift = (name: string, from: number, to: number): string[] => [
  `DTSTART:${stamp(Date.now() + from * hour)}`,
  `DTEND:${stamp(Date.now() + to * hour)}`,
  by(name),
];

it('/oncall says who is on call, who is next, and what is odd about it', async () => {
  const host = { answer: { kind: 'text', text: calendar(), etag: undefined } as Fetched, asked: 0 };
  const world = await openWorld({
    policy: scheduled('alice@example.com: "1400000000000000001"'),
    still: true,
    calendars: () => {
      host.asked += 1;
      return Promise.resolve(host.answer);
    },
  });
  const { alice, bob } = world.discord.people;
  const people = (stranger: string): string =>
    `alice@example.com: "${alice.id}", bob@example.com: "${bob.id}", eve@example.com: "${stranger}"`;
  await until(() => host.asked === 1, 'the first read');
  changePolicy(world, examplePolicy);
  expect(await world.alice.types('/oncall')).toContain('The policy no longer has a schedule.');
  expect(host.asked).toBe(1);

  /** Puts these entries into the calendar; and what /oncall says once they are read. */
  function says(...events: string[][]) {
    host.answer = { kind: 'text', text: calendar(...events), etag: undefined };
    changePolicy(world, scheduled(people(`14000000000000000${10 + host.asked}`)));
    return expect.poll(() => world.alice.types('/oncall'));
  }
  await says(shift('alice', -1, 2), shift('bob', -1, 9)).toMatch(
    /primary: @alice and @bob until .+\.\s+│ Next: @bob\.\s+│ Shifts overlap: each of them is on call\./,
  );
  await says(shift('alice', 3, 4)).toMatch(/primary: nobody until .+: there is a gap\.\s+│ Next: @alice\./);
  await says(shift('mallory', -1, 2)).toContain(
    '`mallory@example.com` has this shift, but `people` of primary in the policy has no such entry.',
  );
  await says(shift('eve', -1, 2)).toContain('left the guild, or have no role in it. Change the calendar.');
  host.answer = { kind: 'failed', words: 'Its host answered 503.' };
  changePolicy(world, scheduled(people('1400000000000000099')));
  await expect
    .poll(() => world.alice.types('/panel check'))
    .toContain('The calendar of primary: Its host answered 503.');
  expect(world.logged()).not.toContain('secret-path');
});

it('a right that needs the shift is decided at each click, and only while the calendar is known', async () => {
  const host = { answer: { kind: 'text', text: calendar(shift('bob', -1, 2)), etag: undefined } as Fetched };
  const narrowed = (bob: string, alice: string): string =>
    scheduled(`alice@example.com: "${alice}", bob@example.com: "${bob}"`).replace(
      'name: on-call,\n',
      'name: on-call,\n      on-call: primary,\n',
    );
  const at = scheduled('alice@example.com: "1400000000000000001"');
  const world = await openWorld({ policy: at, still: true, calendars: () => Promise.resolve(host.answer) });
  const { alice, bob } = world.discord.people;
  const policy = narrowed(bob.id, alice.id);
  const reads = (answer: Fetched, says: string) => {
    host.answer = answer;
    changePolicy(world, policy);
    return expect.poll(() => world.alice.types('/oncall')).toContain(says);
  };
  await reads(host.answer, 'primary: @bob');
  expect(await world.bob.types('/power restart server:web-1')).toContain('QUESTION');
  expect(world.ledger().at(-1)?.actor.roles).toContain('on-call:primary');

  await reads({ kind: 'text', text: calendar(shift('alice', -1, 2)), etag: undefined }, 'primary: @alice');
  const denied = await world.bob.clicks('Confirm');
  expect(denied).toContain('only while you have the shift of `primary`. /oncall says who has it.');
  await until(() => world.ledger().at(-1)?.kind === 'denied', 'the record of the denial');

  await reads({ kind: 'text', text: calendar(shift('bob', -1, 9)), etag: undefined }, 'primary: @bob');
  host.answer = { kind: 'failed', words: 'Its host answered 503.' };
  world.timePasses(hour);
  expect(await world.bob.types('/power restart server:web-2')).toContain('its calendar was not read for an hour');
  expect(await world.alice.types('/oncall')).toContain('Rights of this shift wait until it is read again.');
  expect(changes(world)).toEqual([]);
});

it('at the terminal the shift counts as well: for a dry run, and for what somebody approves', async () => {
  const onCall = scheduled('alice@example.com: "1400000000000000001"').slice(examplePolicy.length);
  const { world, opens, as } = await openShell({
    policy: `${shellPolicy}${onCall}`.replace('name: lead,\n', 'name: lead,\n      on-call: primary,\n'),
    still: true,
    calendars: () => Promise.resolve({ kind: 'text', text: calendar(shift('alice', -1, 2)), etag: undefined }),
  });
  await expect.poll(() => world.alice.types('/oncall')).toContain('primary: @alice');

  const trial = opens({ what: 'do', line: 'power poweroff server:build-1', dryRun: true }, { pipe: true });
  expect(await trial.code, trial.seen()).toBe(0);

  await world.bob.types('/firewall flush server:web-1');
  await world.bob.clicks('Ask a lead');
  const run = world.ledger().at(-1)?.run ?? '';
  as(1001);
  const at = opens({ what: 'approve', run });
  await at.after('Type "Approve"', 'approve');
  await at.after('Type "Flush web-1"', 'flush web-1');
  expect(await at.code, at.seen()).toBe(0);
  expect(world.panel.effects).toHaveLength(1);
});

it('the handover is posted once when a shift changes, pings both, and not when only somebody leaves', async () => {
  const events = [shift('alice', -9, 1), shift('bob', 0.9, 9), shift('alice', 9, 12), shift('bob', 20, 30)];
  const world = await openWorld({
    policy: scheduled('alice@example.com: "1400000000000000001"'),
    still: true,
    calendars: () => Promise.resolve({ kind: 'text', text: calendar(...events), etag: undefined }),
  });
  const { alice, bob } = world.discord.people;
  const people = `alice@example.com: "${alice.id}", bob@example.com: "${bob.id}"`;
  changePolicy(world, `${scheduled(people)}handover-at-shift: on\n`.replace('handover-pin: off\n', ''));
  await expect.poll(() => world.alice.types('/handover')).toContain('@alice until');
  const shifts = () => world.entries().flatMap((entry) => (entry.kind === 'shift' ? [entry] : []));
  expect(shifts()).toEqual([]);

  world.timePasses(0.95 * hour);
  await until(() => shifts().length === 1, 'the handover');
  expect(shifts()[0]).toMatchObject({ schedule: 'primary', before: [alice.id], after: [alice.id, bob.id] });
  const posted = world.discord.messages('bob', 'ops').filter(({ content }) => content.includes('Handover: primary'));
  expect(posted.map(({ content }) => content.match(/<@\d+>/g))).toEqual([[`<@${alice.id}>`, `<@${bob.id}>`]]);
  expect(world.bob.sees()).toContain('@alice and @bob have the shift now, until');
  expect(world.bob.sees()).toContain('Shifts overlap: each of them is on call.');

  // The end of the overlap; and a change that the bot did not see in time.
  world.timePasses(0.1 * hour);
  await expect.poll(() => world.alice.types('/oncall')).toContain('primary: @bob until');
  world.timePasses(9.5 * hour);
  await world.restart();
  changePolicy(world, `${scheduled(people)}handover-at-shift: on\n`);
  await expect.poll(() => world.alice.types('/oncall')).toContain('primary: @alice until');
  expect(shifts()).toHaveLength(1);

  world.timePasses(2 * hour);
  await until(() => shifts().length === 2, 'the handover at the gap');
  expect(shifts()[1]).toMatchObject({ before: [alice.id], after: [] });
  expect(world.bob.sees()).toContain('Nobody has the shift now, until');
  expect(world.bob.sees()).toContain(': there is a gap.');
});
