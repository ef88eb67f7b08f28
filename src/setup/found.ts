import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { unsafeVariables } from '../config/environment.ts';
import { readText } from '../config/file.ts';
import { readApiUrl, readValue } from '../config/value.ts';
import type { Policy } from '../policy/schema.ts';
import { sectionsOf } from '../policy/sections.ts';
import { asked } from './draft.ts';
import { valuesIn } from './env-file.ts';

/** A file before setup. `text` is missing if the file does not exist. */
export interface Before {
  path: string;
  text?: string;
}

/** The existing installation, whose values setup offers as defaults. */
export interface Found {
  env: Before;
  /** Of .env, without what takes a side from the sandbox. */
  values: Readonly<Record<string, string | undefined>>;
  /** The address of Discord, if it is not Discord's own. */
  apiUrl?: string;
  /** The address comes from the shell, not from .env. */
  isApiUrlOfShell?: boolean;
  policyFile: Before;
  /** Missing without a valid policy. */
  policy?: Policy;
  /** The parts of a valid policy, by key. */
  sections: ReadonlyMap<string, string>;
}

/** Setup cannot begin. The message says what to do. */
class CannotBegin extends Error {
  override name = 'CannotBegin';
}

/** Reads a policy for a guild, if that is known; or says what keeps it from loading, a line each. */
export type ReadPolicy = (
  text: string,
  guild: string | undefined,
) => { policy: Policy } | { problems: readonly string[] };

/** Reads the existing installation. Throws CannotBegin. */
export function find(cwd: string, environment: NodeJS.ProcessEnv, readPolicy: ReadPolicy): Found {
  refuseEnvironment(environment);
  const env = before(join(cwd, '.env'));
  const read = valuesIn(env.text);
  if ('rule' in read)
    throw new CannotBegin(`.env, line ${read.line}: ${read.rule} Correct the line, or move the file away.`);
  const values = Object.fromEntries(
    Object.entries(read.values).filter(([, value]) => value !== '' && value !== 'sandbox'),
  );
  const elsewhere = inFiles.find((name) => values[name] !== undefined);
  if (elsewhere !== undefined)
    throw new CannotBegin(
      `.env has ${elsewhere}, and setup writes no such file. Remove that line, or configure the bot by hand.`,
    );
  const apiUrl = environment['DISCORD_API_URL'] || values['DISCORD_API_URL'];
  const discord = apiUrl === undefined ? undefined : readValue(apiUrl, readApiUrl);
  if (discord !== undefined && 'rule' in discord) throw new CannotBegin(`DISCORD_API_URL: ${discord.rule}`);
  const policyFile = before(resolve(cwd, environment['POLICY_FILE'] || (values['POLICY_FILE'] ?? 'policy.yaml')));
  const { text } = policyFile;
  const checked = text === undefined ? undefined : readPolicy(text, values['DISCORD_GUILD_ID']);
  const policy = checked !== undefined && 'policy' in checked ? checked.policy : undefined;
  const sections = text === undefined || policy === undefined ? new Map<string, string>() : sectionsOf(text);
  const isApiUrlOfShell = apiUrl !== undefined && apiUrl !== values['DISCORD_API_URL'] ? true : undefined;
  return { env, values, policyFile, sections, apiUrl, isApiUrlOfShell, policy };
}

const inFiles = ['DISCORD_TOKEN_FILE', 'PANEL_TOKEN_FILE'];

/** The environment wins over .env, so the bot would not use the values that setup tried. */
function refuseEnvironment(environment: NodeJS.ProcessEnv): void {
  const [unsafe] = unsafeVariables(environment);
  if (unsafe !== undefined) throw new CannotBegin(`${unsafe.what}: ${unsafe.rule} ${unsafe.where}`);
  const set = [...asked, ...inFiles].filter((name) => environment[name] !== undefined);
  if (set.length > 0)
    throw new CannotBegin(
      `The environment sets ${set.join(', ')}, and wins over the file .env that setup writes. Take that away first: unset ${set.join(' ')}`,
    );
}

function before(path: string): Before {
  if (!existsSync(path)) return { path };
  const read = readText(path);
  if ('rule' in read) throw new CannotBegin(`${basename(path)}: ${read.rule}`);
  return { path: realpathSync(path), text: read.value };
}
