import { expect, it } from 'vitest';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { until } from '../helpers/messages.ts';
import { openWorld } from '../helpers/world.ts';

const path = '/applications/*/commands';

it.each<[string, DiscordFault]>([
  ['breaks the connection', { kind: 'lose-request', by: 'close', match: { method: 'GET', path } }],
  ['answers 503 for a while', { kind: 'status', status: 503, match: { method: 'GET', path }, times: 5 }],
  ['answers 404 once, without a word of its own,', { kind: 'status', status: 404, match: { method: 'GET', path } }],
  ['loses the answer to the registration', { kind: 'lose-request', by: 'close', match: { method: 'PUT', path } }],
])('A Discord that %s during registration does not end the bot: it registers later', async (_what, fault) => {
  const world = await openWorld({ broken: [fault] });
  await until(
    () => world.logged().includes('The commands cannot be registered yet; the bot tries again.'),
    'the trouble in the log',
  );
  const written = () => world.discord.requests.filter(({ method, status }) => method === 'PUT' && status === 200);
  await until(() => written().length > 0, 'the registration');
  expect(await world.bob.types('/power boot server:web-1')).toMatch(/^panelops: ACCEPTED/m);
  expect(written()).toHaveLength(1);
});
