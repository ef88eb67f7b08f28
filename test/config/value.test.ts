import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { describeProblems, readConfig } from '../../src/config.ts';
import { configFolder, real } from '../helpers/config.ts';

const [first = '', second = ''] = rootCertificates;
const { cwd, paths, put, ...folder } = configFolder();
put('ca.pem', `A comment\n${first}\n\n${second}\n`);
put('half.pem', `${first}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
put('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
mkdirSync(join(cwd, 'folder'));

const read = (env: NodeJS.ProcessEnv) => folder.read({ ...real, ...env });
const wrong = (env: NodeJS.ProcessEnv) => folder.wrong({ ...real, ...env });

describe('a value that is wrong', () => {
  const spaces = 'There are spaces, tabs or line breaks in or around it. Remove them.';
  const quotes = 'There are quotes around it. Remove them.';
  const character = 'The token has a character in it that no token has, such as a space.';
  const mustEnd = 'The URL must end in /api, without a slash, version, query or fragment after it.';
  const mustHttps =
    'The URL must begin with https://. Plain http:// is only for loopback (127.0.0.1, localhost, [::1]).';
  const redis = 'The URL must be redis://host:port or rediss://host:port.';
  const redisEnd = 'The URL must end after the host, its port or /db, without a query or fragment.';
  const guild = 'A guild id is 17 to 19 digits and nothing else.';
  const channel = 'A channel id is 17 to 19 digits and nothing else.';

  it.each([
    ['DISCORD_TOKEN', 'MTA0.abc\n', spaces],
    ['DISCORD_TOKEN', 'MTA0\nabc', spaces],
    ['DISCORD_TOKEN', '"MTA0.abc"', quotes],
    ['DISCORD_TOKEN', 'Bot MTA0.abc', 'The token begins with "Bot ". Leave that word out: the bot adds it.'],
    ['DISCORD_TOKEN', 'MTA0 abc', character],
    ['DISCORD_TOKEN', 'MTA0…abc', character],
    ['PANEL_TOKEN', 'bearer abcdef', 'The token begins with "Bearer ". Leave that word out: the bot adds it.'],
    ['PANEL_TOKEN', 'abcdef ', spaces],
    ['DISCORD_GUILD_ID', '1234567890123456', guild],
    ['DISCORD_GUILD_ID', '12345678901234567890', guild],
    ['DISCORD_GUILD_ID', '<1100000000000000001>', guild],
    ['AUDIT_CHANNEL_ID', '<#1300000000000000002>', channel],
    ['AUDIT_CHANNEL_ID', '1234567890123456', channel],
    ['DISCORD_API_URL', 'discord.example.com/api', 'This is not a URL. It looks like https://discord.com/api.'],
    ['DISCORD_API_URL', 'https://discord.example.com', mustEnd],
    ['DISCORD_API_URL', 'https://discord.example.com/api/', mustEnd],
    ['DISCORD_API_URL', 'https://discord.example.com/api/v10', mustEnd],
    ['DISCORD_API_URL', 'https://discord.example.com/?x=/api', mustEnd],
    ['DISCORD_API_URL', 'https://discord.example.com/#/api', mustEnd],
    ['DISCORD_API_URL', 'http://discord.example.com/api', mustHttps],
    ['DISCORD_API_URL', 'ftp://127.0.0.1/api', mustHttps],
    ['DISCORD_API_URL', 'https://me:pw@discord.example.com/api', 'The URL must not contain a user name or password.'],
    ['PANEL_URL', 'http://panel.example.com', expect.stringMatching(/^It must use https/)],
    ['PANEL_URL', 'https://me:pw@panel.example.com', expect.stringMatching(/^It must not contain a user name/)],
    ['LEDGER', 'files', 'It must be one of: file, redis.'],
    ['REDIS_URL', 'localhost:6379', redis],
    ['REDIS_URL', 'http://localhost:6379', redis],
    ['REDIS_URL', 'redis://', redis],
    ['REDIS_URL', 'REDISS://redis.example.com:6380', redis],
    ['REDIS_URL', 'redis\ns://redis.example.com:6380', spaces],
    ['REDIS_URL', 'rediss://redis.example.com:6380?tls=', redisEnd],
    ['REDIS_URL', 'rediss://redis.example.com:6380/2?family=6', redisEnd],
    ['REDIS_URL', 'redis://127.0.0.1:6379?path=/tmp/redis.sock', redisEnd],
    ['REDIS_URL', 'rediss://redis.example.com:6380?', redisEnd],
    ['REDIS_URL', 'rediss://redis.example.com:6380#x', redisEnd],
    [
      'REDIS_URL',
      'redis://redis.example.com:6379',
      'The URL must begin with rediss://. Plain redis:// is only for loopback (127.0.0.1, localhost, [::1]).',
    ],
    ['REGISTER', 'on', 'It must be one of: on-start, off.'],
    ['LOG_LEVEL', 'verbose', 'It must be one of: trace, debug, info, warn, error, fatal, silent.'],
  ])('%s=%j', (name, value, rule) => {
    expect(read({ [name]: value }).problems).toMatchObject([{ what: name, rule }]);
  });

  const noCertificates = 'This file holds no readable certificates in PEM (-----BEGIN CERTIFICATE-----): ';
  it.each([
    ['POLICY_FILE', 'gone.yaml', 'There is no such file: ', ' (ENOENT).'],
    ['POLICY_FILE', 'folder', 'This is a folder, not a file: ', ' (EISDIR).'],
    ['POLICY_FILE', 'policy.yaml/deeper', 'This file cannot be read: ', ' (ENOTDIR).'],
    ['PANEL_CA_FILE', 'gone.pem', 'There is no such file: ', ' (ENOENT).'],
    ['PANEL_CA_FILE', 'key.pem', noCertificates, '.'],
    ['PANEL_CA_FILE', 'half.pem', noCertificates, '.'],
  ])('is the file %s=%s, by its path', (name, path, before, after) => {
    expect(wrong({ [name]: path })).toEqual([`${name}: ${before}${join(cwd, path)}${after}`]);
  });

  it.each([
    ['gone/policy.d/on-call_2.yaml', 'gone/policy.d/on-call_2.yaml'],
    ['MTA0NTg2.GhIjKl.abc', '…'],
    ['gone/9f8e7d6c5b4a/x.yaml', 'gone/…/x.yaml'],
    [`${'a'.repeat(41)}`, '…'],
  ])('is not quoted if it cannot be a path: %j', (path, shown) => {
    expect(wrong({ POLICY_FILE: path })).toEqual([`POLICY_FILE: There is no such file: ${join(cwd, shown)} (ENOENT).`]);
  });

  it('says what to do where there is no ./policy.yaml', () => {
    const result = readConfig(real, {}, { ...paths, cwd: join(cwd, 'folder') });
    expect(result).toMatchObject({
      problems: [
        {
          what: 'POLICY_FILE',
          rule: `There is no such file: ${join(cwd, 'folder', 'policy.yaml')} (ENOENT).`,
          where: 'Copy policy.example.yaml, which explains every key, and put in your own roles and servers.',
        },
      ],
    });
  });
});

describe('a value that is right', () => {
  it.each([
    ['DISCORD_TOKEN', 'sandbox-token'],
    ['DISCORD_GUILD_ID', '12345678901234567'],
    ['AUDIT_CHANNEL_ID', '1234567890123456789'],
    ['DISCORD_GUILD_ID', '1234567890123456789'],
    ['DISCORD_API_URL', 'https://discord.example.com/api'],
    ['DISCORD_API_URL', 'http://localhost:4000/api'],
    ['DISCORD_API_URL', 'http://[::1]:4000/api'],
    ['REDIS_URL', 'redis://127.0.0.1:6379'],
    ['REDIS_URL', 'redis://[::1]:6379'],
    ['REDIS_URL', 'rediss://redis.example.com:6380'],
    ['REDIS_URL', 'rediss://bot:p%3Fw@redis.example.com:6380/2'],
    ['PANEL_TOKEN', 'Bearer-like|token=='],
  ])('%s=%j', (name, value) => {
    expect(wrong({ [name]: value })).toEqual([]);
  });

  it('is a file of certificates, of which nothing but the certificates is taken', () => {
    expect(read({ PANEL_CA_FILE: 'ca.pem' })).toMatchObject({ config: { panel: { ca: `${first}\n${second}` } } });
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

  it('has all of them commented out', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))).toEqual([]);
  });

  it('gives defaults that are the defaults', () => {
    const defaults = Object.fromEntries(
      [...text.matchAll(/^# ([A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(defaults).toEqual({
      POLICY_FILE: './policy.yaml',
      DATA_DIR: './data',
      LEDGER: 'file',
      REGISTER: 'on-start',
      LOG_LEVEL: 'info',
    });
    expect(read(defaults)).toEqual(read({}));
  });
});

describe('the text for standard error', () => {
  it('has a headline, and of each problem its name, its rule and where to get the value', () => {
    const result = read({ DISCORD_GUILD_ID: '1', LOG_LEVEL: 'loud' });
    expect(describeProblems(result.problems)).toBe(`panelops cannot run: 2 problems in its configuration.

  DISCORD_GUILD_ID
    A guild id is 17 to 19 digits and nothing else.
    In Discord, turn on Settings, Advanced, Developer Mode. Then right-click the guild's name, Copy Server ID.

  LOG_LEVEL
    It must be one of: trace, debug, info, warn, error, fatal, silent.
    Leave it out. Use debug to find a fault.
`);
  });
});
