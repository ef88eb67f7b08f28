import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { configFolder, real } from './helpers/config.ts';

const { cwd, paths, put, config, wrong } = configFolder();
put('other.yaml', 'roles: other\n');

describe('a configuration that is right', () => {
  it('is the sandbox when nothing at all is set', () => {
    expect(config({ PATH: '/bin', HOME: '/root' })).toEqual({
      discord: { kind: 'sandbox' },
      panel: { kind: 'sandbox' },
      policyFile: join(cwd, 'policy.example.yaml'),
      policyText: 'roles: example\n',
      dataDir: join(cwd, 'data', 'sandbox'),
      ledger: 'file',
      register: 'on-start',
      logLevel: 'warn',
      shellSocket: '/run/panelops/shell.sock',
      quiet: false,
    });
  });

  it('serves a real guild and a real panel with four variables and ./policy.yaml', () => {
    expect(config(real)).toEqual({
      discord: { kind: 'real', token: 'MTA0.abc-DEF_1.xyz', guild: '1100000000000000001' },
      panel: { kind: 'real', url: 'https://panel.example.com/api/v1', token: 'abcdef0123456789' },
      policyFile: join(cwd, 'policy.yaml'),
      policyText: 'roles: mine\n',
      dataDir: join(cwd, 'data'),
      ledger: 'file',
      register: 'on-start',
      logLevel: 'info',
      shellSocket: '/run/panelops/shell.sock',
      quiet: false,
    });
  });

  it('takes everything else that can be set', () => {
    const all = {
      ...real,
      DISCORD_API_URL: 'http://127.0.0.1:4000/api',
      AUDIT_CHANNEL_ID: '1300000000000000002',
      PANEL_URL: 'http://127.0.0.1:4001/api/v1/',
      POLICY_FILE: 'other.yaml',
      DATA_DIR: '/var/lib/panelops',
      LEDGER: 'redis',
      REDIS_URL: 'rediss://:secret@redis.example.com:6380/2',
      REGISTER: 'off',
      LOG_LEVEL: 'silent',
    };
    expect(config(all, { quiet: true })).toEqual({
      discord: {
        kind: 'real',
        token: 'MTA0.abc-DEF_1.xyz',
        guild: '1100000000000000001',
        apiUrl: 'http://127.0.0.1:4000/api',
        audit: '1300000000000000002',
      },
      panel: { kind: 'real', url: 'http://127.0.0.1:4001/api/v1', token: 'abcdef0123456789' },
      policyFile: join(cwd, 'other.yaml'),
      policyText: 'roles: other\n',
      dataDir: '/var/lib/panelops',
      ledger: 'redis',
      redisUrl: 'rediss://:secret@redis.example.com:6380/2',
      register: 'off',
      logLevel: 'silent',
      shellSocket: '/run/panelops/shell.sock',
      quiet: true,
    });
  });
});

describe('one side from the sandbox', () => {
  it('takes Discord from the sandbox beside a panel on loopback, with the packaged policy', () => {
    const env = { DISCORD_TOKEN: 'sandbox', PANEL_URL: 'http://127.0.0.1:4001', PANEL_TOKEN: 'abcdef0123456789' };
    expect(config(env)).toMatchObject({
      discord: { kind: 'sandbox' },
      panel: { kind: 'real', url: 'http://127.0.0.1:4001/api/v1' },
      policyText: 'roles: example\n',
    });
    expect(config({ ...env, POLICY_FILE: 'other.yaml' })).toMatchObject({ policyText: 'roles: other\n' });
  });

  it('takes the panel from the sandbox, and needs no token for it', () => {
    const { PANEL_TOKEN: _, ...env } = { ...real, PANEL_URL: 'sandbox' };
    expect(config(env)).toMatchObject({
      discord: { kind: 'real', token: 'MTA0.abc-DEF_1.xyz' },
      panel: { kind: 'sandbox' },
      policyText: 'roles: mine\n',
    });
  });

  it('takes both when both are said, whatever else is left over', () => {
    const env = { ...real, DISCORD_TOKEN: 'sandbox', PANEL_URL: ' Sandbox ', DISCORD_GUILD_ID: 'x', PANEL_TOKEN: ' ' };
    expect(config(env)).toMatchObject({ discord: { kind: 'sandbox' }, panel: { kind: 'sandbox' } });
  });

  it.each([
    'https://panel.example.com',
    'https://192.0.2.1',
    'https://127.0.0.1.example.com',
    'https://localhost.example',
  ])('refuses a panel elsewhere (%s) with the Discord of the sandbox, where anybody can be alice', (url) => {
    const problems = wrong({ DISCORD_TOKEN: 'sandbox', PANEL_URL: url, PANEL_TOKEN: 'abcdef0123456789' });
    expect(problems).toEqual([expect.stringMatching(/^PANEL_URL: With the sandbox's Discord .* on loopback/)]);
  });

  it.each(['http://localhost:4001', 'https://127.0.0.1', 'http://[::1]:4001'])(
    'takes a panel on loopback: %s',
    (url) => {
      expect(wrong({ DISCORD_TOKEN: 'sandbox', PANEL_URL: url, PANEL_TOKEN: 'abcdef0123456789' })).toEqual([]);
    },
  );
});

describe('a configuration that is partly set', () => {
  const missingWith = (name: string): Record<string, string> => ({
    DISCORD_TOKEN: `DISCORD_TOKEN: It is not set. ${name} is set, so not everything comes from the sandbox. DISCORD_TOKEN=sandbox takes Discord from the sandbox.`,
    DISCORD_GUILD_ID: 'DISCORD_GUILD_ID: It is not set.',
    PANEL_URL: `PANEL_URL: It is not set. ${name} is set, so not everything comes from the sandbox. PANEL_URL=sandbox takes the panel from the sandbox.`,
    PANEL_TOKEN: 'PANEL_TOKEN: It is not set.',
  });

  it.each(Object.keys(missingWith('')))('lists all the others when only %s is set', (name) => {
    const { [name]: _, ...others } = missingWith(name);
    expect(wrong({ [name]: Object.entries(real).find(([each]) => each === name)?.[1] })).toEqual(Object.values(others));
  });

  it.each([
    ['POLICY_FILE', 'other.yaml'],
    ['DISCORD_API_URL', 'https://discord.example.com/api'],
    ['AUDIT_CHANNEL_ID', '1300000000000000002'],
    ['REDIS_URL', 'redis://127.0.0.1:6379'],
  ])('is no sandbox when only %s is set', (name, value) => {
    expect(wrong({ [name]: value })).toEqual(Object.values(missingWith(name)));
  });

  it.each(['DISCORD_TOKEN', 'PANEL_TOKEN', 'POLICY_FILE'])('is no sandbox when %s is there but empty', (name) => {
    const empty = `${name}: It is set, but empty. Give it a value, or remove it.`;
    expect(wrong({ [name]: '' })).toEqual(Object.values({ ...missingWith(name), [name]: empty }));
  });

  it.each([
    ['HTTP_PORT', '8199'],
    ['DATA_DIR', './elsewhere'],
    ['LOG_LEVEL', 'debug'],
  ])('is the sandbox when only %s is set', (name, value) => {
    expect(config({ [name]: value })).toMatchObject({ discord: { kind: 'sandbox' }, panel: { kind: 'sandbox' } });
  });

  it('wants the panel when Discord alone is taken from the sandbox, and the other way round', () => {
    const [one, other] = [missingWith('DISCORD_TOKEN'), missingWith('PANEL_URL')];
    expect(wrong({ DISCORD_TOKEN: 'sandbox' })).toEqual([one['PANEL_URL'], one['PANEL_TOKEN']]);
    expect(wrong({ PANEL_URL: 'sandbox' })).toEqual([other['DISCORD_TOKEN'], other['DISCORD_GUILD_ID']]);
  });

  it('reports all that is wrong at once, the policy included', () => {
    const env = { DISCORD_TOKEN: '"x"', DISCORD_GUILD_ID: '1', PANEL_TOKN: 'x', PANEL_URL: 'ftp://x', LEDGER: 'redis' };
    const check = () => [{ place: 'roles[0].role (line 2)', rule: 'A rule.' }];
    const read = readConfig(env, {}, paths, check);
    expect(read.problems.map(({ what }) => what)).toEqual([
      'PANEL_TOKN',
      'DISCORD_TOKEN',
      'DISCORD_GUILD_ID',
      'PANEL_URL',
      'PANEL_TOKEN',
      'roles[0].role (line 2)',
      'REDIS_URL',
    ]);
  });
});

describe("Node's own switch for certificates", () => {
  it('must not turn their check off', () => {
    expect(wrong({ ...real, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED: It must not be 0: certificates would not be checked, and the tokens would go to whoever answers.',
    ]);
    expect(wrong({ ...real, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });
});

describe('several processes', () => {
  const shared = { ...real, LEDGER: 'redis', REDIS_URL: 'redis://127.0.0.1:6379' };

  it('keep the ledger in the Redis that REDIS_URL names', () => {
    const { REDIS_URL: _, ...env } = shared;
    expect(wrong(env)).toEqual(['REDIS_URL: It is not set. LEDGER=redis keeps the ledger there.']);
    expect(wrong({ ...env, REDIS_URL: 'x' })).toEqual([
      'REDIS_URL: The URL must be redis://host:port or rediss://host:port.',
    ]);
  });

  it('cannot share a sandbox, whose ledger stays out of the real one', () => {
    const onlyFile =
      'LEDGER: With the sandbox on either side it must be file: what is tried there must not stand among what is real.';
    const env = { ...shared, PANEL_URL: 'sandbox' };
    expect(wrong(env)).toEqual([onlyFile]);
  });
});

describe('the policy that is checked', () => {
  function checked(env: NodeJS.ProcessEnv) {
    const seen: [string, string | undefined][] = [];
    readConfig(env, {}, paths, (text, guild) => {
      seen.push([text, guild]);
      return [];
    });
    return seen;
  }

  it('is the one that is used, with the guild that it is for', () => {
    expect(checked(real)).toEqual([['roles: mine\n', '1100000000000000001']]);
    expect(checked({})).toEqual([['roles: example\n', undefined]]);
    expect(checked({ ...real, DISCORD_GUILD_ID: 'x' })).toEqual([['roles: mine\n', undefined]]);
    expect(checked({ ...real, POLICY_FILE: 'gone.yaml' })).toEqual([]);
  });
});
