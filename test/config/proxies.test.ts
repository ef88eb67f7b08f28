import { describe, expect, it } from 'vitest';
import { proxyProblems, unknownVariables } from '../../src/config/environment.ts';

const real = [{ kind: 'real' }, { kind: 'sandbox' }] as const;
const wrong = (env: NodeJS.ProcessEnv): string[] => proxyProblems(env, real).map(({ what }) => what);

describe('a proxy in the environment', () => {
  it.each(['http://proxy.example.com:3128', 'https://user:secret@proxy.example.com', 'http://[::1]:3128', ''])(
    'may be %s',
    (HTTPS_PROXY) => {
      expect(wrong({ HTTPS_PROXY })).toEqual([]);
    },
  );

  it.each([
    ...['proxy.example.com', 'proxy.example.com:3128', 'socks5://127.0.0.1:1080', 'http://', '3128', 'yes'],
    'http://bot:50%off@proxy.example.com:3128',
  ])('cannot be %s: ignored, it would let requests go past it', (url) => {
    expect(wrong({ HTTPS_PROXY: url })).toEqual(['HTTPS_PROXY']);
    expect(wrong({ https_proxy: url, ALL_PROXY: url })).toEqual(['https_proxy', 'ALL_PROXY']);
  });

  it('is nobody’s mistake in the sandbox, which uses none, and its value is never repeated', () => {
    expect(proxyProblems({ HTTPS_PROXY: 'nonsense' }, [{ kind: 'sandbox' }, { kind: 'sandbox' }])).toEqual([]);
    expect(JSON.stringify(proxyProblems({ HTTPS_PROXY: 'user:canary@proxy' }, real))).not.toContain('canary');
  });

  it('is no typo of another one', () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy', 'ALL_PROXY', 'ftp_proxy'];
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
    expect(unknownVariables({ HTTPS_PROXI: 'x' })).toHaveLength(1);
  });
});
