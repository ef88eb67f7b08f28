import { basename, resolve } from 'node:path';
import type { ConfigProblem } from './config/problem.ts';
import { unknownArguments, unknownVariables, unsafeVariables } from './config/unknown.ts';
import {
  type Reading,
  readApiUrl,
  readCertificates,
  readChannel,
  readGuild,
  readPort,
  readRedisUrl,
  readText,
  readToken,
} from './config/value.ts';
import { type VariableName, variables } from './config/variables.ts';
import { defined } from './defined.ts';
import { isLoopback, normalizePanelUrl } from './panel/url.ts';

export { exposure } from './config/exposed.ts';
export { type ConfigProblem, describeProblems } from './config/problem.ts';
export { variables } from './config/variables.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

const roles = ['both', 'gateway', 'worker'] as const;
export type Role = (typeof roles)[number];

/** What the program was told. Paths are absolute. */
export interface Config {
  /** `audit` is the id of the audit channel. */
  discord: { kind: 'sandbox' } | { kind: 'real'; token: string; guild: string; apiUrl?: string; audit?: string };
  /** `url` ends in /api/v1; `ca` is PEM, read from PANEL_CA_FILE. */
  panel: { kind: 'sandbox' } | { kind: 'real'; url: string; token: string; ca?: string };
  /** Where the panel's `ca` was read, if it was. */
  caFile?: string;
  policyFile: string;
  policyText: string;
  dataDir: string;
  ledger: 'file' | 'redis';
  /** What this process does: worker only follows what the panel accepted, gateway does the rest. */
  role: Role;
  /** Left out: the embedded Redis. */
  redisUrl?: string;
  register: 'on-start' | 'off';
  /** Of the page, 0 for any; left out: whichever is convenient. There with the sandbox's Discord only. */
  httpPort?: number;
  logLevel: LogLevel;
  quiet: boolean;
  /** Begin a ledger where the audit channel has the trail of another. */
  newLedger?: boolean;
}

/** Says what is wrong in the policy, so that it is reported with the rest. `guild` is undefined for the sandbox's, or a wrong one. */
export type PolicyCheck = (text: string, guild: string | undefined) => readonly { place: string; rule: string }[];

/** Without any of these, everything comes from the sandbox. */
const outside = [
  'DISCORD_TOKEN',
  'DISCORD_GUILD_ID',
  'DISCORD_API_URL',
  'AUDIT_CHANNEL_ID',
  'PANEL_URL',
  'PANEL_TOKEN',
  'POLICY_FILE',
] as const satisfies readonly VariableName[];

/** The environment, and where what is wrong with it is handed in. */
interface Source {
  /** The value as it is. An empty one counts as left out. */
  value(name: VariableName): string | undefined;
  complain(name: VariableName, rule: string): void;
}

/**
 * Reads the environment, the arguments (without node and script) and the files that they name. Every problem is reported at once,
 * and no value is ever repeated. `examplePolicy` is the packaged policy.example.yaml; other paths are relative to `cwd`.
 */
export function readConfig(
  env: NodeJS.ProcessEnv,
  args: string[],
  paths: { examplePolicy: string; cwd: string },
  checkPolicy: PolicyCheck = () => [],
): { config: Config } | { problems: ConfigProblem[] } {
  const problems = [
    ...unknownArguments(args, ['--quiet', newLedger, ...roles.map(roleArgument)]),
    ...unknownVariables(env),
    ...unsafeVariables(env),
  ];
  const source = sourceOf(env, problems);

  // A variable that is there but empty was meant to be set: that is no sandbox.
  const nothingSet = outside.every((name) => env[name] === undefined);
  const discord = nothingSet || isSandbox(source, 'DISCORD_TOKEN') ? sandbox : readDiscord(source);
  const panel = nothingSet || isSandbox(source, 'PANEL_URL') ? sandbox : readPanel(source, paths.cwd);
  if (discord.kind === 'sandbox' && panel.kind === 'real' && panel.url !== '' && !isLoopback(panel.url)) {
    source.complain('PANEL_URL', onlyLoopback);
  }

  const named = source.value('POLICY_FILE');
  const policyFile = resolve(paths.cwd, named ?? (discord.kind === 'sandbox' ? paths.examplePolicy : './policy.yaml'));
  const policy = readText(policyFile);
  if ('rule' in policy) {
    source.complain('POLICY_FILE', named === undefined ? `${basename(policyFile)}: ${policy.rule}` : policy.rule);
  } else {
    const guild = discord.kind === 'real' && discord.guild !== '' ? discord.guild : undefined;
    problems.push(
      ...checkPolicy(policy.value, guild).map(({ place, rule }) => ({ what: place, rule, where: inPolicy })),
    );
  }

  const real = discord.kind === 'real' && panel.kind === 'real';
  const httpPort = discord.kind === 'sandbox' ? optional(source, 'HTTP_PORT', readPort) : undefined;
  const rest = {
    ...readRest(source, paths.cwd, real),
    ...readArguments(args),
    ...(httpPort === undefined ? {} : { httpPort: Number(httpPort) }),
  };
  problems.push(...aboutRole(args, rest, real));
  if (problems.length > 0 || 'rule' in policy) return { problems };
  return { config: { discord, panel, policyFile, policyText: policy.value, ...rest } };
}

const sandbox: { kind: 'sandbox' } = { kind: 'sandbox' };
const onlyLoopback =
  "With the sandbox's Discord the panel must be on loopback (127.0.0.1, localhost, [::1]): anybody on this machine can be alice.";
const onlyFile =
  'With the sandbox on either side it must be file: what is tried there must not stand among what is real.';
const inPolicy = 'In the policy file. policy.example.yaml explains every key.';

function sourceOf(env: NodeJS.ProcessEnv, problems: ConfigProblem[]): Source {
  return {
    value: (name) => env[name] || undefined,
    complain(name, rule) {
      const where = variables.find((variable) => variable.name === name)?.where ?? '';
      problems.push({ what: name, rule, where });
    },
  };
}

function isSandbox(source: Source, name: VariableName): boolean {
  return source.value(name)?.trim().toLowerCase() === 'sandbox';
}

type Read = (text: string) => Reading;

/** The value; after a complaint an empty one, which is never used, because then there is no config. */
function settle(source: Source, name: VariableName, reading: Reading): string {
  if ('value' in reading) return reading.value;
  source.complain(name, reading.rule);
  return '';
}

function required(source: Source, name: VariableName, read: Read, otherwise = ''): string {
  const text = source.value(name);
  return settle(source, name, text === undefined ? { rule: `It is not set.${otherwise}` } : read(text));
}

function optional(source: Source, name: VariableName, read: Read): string | undefined {
  const text = source.value(name);
  return text === undefined ? undefined : settle(source, name, read(text));
}

function oneOf<Choice extends string>(
  source: Source,
  name: VariableName,
  choices: readonly Choice[],
  unset: Choice,
): Choice {
  const text = source.value(name) ?? unset;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) source.complain(name, `It must be one of: ${choices.join(', ')}.`);
  return choice ?? unset;
}

function readDiscord(source: Source): Config['discord'] {
  const otherwise = ' DISCORD_TOKEN=sandbox takes Discord from the sandbox.';
  const token = required(source, 'DISCORD_TOKEN', (text) => readToken(text, 'Bot'), otherwise);
  const guild = required(source, 'DISCORD_GUILD_ID', readGuild);
  const apiUrl = optional(source, 'DISCORD_API_URL', readApiUrl);
  const audit = optional(source, 'AUDIT_CHANNEL_ID', readChannel);
  return {
    ...{ kind: 'real', token, guild },
    ...defined({ apiUrl, audit }),
  };
}

function readPanel(source: Source, cwd: string): Config['panel'] {
  const url = required(source, 'PANEL_URL', readPanelUrl, ' PANEL_URL=sandbox takes the panel from the sandbox.');
  const token = required(source, 'PANEL_TOKEN', (text) => readToken(text, 'Bearer'));
  const ca = optional(source, 'PANEL_CA_FILE', (path) => readCertificates(resolve(cwd, path)));
  return { kind: 'real', url, token, ...defined({ ca }) };
}

function readPanelUrl(text: string): Reading {
  const read = normalizePanelUrl(text);
  return 'url' in read ? { value: read.url } : { rule: `It ${read.problem}.` };
}

const newLedger = '--new-ledger';
const roleArgument = (role: Role): string => `--role=${role}`;
const readRole = (args: readonly string[]): Role => roles.find((role) => args.includes(roleArgument(role))) ?? 'both';

const readArguments = (args: readonly string[]): Pick<Config, 'role' | 'quiet' | 'newLedger'> => ({
  role: readRole(args),
  quiet: args.includes('--quiet'),
  ...(args.includes(newLedger) ? { newLedger: true } : {}),
});

/** One role, and what a process needs that does half of the work: somebody must be able to do the other half. */
function aboutRole(
  args: readonly string[],
  { role, ledger }: Pick<Config, 'role' | 'ledger'>,
  real: boolean,
): ConfigProblem[] {
  const what = '--role';
  const where = 'worker, gateway or both. Left out: both, which needs nothing else.';
  if (roles.filter((each) => args.includes(roleArgument(each))).length > 1)
    return [{ what, rule: 'It is given twice. A process has one role.', where }];
  if (role === 'both') return [];
  return [
    ...(ledger === 'redis'
      ? []
      : [{ what, rule: 'worker and gateway share a ledger: they need LEDGER=redis.', where }]),
    ...(real ? [] : [{ what, rule: 'The sandbox is there for one process alone: with it the role is both.', where }]),
  ];
}

/** What has a default, and stands for itself. What is tried in the sandbox stays out of the real ledger and off the screen. */
function readRest(source: Source, cwd: string, real: boolean) {
  const ledger = oneOf(source, 'LEDGER', ['file', 'redis'], 'file');
  if (ledger === 'redis' && !real) source.complain('LEDGER', onlyFile);
  const redisUrl =
    ledger === 'redis'
      ? required(source, 'REDIS_URL', readRedisUrl, ' LEDGER=redis keeps the ledger there.')
      : optional(source, 'REDIS_URL', readRedisUrl);
  const ca = source.value('PANEL_CA_FILE');
  return {
    dataDir: resolve(cwd, source.value('DATA_DIR') ?? (real ? './data' : './data/sandbox')),
    ledger,
    ...defined({ redisUrl, caFile: ca === undefined ? undefined : resolve(cwd, ca) }),
    register: oneOf(source, 'REGISTER', ['on-start', 'off'], 'on-start'),
    logLevel: oneOf(source, 'LOG_LEVEL', logLevels, real ? 'info' : 'warn'),
  } as const;
}
