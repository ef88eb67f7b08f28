import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../helpers/here.ts';
import { stageForAll } from '../helpers/stage.ts';
import { canaries } from '../helpers/surroundings.ts';

const stage = stageForAll();

/** A start with other settings, which ends before anything is started. */
const ends = (more: Record<string, string>, args: string[] = ['start']) =>
  runHere(args, { ...stage.env, LOG_LEVEL: 'silent', ...more }, stage.cwd);

describe('the program does not start', () => {
  it('with a wrong configuration: 78, every problem at once, no value', async () => {
    const { code, stdout, stderr } = await ends({
      DISCORD_TOKEN: `Bot ${canaries.discord}`,
      DISCORD_GUILD_ID: 'guild-canary',
      PANEL_URL: 'ftp://url-canary',
      PANEL_TOKEN: `Bearer ${canaries.panel}`,
      POLICY_FILE: '/canary1a2b3c4d.yaml',
      LOG_LEVEL: 'level-canary',
      PANEL_TOKN: 'typo-canary',
    });
    expect([code, stdout]).toEqual([78, '']);
    const named = [
      'DISCORD_GUILD_ID',
      'DISCORD_TOKEN',
      'LOG_LEVEL',
      'PANEL_TOKEN',
      'PANEL_TOKN',
      'PANEL_URL',
      'POLICY_FILE',
    ];
    expect([...stderr.matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, name]) => name).sort()).toEqual(named);
    expect(stderr.toLowerCase()).not.toContain('canary');
  });

  it.each([
    ['a policy that is wrong', 'line 3', { POLICY_FILE: 'own.yaml' }],
    [
      'the example as the policy of another guild',
      'one problem in its configuration',
      { DISCORD_GUILD_ID: '1100000000000000002' },
    ],
  ])('with %s: 78, and why', async (_what, words, more) => {
    const own = 'roles:\n  - { role: "1234567890123456789", name: lead, allow: ["*"] }\nchanels: []\n';
    writeFileSync(join(stage.cwd, 'own.yaml'), own, { mode: 0o600 });
    expect(await ends(more)).toEqual({ code: 78, stdout: '', stderr: expect.stringContaining(words) });
  });

  it('with a policy that requires an audit channel where none is named: 78', async () => {
    const policy = join(stage.cwd, '..', 'policy.yaml');
    const text = readFileSync('policy.example.yaml', 'utf8');
    writeFileSync(policy, text.replace('audit-channel: wanted', 'audit-channel: required'), { mode: 0o600 });
    const checked = await ends({ POLICY_FILE: policy }, ['start', '--check']);
    expect(checked.code).toBe(78);
    expect(checked.stderr).toContain(
      '  audit-channel\n    It is required, and there is none. Set AUDIT_CHANNEL_ID, or let it be wanted.\n',
    );
    const named = await ends({ POLICY_FILE: policy, AUDIT_CHANNEL_ID: '1300000000000000002' }, ['--check']);
    expect(named.code).toBe(0);
  });
});

it('A policy alone is tried in the sandbox by somebody at a terminal, and starts nothing anywhere else', async () => {
  const cwd = mkdtempSync(join(stage.cwd, '..', 'alone-'));
  copyFileSync('policy.example.yaml', join(cwd, 'own.yaml'));
  const checked = (isAttended: boolean, more = {}) =>
    runHere(['start', '--check'], { POLICY_FILE: 'own.yaml', ...more }, cwd, isAttended);
  expect(await checked(true)).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringContaining('This is the sandbox: neither a real Discord nor a real panel is configured.'),
  });
  const lost = { code: 78, stderr: expect.stringMatching(/DISCORD_TOKEN\s+It is not set\. POLICY_FILE is set/) };
  expect(await checked(false)).toMatchObject(lost);
  // A service sets where its ledger is.
  expect(await checked(true, { DATA_DIR: 'data' })).toMatchObject({ code: 78 });
  mkdirSync(join(cwd, 'data'));
  writeFileSync(
    join(cwd, 'data', 'ledger.jsonl'),
    `{"kind":"started","owner":"a"}\n{"kind":"intent","place":{"channel":"1","guild":"1234567890123456789"}}\n`,
  );
  expect(await checked(true)).toMatchObject({ code: 78, stderr: expect.stringContaining('does not touch it') });
});

// Windows has no such modes.
describe.runIf(process.getuid !== undefined)('what other users of the machine may touch', () => {
  const folder = (mode: number): string => {
    const dir = mkdtempSync(join(stage.cwd, '..', 'folder-'));
    chmodSync(dir, mode);
    return dir;
  };

  it('is no place for a ledger, where everybody may write: 78, with the folder and what to type', async () => {
    const dir = folder(0o777);
    const { code, stdout, stderr } = await ends({ DATA_DIR: dir });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(`  DATA_DIR\n    Everybody on this machine may write to ${dir}`);
    expect(stderr).toContain(`chmod go-w ${dir}`);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is no policy, where everybody may write: 78, with the file and what to type', async () => {
    const policy = join(folder(0o700), 'policy.yaml');
    copyFileSync('policy.example.yaml', policy);
    chmodSync(policy, 0o666);
    const { code, stdout, stderr } = await ends({ POLICY_FILE: policy });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(
      `  POLICY_FILE\n    Everybody on this machine may write to ${policy}, and so give themselves every right.`,
    );
    expect(stderr).toContain(`chmod go-w ${policy}`);
  });
});
