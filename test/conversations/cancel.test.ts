import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOfRun } from '../../src/runs/entry.ts';
import { asks, changes, ended, idOf, messageOf, stateOf, textOf, until, whisperAfter } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ still: true, audit: true });
});
afterEach(() => world.stop());

const runs = () => world.app.entries().filter(isOfRun);
const click = (who: string, card: Awaited<ReturnType<typeof asks>>, label: string): Promise<unknown> =>
  world.discord.click(who, card.id, idOf(card, label));

test('whoever may change anything on that server stops a question about what only others may do', async () => {
  // bob may not restore, but boot: he sees that it is the wrong server.
  const question = await asks(world, '/backup restore server:web-1 disks:0 reason:"lost update"');
  await click('bob', question, 'Cancel');
  const card = await ended(world, question);
  expect(stateOf(card)).toBe('CANCELLED');
  expect(textOf(card)).toContain('Cancelled by <@1400000000000000002>.');
  expect(runs().map(({ kind }) => kind)).toEqual(['asked', 'outcome']);
  expect(runs().at(-1)).toMatchObject({
    ...{ kind: 'outcome', outcome: 'cancelled', command: 'backup.restore' },
    actor: { name: 'bob' },
  });
  expect(changes(world)).toEqual([]);
});

test('whoever may change nothing there stops nothing, and the ledger has who pressed what on whose run', async () => {
  const question = await asks(world, '/power shutdown server:lab-1');
  const { run } = runs()[0] ?? { run: '' };
  const told = await whisperAfter(world, question, 'bob', () => click('bob', question, 'Cancel'));
  expect(told).toContain('DENIED /power shutdown');
  expect(told).toContain('Not allowed: to cancel this, you must be allowed to change something on lab-1 (201).');
  expect(told).toContain('Roles that may: `lead`.');
  await whisperAfter(world, question, 'carol', () => click('carol', question, 'Confirm'));
  expect(stateOf(messageOf(world, question.id))).toBe('QUESTION');
  const denied = await until(() => {
    const found = runs().filter(({ kind }) => kind === 'denied');
    return found.length === 2 && found;
  }, 'two denials');
  expect(denied).toMatchObject([
    { actor: { name: 'bob' }, pressed: { button: 'cancel', run, of: { name: 'alice' } } },
    { actor: { name: 'carol' }, pressed: { button: 'confirm', run, of: { name: 'alice' } } },
  ]);
  await until(() => world.alice.sees('audit').includes('@carol'), 'the trail');
  expect(world.alice.sees('audit')).toMatch(
    /DENIED `cancel on \/power shutdown` · lab-1 \(201\) · @bob · run .* of @alice/,
  );
  expect(await world.alice.types('/audit history server:lab-1')).toContain('DENIED');
});

test('a typed command that is denied is no click', async () => {
  await world.carol.types('/power boot server:web-1');
  const denied = await until(() => runs().find(({ kind }) => kind === 'denied'), 'the denial');
  expect(denied).not.toHaveProperty('pressed');
});

test('Undo without the right is a click on the run that it would have undone', async () => {
  await world.alice.types('/firewall disable server:web-1');
  await world.alice.clicks('Confirm');
  const { run } = runs()[0] ?? { run: '' };
  expect(await world.carol.clicks('Undo')).toContain('DENIED /firewall enable');
  const denied = await until(() => runs().find(({ kind }) => kind === 'denied'), 'the denial');
  expect(denied).toMatchObject({ command: 'firewall.enable', pressed: { button: 'undo', run, of: { name: 'alice' } } });
});
