import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { policyFor } from '../app/rules.ts';
import type { ConfigFound } from '../check/outside.ts';
import {
  type Config,
  type ConfigProblem,
  describeProblems,
  exposure,
  type Flags,
  type PolicyCheck,
  readConfig,
  readEnvFile,
  readText,
  realSettingsIn,
  variables,
} from '../config.ts';
import type { Policy } from '../policy/schema.ts';
import { examplePolicy, exitCodes, fail, type Host } from './host.ts';

/** A configuration without problems. `warnings`: what to log as soon as there is a log. */
type Valid = Omit<ConfigFound, 'problems' | 'policy'> & { policy: Policy };

export interface Configured extends Valid {
  /**
   * Reads the files again, and from .env only what names the panel's token. Keeps everything else. `restart`: changed
   * variables that take effect at the next start.
   */
  reread(): ConfigFound & { restart: readonly string[] };
}

/** Reads the environment, .env (the environment wins) and the policy. With problems, prints them and exits with 78. */
export function configure(host: Host, flags: Flags = {}): Configured {
  const own = { ...host.env };
  const env = tried(host, environmentAtStart(host));
  const read = valid(readAll(host, env, flags));
  return { ...read, reread: () => reread(host, { own, before: env, config: read.config, flags }) };
}

/** With problems, prints them and exits with 78. */
function valid({ problems, policy, ...read }: ConfigFound): Valid {
  if (problems.length > 0) return failWith(problems);
  if (policy === undefined) throw new Error('a configuration without a policy');
  return { ...read, policy };
}

/** A policy alone is tried in the sandbox by whoever is at a terminal. Elsewhere it is what an installation has left. */
function tried(host: Host, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isAlone = realSettingsIn(env).join() === 'POLICY_FILE' && env['DATA_DIR'] === undefined;
  if (!isAlone || host.keyboard?.() === undefined) return env;
  return { ...env, DISCORD_TOKEN: 'sandbox', PANEL_URL: 'sandbox', DATA_DIR: './data/own-policy' };
}

/** Like `configure`, without what is only for a start. */
export const readConfiguration = (host: Host): Valid => valid(readAll(host, environmentAtStart(host), {}));

/** Like `readConfiguration`, for a check: returns the problems, and everything valid beside them. */
export function lookAtConfiguration(host: Host): ConfigFound {
  const found = environment(host, { ...host.env });
  if ('problems' in found) {
    // Other settings may be in that file. An empty token keeps this from becoming the sandbox.
    const read = readAll(host, { DISCORD_TOKEN: '', PANEL_URL: '', ...host.env }, {});
    return { ...read, warnings: [], problems: found.problems };
  }
  const read = readAll(host, environmentAtStart(host), {});
  if (read.problems.length > 0) return read;
  if (realSettingsIn(host.env).length === 0) return { ...read, problems: [nothing(host.cwd())] };
  return { ...read, warnings: [...sandboxed(read.config, host.cwd()), ...read.warnings] };
}

/** A start would be the sandbox, about which there is nothing to check. */
const nothing = (cwd: string): ConfigProblem => ({
  what: '.env',
  rule: `${existsSync(envFile(cwd)) ? 'It sets nothing for a real bot' : `There is none in ${cwd}`}. Nothing is configured: a start would be the sandbox.`,
  where: "Run this in the folder of the bot's .env, and with the bot's environment.",
});

/** Names the sides that are the sandbox: in the wrong folder, no configuration at all is valid, too. */
export function sandboxed({ discord, panel }: Config, cwd: string): string[] {
  const sides = [...(discord.kind === 'sandbox' ? ['Discord'] : []), ...(panel.kind === 'sandbox' ? ['panel'] : [])];
  const from = existsSync(envFile(cwd)) ? '' : ` There is no .env in ${cwd}: if you have one, run this in its folder.`;
  const [first, second] = sides;
  if (first === undefined) return [];
  const missing = second === undefined ? `no real ${first} is` : `neither a real ${first} nor a real ${second} is`;
  return [`This is the sandbox: ${missing} configured.${from}`];
}

/** For commands that only read the ledger, which work with an invalid policy, too. */
export function configureReader(host: Host): Config {
  const { config, problems } = readConfig(environmentAtStart(host), {}, { examplePolicy, cwd: host.cwd() });
  return problems.length > 0 ? failWith(problems) : config;
}

const failWith = (problems: readonly ConfigProblem[]): never =>
  fail(describeProblems(problems), exitCodes.configuration);

const envFile = (cwd: string): string => join(cwd, '.env');

/** The environment, with what .env adds to it. */
function environment(
  host: Host,
  own: NodeJS.ProcessEnv,
): { env: NodeJS.ProcessEnv } | { problems: readonly ConfigProblem[] } {
  const path = envFile(host.cwd());
  if (isAbsent(path)) return { env: own };
  const file = readText(path);
  if ('rule' in file)
    return { problems: [{ what: '.env', rule: file.rule, where: 'It is left out, or a file of NAME=value lines.' }] };
  const read = readEnvFile(file.value);
  return 'problems' in read ? read : { env: { ...read.env, ...own } };
}

/** A link that leads nowhere, or a folder that cannot be searched, is not the absence of a file. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Also sets the process's own, for libraries. */
function environmentAtStart(host: Host): NodeJS.ProcessEnv {
  const read = environment(host, { ...host.env });
  return 'problems' in read ? failWith(read.problems) : { ...Object.assign(host.env, read.env) };
}

const noChannel = 'It is required, and there is none. Set AUDIT_CHANNEL_ID, or let it be wanted.';

function readAll(host: Host, env: NodeJS.ProcessEnv, flags: Flags): ConfigFound {
  const found: { policy?: Policy } = {};
  const checkPolicy: PolicyCheck = (text, guild, audited, folder) => {
    const checked = policyFor(text, guild, folder);
    if ('problems' in checked) return checked.problems;
    found.policy = checked.policy;
    const lacks = checked.policy.auditChannel === 'required' && !audited;
    return lacks ? [{ place: 'audit-channel', rule: noChannel }] : [];
  };
  const { config, problems } = readConfig(env, flags, { examplePolicy, cwd: host.cwd() }, checkPolicy);
  const { policy } = found;
  if (problems.length > 0 || policy === undefined) return { config, problems, warnings: [], policy };
  const exposed = exposure(
    {
      envFile: envFile(host.cwd()),
      secretFiles: { ...config.secretFiles, ...(isReal(config) ? calendarsOf(policy) : {}) },
      ...(isReal(config) ? filesOf(config, policy) : {}),
    },
    host.getuid?.(),
  );
  return { config, policy, ...exposed };
}

/** What the start had. `own`: without what .env adds. */
interface AtStart {
  own: NodeJS.ProcessEnv;
  before: NodeJS.ProcessEnv;
  config: Config;
  flags: Flags;
}

function reread(host: Host, { own, before, config, flags }: AtStart): ConfigFound & { restart: readonly string[] } {
  const found = environment(host, own);
  if ('problems' in found) return { config, problems: found.problems, warnings: [], restart: [] };
  const now = tried(host, found.env);
  const live: readonly string[] = config.panel.kind === 'real' ? ['PANEL_TOKEN', 'PANEL_TOKEN_FILE'] : [];
  const fixed = variables.map(({ name }) => name).filter((name) => !live.includes(name));
  // What was not set at the start is not set now.
  const kept = Object.fromEntries(fixed.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]])));
  const others = Object.entries(now).filter(([name]) => !fixed.some((each) => each === name));
  const read = readAll(host, { ...Object.fromEntries(others), ...kept }, flags);
  const restart = fixed.filter((name) => (now[name] ?? '') !== (before[name] ?? ''));
  return { ...read, restart: [...new Set([...restart, ...changedFiles(config, read.config)])] };
}

/** The variables of files that changed but are only read at the start. */
function changedFiles(before: Config, now: Config): string[] {
  const of = ({ discord, panel, redisUrl }: Config): Record<string, string | undefined> => ({
    DISCORD_TOKEN_FILE: discord.kind === 'real' ? discord.token : undefined,
    PANEL_CA_FILE: panel.kind === 'real' ? panel.ca : undefined,
    REDIS_URL_FILE: redisUrl,
  });
  const [then, current] = [of(before), of(now)];
  return Object.keys(current).filter((name) => then[name] !== current[name]);
}

const isReal = ({ discord, panel }: Config): boolean => discord.kind === 'real' && panel.kind === 'real';

/** Who may change one says who has the shift. */
const calendarsOf = ({ onCall = [] }: Policy): Record<string, string> =>
  Object.fromEntries(onCall.map((schedule) => [`ical-file of ${schedule.name}`, schedule['ical-file']]));

/** Others may change what only the sandbox uses. */
const filesOf = ({ caFile, dataDir, ledger, policyFile }: Config, { inventory }: Policy) => ({
  policyFile,
  inventoryFile: inventory?.source === 'file' ? resolve(dirname(policyFile), inventory.path) : undefined,
  caFile,
  dataDir: ledger === 'file' ? dataDir : undefined,
});
