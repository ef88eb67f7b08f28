import { expect, it, onTestFinished } from 'vitest';
import { startHealthServer } from '../../src/health/index.ts';

async function serve(metrics = (): Promise<{ type: string; text: string }> => Promise.reject(new Error('a secret'))) {
  const readiness = () => Promise.resolve({ ready: true, parts: {} });
  const { url, close } = await startHealthServer({ host: '127.0.0.1', port: 0, readiness, metrics });
  onTestFinished(close);
  return url;
}

it.each([
  ['more than it reads', '/livez', 'x'.repeat(5_000), 'text/plain', 413],
  ['more than it reads, as JSON', '/metrics', `"${'x'.repeat(5_000)}"`, 'application/json', 413],
  ['no JSON', '/nowhere', '{', 'application/json', 400],
])('Whoever sends the health port %s learns that it is their own fault', async (_what, path, body, type, status) => {
  const answer = await fetch(`${await serve()}${path}`, { method: 'POST', body, headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
});

it('A bug in the bot is a 500 without its message', async () => {
  const answer = await fetch(`${await serve()}/metrics`);
  expect([answer.status, await answer.json()]).toEqual([500, { problem: 'The bot could not answer.' }]);
});
