import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOfRun } from '../../src/runs/entry.ts';
import { until } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ still: true, audit: true });
});
afterEach(() => world.stop());

const runs = () => world.app.entries().filter(isOfRun);

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
