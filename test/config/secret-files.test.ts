import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configFolder, real } from '../helpers/config.ts';

const { cwd, put, read, wrong } = configFolder();
const { DISCORD_TOKEN, PANEL_TOKEN, ...others } = real;
const inFiles = {
  ...others,
  DISCORD_TOKEN_FILE: put('discord', `${DISCORD_TOKEN}\n`),
  PANEL_TOKEN_FILE: put('panel', PANEL_TOKEN),
};

describe('a secret with a file of its own', () => {
  const files = (env: NodeJS.ProcessEnv) => read({ ...inFiles, ...env });
  const wrongFiles = (env: NodeJS.ProcessEnv) => wrong({ ...inFiles, ...env });

  it('is read from there, without the line break at its end', () => {
    expect(files({ REDIS_URL_FILE: put('redis', 'rediss://:secret@redis.example.com\r\n') })).toMatchObject({
      config: {
        discord: { kind: 'real', token: 'MTA0.abc-DEF_1.xyz' },
        panel: { kind: 'real', token: 'abcdef0123456789' },
        redisUrl: 'rediss://:secret@redis.example.com',
        secretFiles: {
          DISCORD_TOKEN_FILE: join(cwd, 'discord'),
          PANEL_TOKEN_FILE: join(cwd, 'panel'),
          REDIS_URL_FILE: join(cwd, 'redis'),
        },
      },
    });
  });

  it('alone is no sandbox', () => {
    const { problems } = read({ PANEL_TOKEN_FILE: 'panel' });
    expect(problems.map(({ what }) => what)).toEqual(['DISCORD_TOKEN', 'DISCORD_GUILD_ID', 'PANEL_URL']);
  });

  it('is one of two at most', () => {
    expect(wrongFiles({ PANEL_TOKEN })).toEqual(['PANEL_TOKEN_FILE: PANEL_TOKEN is set as well. Keep one of the two.']);
  });

  it('is a regular file: nothing waits for what may come out of a pipe', () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Whoever reads the pipe all the same gets a token, and does not hang.
    const writer = spawn('sh', ['-c', 'exec printf abcdef0123456789 > pipe'], { cwd });
    onTestFinished(() => void writer.kill('SIGKILL'));
    const rule = (path: string): string =>
      `This is not a regular file, but a pipe or a device: ${path}. Put the text into a file.`;
    expect(wrongFiles({ PANEL_TOKEN_FILE: pipe })).toEqual([`PANEL_TOKEN_FILE: ${rule(pipe)}`]);
    expect(wrongFiles({ POLICY_FILE: '/dev/null' })).toEqual([`POLICY_FILE: ${rule('/dev/null')}`]);
  });

  it('must be there, and is held to the same rules', () => {
    expect(wrongFiles({ PANEL_TOKEN_FILE: 'gone/panel_token' })).toEqual([
      `PANEL_TOKEN_FILE: There is no such file: ${join(cwd, 'gone', 'panel_token')} (ENOENT).`,
    ]);
    expect(wrongFiles({ PANEL_TOKEN_FILE: put('empty', '\n') })).toEqual([
      `PANEL_TOKEN_FILE: This file is empty: ${join(cwd, 'empty')}.`,
    ]);
    expect(wrongFiles({ PANEL_TOKEN_FILE: put('two', 'abc\n\n') })).toEqual([
      'PANEL_TOKEN_FILE: There are spaces, tabs or line breaks in or around it. Remove them.',
    ]);
    expect(wrongFiles({ REDIS_URL_FILE: put('redis', 'localhost') })).toEqual([
      'REDIS_URL_FILE: The URL must be redis://host:port or rediss://host:port.',
    ]);
  });

  it('says with each problem what the file holds, and who has to be able to read it', () => {
    const result = files({ PANEL_TOKEN_FILE: put('empty', '\n') });
    expect(result.problems.map(({ where }) => where)).toEqual([
      "The file holds PANEL_TOKEN and nothing else, on one line. Make it readable for the bot's user (chmod 600, chown). Docker mounts secrets at /run/secrets.",
    ]);
  });

  it('counts for nothing on the side that comes from the sandbox', () => {
    expect(files({ PANEL_URL: 'sandbox', PANEL_TOKEN_FILE: 'gone' })).toMatchObject({
      config: { panel: { kind: 'sandbox' } },
    });
  });
});
