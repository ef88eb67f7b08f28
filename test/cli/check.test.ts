import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/setup/presets.ts';
import { runHere } from '../helpers/here.ts';
import { policyTextOf } from '../helpers/setup/presets.ts';
import { openStage, type Stage } from '../helpers/stage.ts';
import { canaries } from '../helpers/surroundings.ts';

describe('panelops check', () => {
  let stage: Stage;
  let env: Record<string, string>;
  beforeEach(async () => {
    stage = await openStage({ tls: true });
    env = { ...stage.env, AUDIT_CHANNEL_ID: stage.discord.channels.audit };
  });
  afterEach(() => stage.stop());

  /** How it ended, and its lines without what is well. */
  async function check(more: Record<string, string> = {}) {
    const { code, stdout, stderr } = await runHere(['check'], { ...env, ...more }, stage.cwd);
    const all = `${stdout}${stderr}`;
    for (const secret of Object.values(canaries)) expect(all).not.toContain(secret);
    const lines = stdout.split('\n');
    return { code, bad: lines.filter((line) => /^(?:WRONG|WARNING)/.test(line)), sum: lines.at(-2), all };
  }

  it('before the first start only says that the commands are still to come', async () => {
    const { code, bad, sum, all } = await check();
    expect(bad, all).toEqual([
      'WARNING  Commands: Commands are not registered as in this version: `panel`, `server`, `hypervisors`, `firewall`, `whitelist` and 18 more not registered.',
    ]);
    expect({ code, sum }).toEqual({ code: 0, sum: '0 wrong, 1 warning, 17 OK, 4 skipped' });
  });

  it.each(presets.map((preset) => [preset.label, preset] as const))(
    'has nothing to say of what setup writes: %s',
    async (_, preset) => {
      const path = join(stage.cwd, 'written.yaml');
      writeFileSync(path, policyTextOf(preset), { mode: 0o644 });
      const { code, bad } = await check({ POLICY_FILE: path });
      expect(bad).toEqual([expect.stringMatching(/^WARNING {2}Commands: .* not registered/)]);
      expect(code).toBe(0);
    },
  );

  it('exits with 1 where something is wrong, and checks the rest all the same', async () => {
    const { code, bad, all } = await check({
      PANEL_TOKEN: `not-${canaries.panel}`.slice(0, 12),
      PANEL_URL: 'nonsense url',
    });
    expect(
      bad.map((line) => line.split(':').slice(0, 2).join(':')),
      all,
    ).toEqual(['WRONG    Configuration: PANEL_URL', expect.stringContaining('WARNING  Commands')]);
    expect(all).toContain('OK       Guild: ');
    expect(code).toBe(1);
  });

  it('gives a .env that cannot be read a line of its own, and checks the rest all the same', async () => {
    mkdirSync(join(stage.cwd, '.env'));
    const { PANEL_TOKEN: _, ...rest } = env;
    env = rest;
    const { code, bad, all } = await check();
    expect(
      bad.map((line) => line.split(' (')[0]),
      all,
    ).toEqual([
      expect.stringMatching(/^WRONG {4}Configuration: \.env: This is a folder, not a file: /),
      expect.stringMatching(/^WARNING {2}Commands: /),
    ]);
    expect(all).toContain('OK       Guild: ');
    expect(code).toBe(1);
  });

  it('reads .env as a start does', async () => {
    writeFileSync(join(stage.cwd, '.env'), 'PANEL_URL=\n', { mode: 0o600 });
    const { PANEL_URL: _, ...rest } = env;
    env = rest;
    const { code, bad, all } = await check();
    expect(bad[0], all).toMatch(/^WRONG {4}Configuration: \.env, line 1, PANEL_URL: It is set, but empty\./);
    expect(code).toBe(1);
  });
});
