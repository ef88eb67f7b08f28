import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeProblems, type Flags, readConfig } from '../../src/config.ts';

/** All that a real bot needs beside ./policy.yaml. */
export const real = {
  DISCORD_TOKEN: 'MTA0.abc-DEF_1.xyz',
  DISCORD_GUILD_ID: '1100000000000000001',
  PANEL_URL: 'https://panel.example.com',
  PANEL_TOKEN: 'abcdef0123456789',
};

/** A folder of a bot, and what a start reads there. */
export function configFolder() {
  const cwd = mkdtempSync(join(tmpdir(), 'panelops-config-'));
  afterAll(() => rmSync(cwd, { recursive: true }));
  const put = (name: string, text: string | Buffer): string => {
    writeFileSync(join(cwd, name), text);
    return name;
  };
  put('policy.example.yaml', 'roles: example\n');
  put('policy.yaml', 'roles: mine\n');
  const paths = { examplePolicy: join(cwd, 'policy.example.yaml'), cwd };
  const read = (env: NodeJS.ProcessEnv, flags: Flags = {}) => readConfig(env, flags, paths);
  return {
    ...{ cwd, paths, put, read },
    config(env: NodeJS.ProcessEnv, flags: Flags = {}) {
      const { config, problems } = read(env, flags);
      if (problems.length > 0) throw new Error(describeProblems(problems));
      return config;
    },
    /** What is wrong, and the rules, one "what: rule" each. */
    wrong: (env: NodeJS.ProcessEnv): string[] => read(env).problems.map(({ what, rule }) => `${what}: ${rule}`),
  };
}
