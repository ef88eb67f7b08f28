import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvFile, readText } from '../../src/config.ts';
import { configFolder, real } from '../helpers/config.ts';

/** What is wrong, one "what: rule" each; or what it sets. */
function read(text: string) {
  const found = readEnvFile(text);
  return 'problems' in found ? found.problems.map(({ what, rule }) => `${what}: ${rule}`) : found.env;
}

const empty = 'It is set, but empty. Give it a value, or remove it.';
const comment = 'The # begins a comment, so that there is no value. Put the value in single quotes.';
const inside = 'Many programs take what follows the # for a comment. Put the value in single quotes.';
const open = 'The quote at its start must be closed at the end of the same line.';
const noLine = 'This line does not have the form NAME=value. A comment begins with #.';
const spaces = 'There are spaces, tabs or line breaks in or around it. Remove them.';
const quotes = 'There are quotes around it. Remove them.';
const unreplaced =
  'It begins with ~ or names a variable, and nothing replaces that here. Write out what it stands for.';

describe('a line of .env', () => {
  it.each([
    ['PANEL_TOKEN=abc', 'abc'],
    ['PANEL_TOKEN = abc', 'abc'],
    ['\texport PANEL_TOKEN=abc\t', 'abc'],
    ['PANEL_TOKEN=abc # for the bot alone', 'abc'],
    ['PANEL_TOKEN=abc\t#', 'abc'],
    ["PANEL_TOKEN='abc#def' # ours", 'abc#def'],
    ['PANEL_TOKEN="abc def" # ours', 'abc def'],
    ['PANEL_TOKEN=`a"\'b`', 'a"\'b'],
    ['PANEL_TOKEN=a=b', 'a=b'],
    ['\n# PANEL_TOKEN=old\r\n\r\nPANEL_TOKEN=abc\r\n', 'abc'],
    ['PANEL_TOKEN=abc\r# a Mac of old\r', 'abc'],
  ])('%j sets what it seems to set', (text, value) => {
    expect(read(text)).toEqual({ PANEL_TOKEN: value });
  });

  it.each([
    ['AUDIT_CHANNEL_ID=', empty],
    ['AUDIT_CHANNEL_ID=""', empty],
    ["AUDIT_CHANNEL_ID=' '", empty],
    ['AUDIT_CHANNEL_ID=#audit', comment],
    ['AUDIT_CHANNEL_ID= # later', comment],
    ['PANEL_TOKEN=abc#def', inside],
    ['PANEL_TOKEN=abc#def # ours', inside],
    ['PANEL_TOKEN="abc', open],
    ['PANEL_TOKEN=\'abc"', open],
    ['PANEL_TOKEN="abc"def', open],
    ['PANEL_TOKEN="abc"#def', open],
    ['PANEL_TOKEN=""abc""', open],
    ['DATA_DIR="C:\\new"', 'A \\ in double quotes does not mean the same to every program. Use single quotes.'],
    ['DATA_DIR="\'/var/lib/panelops\'"', quotes],
    ['DATA_DIR=“/var/lib/panelops”', quotes],
    ['DATA_DIR=/var/lib/panelops’', quotes],
    ["DATA_DIR=' /var/lib/panelops'", spaces],
    ['DATA_DIR=/var/lib\u00a0', 'Its character 9 does not show (U+00A0). Remove it, or type the value again.'],
    ['DATA_DIR=\u200b/var', 'Its character 1 does not show (U+200B). Remove it, or type the value again.'],
    ['DATA_DIR=~/panelops', unreplaced],
    ['DATA_DIR=$HOME/panelops', unreplaced],
    // The braces are those of a shell.
    ['DATA_DIR=/srv/$' + '{NAME}', unreplaced],
    ['DATA_DIR=%APPDATA%\\panelops', unreplaced],
  ])('%j is wrong', (line, rule) => {
    const name = line.slice(0, line.indexOf('='));
    expect(read(`# one\n${line}\n`)).toEqual([`.env, line 2, ${name}: ${rule}`]);
  });

  it.each([
    ['PANEL_TOKEN: abc'],
    ['$env:PANEL_TOKEN = "abc"'],
    ['set PANEL_TOKEN=abc'],
    ['\ufeffPANEL_TOKEN=abc'],
    ['PANEL\u200b_TOKEN=abc'],
    ['\u00a0PANEL_TOKEN=abc'],
    ['export PANEL_TOKEN'],
    ['; an old comment'],
    ['canary-0123456789'],
  ])('%j is none, and is not repeated', (line) => {
    expect(read(`${line}\nPANEL_URL=https://panel.example.com`)).toEqual([`.env, line 1: ${noLine}`]);
  });

  it('is one for each variable', () => {
    expect(read('PANEL_TOKEN=a\nNOTE=x\nPANEL_TOKEN=a\nNOTE=y\n')).toEqual([
      '.env, line 3, PANEL_TOKEN: The same variable is set in line 1 already. Keep one of the two.',
      '.env, line 4: The same variable is set in line 2 already. Keep one of the two.',
    ]);
  });

  it('may set an empty variable of another program', () => {
    expect(read('NODE_OPTIONS=\nTITLE="“x”"\n')).toEqual({ NODE_OPTIONS: '', TITLE: '“x”' });
  });

  it('means to node what it means here', () => {
    const value = fc.string({ unit: fc.constantFrom(...'ab0 =#\'"`\\$~|-'), maxLength: 8 });
    fc.assert(
      fc.property(value, (text) => {
        const found = read(`PANEL_TOKEN=${text}`);
        if (Array.isArray(found)) return;
        expect(found).toEqual({ ...parseEnv(`PANEL_TOKEN=${text}`) });
        expect(Object.values(found)).not.toContain('');
      }),
      { numRuns: 2000 },
    );
  });
});

const folder = configFolder();

describe('a file', () => {
  const written = (bytes: Buffer): string => join(folder.cwd, folder.put('file', bytes));
  const text = 'PANEL_TOKEN=abc\nPANEL_URL=x\n';
  const swapped = (): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

  it.each([
    ['UTF-16 of PowerShell', () => Buffer.from(`\ufeff${text}`, 'utf16le'), 1, ', but UTF-16'],
    ['UTF-16 without a mark', () => Buffer.from(text, 'utf16le'), 1, ', but UTF-16'],
    ['UTF-16 the other way round', swapped, 1, ', but UTF-16'],
    ['Latin-1', () => Buffer.from('PANEL_URL=x\nDATA_DIR=/münchen\n', 'latin1'), 2, ':'],
    ['a NUL in it', () => Buffer.from('PANEL_URL=x\nPANEL_TOKEN=a\0b\n'), 2, ', but UTF-16'],
  ])('in %s is none of ours, and the line is named', (_, bytes, line, more) => {
    const found = readText(written(bytes()));
    expect('rule' in found && found.rule).toContain(`Line ${line} of this file is not UTF-8${more}`);
  });

  it('keeps its first variable, whatever mark stands before it', () => {
    expect(readText(written(Buffer.from(`\ufeff${text}`)))).toEqual({ value: text });
  });

  it('holds a secret as any editor writes it, and in no other encoding', () => {
    const token = (bytes: Buffer) => {
      const { PANEL_TOKEN: _, ...others } = real;
      const { config, problems } = folder.read({ ...others, PANEL_TOKEN_FILE: written(bytes) });
      return { token: 'token' in config.panel && config.panel.token, rules: problems.map(({ rule }) => rule) };
    };
    expect(token(Buffer.from('\ufeffabcdef\r\n'))).toEqual({ token: 'abcdef', rules: [] });
    expect(token(Buffer.from('abcdef\n', 'utf16le')).rules).toEqual([expect.stringContaining('but UTF-16')]);
    expect(token(Buffer.from('abc\u200bdef\n')).rules).toEqual([expect.stringContaining('does not show (U+200B)')]);
    expect(token(Buffer.from('"abcdef"\n')).rules).toEqual([expect.stringContaining('quotes')]);
  });
});

describe('the environment, which others wrote', () => {
  const wrong = (env: NodeJS.ProcessEnv): string[] => {
    const found = folder.wrong({ DISCORD_TOKEN: 'sandbox', PANEL_URL: 'sandbox', ...env });
    expect(found.join('\n')).not.toContain('canary');
    return found;
  };

  it.each([
    ['DATA_DIR', '"/var/canary"', quotes],
    ['DATA_DIR', '/var/canary # the ledger', 'There is a comment behind it, or instead of it. Remove it.'],
    ['DATA_DIR', '/var/canary\ufeff', 'Its character 12 does not show (U+FEFF). Remove it, or type the value again.'],
    ['HTTP_PORT', '80\u200b', 'Its character 3 does not show (U+200B). Remove it, or type the value again.'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ca\tnary:4318', spaces],
    ['REDIS_URL', 'rediss://:100%canary@redis.example.com', 'In its user name and password, write each % as %25.'],
    ['REDIS_URL', 'rediss://a%ff:canary@redis.example.com', 'In its user name and password, write each % as %25.'],
    ['REDIS_URL', 'rediss://canäry.example.com', 'The URL must be redis://host:port or rediss://host:port.'],
    ['REDIS_URL', 'rediss://redis.example.com:0', 'The URL must be redis://host:port or rediss://host:port.'],
    [
      'REDIS_URL',
      'rediss://redis.example.com/canary',
      'The URL must end after the host, its port or /db, without a query or fragment.',
    ],
  ])('may not set %s=%j', (name, value, rule) => {
    expect(wrong({ [name]: value })).toEqual([`${name}: ${rule}`]);
  });

  it('may not have the word sandbox where it stands for nothing', () => {
    expect(wrong({ PANEL_URL: 'http://127.0.0.1:4001', PANEL_TOKEN: 'Sandbox' })).toEqual([
      'PANEL_TOKEN: The word sandbox stands for the sandbox in DISCORD_TOKEN and PANEL_URL alone.',
    ]);
  });

  it.each([
    ['AUDIT_CHANNEL', 'AUDIT_CHANNEL_ID'],
    ['AUDIT_CHANEL_ID', 'AUDIT_CHANNEL_ID'],
    ['audit_channel_id', 'AUDIT_CHANNEL_ID'],
    ['AUDIT-CHANNEL-ID', 'AUDIT_CHANNEL_ID'],
    ['DISCORDTOKEN', 'DISCORD_TOKEN'],
    ['discord_token', 'DISCORD_TOKEN'],
    ['PANLE_TOKEN', 'PANEL_TOKEN'],
    ['DATADIR', 'DATA_DIR'],
    ['REDIS_URI', 'REDIS_URL'],
    ['REDIS_URL_PATH', 'REDIS_URL_FILE'],
    ['LEGDER', 'LEDGER'],
    ['POLICYFILE', 'POLICY_FILE'],
    ['PANELOPS_DATA_DIR', 'DATA_DIR'],
  ])('has %s, which is a slip of %s', (name, nearest) => {
    expect(wrong({ [name]: 'canary' })).toEqual([`${name}: There is no such variable. The nearest is ${nearest}.`]);
  });

  it('may have the variables of others, however much they look like ours', () => {
    const others = [
      'PANELS',
      'MY_DISCORD_TOKEN',
      'REGISTRY',
      'HTTP_PROXY',
      'REDIS_PORT',
      'REDIS_HOST',
      'DB_DATA_DIR',
      'XDG_DATA_DIRS',
      'LOG',
      'HTTP',
    ];
    const otel = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_SERVICE_NAME'];
    expect(wrong(Object.fromEntries([...others, ...otel].map((name) => [name, 'x'])))).toEqual([]);
  });
});
