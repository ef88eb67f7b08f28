import { expect, it, onTestFinished } from 'vitest';
import { waysOf } from '../../src/check/ways.ts';

const discord = { kind: 'real', token: 't', guild: 'g' } as const;
const panel = { kind: 'real', url: 'https://panel.example.com/api/v1', token: 't' } as const;

/** What is said where the environment is like this. */
function ways(env: Record<string, string>, config: object): string | undefined {
  const before = { ...process.env };
  Object.assign(process.env, env);
  onTestFinished(() => {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  });
  // Nothing else of the configuration matters here.
  return waysOf({ discord, panel, ...config } as unknown as Parameters<typeof waysOf>[0]);
}

it('check says what goes through a proxy and what does not, without its password', () => {
  const proxied = { HTTPS_PROXY: 'http://bot:canary@proxy.example.com:3128', NO_PROXY: 'panel.example.com' };
  expect(ways(proxied, { tracesUrl: 'http://127.0.0.1:4318' })).toBe(
    'Discord through http://proxy.example.com:3128, the panel directly, the collector of traces directly',
  );
  expect(ways(proxied, { discord: { kind: 'sandbox' }, panel: { kind: 'sandbox' } })).toBeUndefined();
});

it('and nothing where there is no proxy', () => {
  expect(ways({}, {})).toBeUndefined();
});
