import type { ConfigProblem } from './value.ts';

/** A proxy of any protocol, in the forms that other programs read, too. */
export const isProxyVariable = (name: string): boolean => /^[a-z]+_proxy$/i.test(name);

const isUsable = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';

/** The proxies that cannot be used: ignored, they would let requests go past what the network wants. */
export function proxyProblems(env: NodeJS.ProcessEnv, sides: readonly { kind: 'real' | 'sandbox' }[]): ConfigProblem[] {
  if (sides.every(({ kind }) => kind === 'sandbox')) return [];
  return Object.keys(env)
    .filter((name) => /^(?:https?|all)_proxy$/i.test(name) && env[name] !== '' && !isUsable(env[name] ?? ''))
    .map((what) => ({
      what,
      rule: 'It must be the URL of an HTTP proxy that opens tunnels. It looks like http://proxy.example.com:3128.',
      where: 'Ask the operator of the network, or remove it. NO_PROXY names hosts that need no proxy.',
    }));
}
