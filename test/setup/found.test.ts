import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { find, type ReadPolicy } from '../../src/setup/found.ts';
import { folder } from '../helpers/ledger/samples.ts';

const readPolicy: ReadPolicy = (text, guild) => {
  const read = policyFor(text, guild);
  return 'policy' in read ? read : { problems: [] };
};

function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = folder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

describe('what is there before setup', () => {
  it('is nothing in an empty folder', () => {
    const dir = folderWith({});
    expect(find(dir, {}, readPolicy)).toEqual({
      env: { path: join(dir, '.env') },
      values: {},
      policyFile: { path: join(dir, 'policy.yaml') },
      sections: new Map(),
    });
  });

  it('is what .env says, without what takes a side from the sandbox', () => {
    const dir = folderWith({ '.env': 'DISCORD_TOKEN=sandbox\nPANEL_URL=https://panel.example.com\nPANEL_TOKEN=\n' });
    expect(find(dir, {}, readPolicy).values).toEqual({ PANEL_URL: 'https://panel.example.com' });
  });

  it("is Discord's address of .env or of the shell, which the bot would not get from setup", () => {
    const url = 'https://proxy.example.com/api';
    const dir = folderWith({ '.env': `DISCORD_API_URL=${url}\n` });
    expect(find(dir, {}, readPolicy)).toMatchObject({ apiUrl: url });
    expect(find(dir, {}, readPolicy).isApiUrlOfShell).toBeUndefined();
    expect(find(dir, { DISCORD_API_URL: url }, readPolicy).isApiUrlOfShell).toBeUndefined();
    expect(find(folderWith({}), { DISCORD_API_URL: url }, readPolicy)).toMatchObject({
      apiUrl: url,
      isApiUrlOfShell: true,
    });
  });

  it('is no policy that is not valid', () => {
    const dir = folderWith({ 'policy.yaml': 'roles: []\nlimits: { ipv4.assign: 8 }\n' });
    const { policyFile, policy, sections } = find(dir, {}, readPolicy);
    expect([policyFile.text, policy, sections.size]).toEqual(['roles: []\nlimits: { ipv4.assign: 8 }\n', undefined, 0]);
  });

  it('is the file behind a link, and the policy that POLICY_FILE names', () => {
    const dir = folderWith({ 'real.env': 'POLICY_FILE=./who.yaml\n' });
    symlinkSync('real.env', join(dir, '.env'));
    const { env, policyFile } = find(dir, {}, readPolicy);
    expect([env.path, policyFile.path]).toEqual([join(dir, 'real.env'), join(dir, 'who.yaml')]);
  });
});

describe('setup does not begin', () => {
  it.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    [
      'where the environment would win',
      { PANEL_TOKEN: 'canary' },
      {},
      /^The environment sets PANEL_TOKEN, .*: unset PANEL_TOKEN$/,
    ],
    [
      'where certificates are not checked',
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      {},
      /^NODE_TLS_REJECT_UNAUTHORIZED: /,
    ],
    [
      'where the token would go out unencrypted',
      { DISCORD_API_URL: 'http://canary/api' },
      {},
      /^DISCORD_API_URL: .*https/,
    ],
    [
      'where .env would send it there',
      {},
      { '.env': 'DISCORD_API_URL=http://canary/api' },
      /^DISCORD_API_URL: .*https/,
    ],
    [
      'where a token is in a file of its own',
      {},
      { '.env': 'PANEL_TOKEN_FILE=/run/canary' },
      /^\.env has PANEL_TOKEN_FILE/,
    ],
    [
      'where lines cannot be replaced',
      {},
      { '.env': 'NOTE="canary\nPANEL_URL=x\n"' },
      /^\.env, line 1: The quote at its start must be closed/,
    ],
  ])('%s', (_, environment, files, says) => {
    const begins = () => find(folderWith(files), environment, readPolicy);
    expect(begins).toThrow(says);
    expect(begins).not.toThrow(/canary/);
  });

  it('where a file is there and cannot be read', () => {
    const dir = folderWith({});
    mkdirSync(join(dir, '.env'));
    expect(() => find(dir, {}, readPolicy)).toThrow(
      `.env: This is a folder, not a file: ${join(dir, '.env')} (EISDIR).`,
    );
  });
});
