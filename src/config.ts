import { dirname, resolve } from 'node:path';
import { proxyProblems, realSettingsIn, setApart, unknownVariables, unsafeVariables } from './config/environment.ts';
import { readCertificates, readSecret, readText, shownPath } from './config/file.ts';
import {
  asItIs,
  type ConfigProblem,
  type Reading,
  readApiUrl,
  readChannel,
  readCollectorUrl,
  readGuild,
  readHost,
  readPanelUrl,
  readPort,
  readRedisUrl,
  readToken,
  readTokens,
  readValue,
  tokensIn,
} from './config/value.ts';
import { type SecretName, secrets, type VariableName, variables } from './config/variables.ts';
import { isLoopback } from './panel/url.ts';

export { readEnvFile } from './config/env-file.ts';
export { realSettingsIn } from './config/environment.ts';
export { exposure } from './config/exposed.ts';
export { readText } from './config/file.ts';
export { type ConfigProblem, describeProblems } from './config/value.ts';
export { variables } from './config/variables.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

export interface Flags {
  quiet?: boolean;
  /** Start a new ledger although the audit channel has the trail of another. */
  newLedger?: boolean;
}

/** The configuration. Paths are absolute. */
export interface Config {
  /** `audit` is the id of the audit channel. */
  discord: { kind: 'sandbox' } | { kind: 'real'; token: string; guild: string; apiUrl?: string; audit?: string };
  /** `url` ends in /api/v1; `ca` is PEM, read from PANEL_CA_FILE. */
  panel: { kind: 'sandbox' } | { kind: 'real'; url: string; token: string; ca?: string };
  /** The file of the panel's `ca`, if any. */
  caFile?: string;
  /** Where secrets were read that have files of their own, by the variable that names the file. */
  secretFiles?: Readonly<Record<string, string>>;
  policyFile: string;
  policyText: string;
  dataDir: string;
  shellSocket: string;
  ledger: 'file' | 'redis';
  /** Undefined: the embedded Redis. */
  redisUrl?: string;
  register: 'on-start' | 'off';
  /** Of the sandbox's page; else of health and metrics, which there are none of when left out. 0: any. */
  httpPort?: number;
  /** Where health and metrics listen; left out: on loopback, as the page does. */
  httpHost?: string;
  /** Where alerts come in, and whose; left out: nowhere. */
  alerts?: { port: number; host: string; tokens: readonly { name: string; token: string }[] };
  /** Where traces go, without /v1/traces; left out: nowhere. */
  tracesUrl?: string;
  /** Where metrics are pushed to, with the whole path; left out: nowhere. */
  metricsUrl?: string;
  logLevel: LogLevel;
  quiet: boolean;
  /** Begin a new ledger although the audit channel has the trail of another one. */
  newLedger?: boolean;
}

/** Checks the policy. `guild`: undefined for the sandbox's. `audited`: there is an audit channel. */
export type PolicyCheck = (
  text: string,
  guild: string | undefined,
  audited: boolean,
  folder: string,
) => readonly { place: string; rule: string }[];

/** The environment, and a collector for its problems. */
interface Source {
  /** The raw value. An empty one was meant to be one, and breaks a rule. */
  value(name: VariableName): string | undefined;
  /** Why there is no sandbox, in a sentence with a space before it. */
  setApart: string;
  complain(name: VariableName, rule: string): void;
  /** What its paths are relative to. */
  cwd: string;
}

/**
 * Reads the environment and the files that it names. Every problem is reported at once, and no value is ever repeated
 * but the path of a file that cannot be read. What could not be read is an empty text.
 * `examplePolicy` is the packaged policy.example.yaml; other paths are relative to `cwd`.
 */
export function readConfig(
  env: NodeJS.ProcessEnv,
  flags: Flags,
  paths: { examplePolicy: string; cwd: string },
  checkPolicy: PolicyCheck = () => [],
): { config: Config; problems: ConfigProblem[] } {
  const problems = [...unknownVariables(env), ...unsafeVariables(env)];
  const source = sourceOf(env, paths.cwd, problems);

  // An empty variable was meant to be set, so it does not mean sandbox.
  const nothingSet = realSettingsIn(env).length === 0;
  const discord = nothingSet || isSandbox(source, 'DISCORD_TOKEN') ? sandbox : readDiscord(source);
  const panel = nothingSet || isSandbox(source, 'PANEL_URL') ? sandbox : readPanel(source);
  if (discord.kind === 'sandbox' && panel.kind === 'real' && panel.url !== '' && !isLoopback(panel.url)) {
    source.complain('PANEL_URL', onlyLoopback);
  }

  const unnamed = discord.kind === 'sandbox' ? paths.examplePolicy : './policy.yaml';
  const named = readValue(source.value('POLICY_FILE') ?? unnamed, asItIs);
  const policyFile = resolve(paths.cwd, 'value' in named ? named.value : unnamed);
  const policy = 'value' in named ? readText(policyFile) : named;
  if ('rule' in policy) {
    source.complain('POLICY_FILE', policy.rule);
  } else {
    const guild = discord.kind === 'real' && discord.guild !== '' ? discord.guild : undefined;
    const audited = discord.kind === 'sandbox' || discord.audit !== undefined;
    const where = `In ${shownPath(policyFile)}. policy.example.yaml explains every key.`;
    const broken = checkPolicy(policy.value, guild, audited, dirname(policyFile));
    problems.push(...broken.map(({ place, rule }) => ({ what: place, rule, where })));
  }

  const real = discord.kind === 'real' && panel.kind === 'real';
  const rest = {
    ...readRest(source, real),
    ...readWatch(source, discord.kind === 'real'),
    alerts: readAlerts(source),
    ...{ quiet: false, ...flags },
  };
  problems.push(...proxyProblems(env, [discord, panel]));
  const policyText = 'rule' in policy ? '' : policy.value;
  return { config: { discord, panel, policyFile, policyText, ...rest }, problems };
}

const sandbox: { kind: 'sandbox' } = { kind: 'sandbox' };
const onlyLoopback =
  "With the sandbox's Discord the panel must be on loopback (127.0.0.1, localhost, [::1]): anybody on this machine can be alice.";
const onlyFile =
  'With the sandbox on either side it must be file: what is tried there must not stand among what is real.';

function sourceOf(env: NodeJS.ProcessEnv, cwd: string, problems: ConfigProblem[]): Source {
  return {
    cwd,
    value: (name) => env[name],
    setApart: setApart(env),
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

/** The value. After a problem it is empty and never used, because then the bot does not start. */
function checkedValue(source: Source, name: VariableName, reading: Reading): string {
  if ('value' in reading) return reading.value;
  source.complain(name, reading.rule);
  return '';
}

/** `missing`: what to say where it is not set; left out: it is optional. */
function read(source: Source, name: VariableName, how: Read, missing?: string): string | undefined {
  const text = source.value(name);
  if (text === undefined && missing === undefined) return undefined;
  return checkedValue(source, name, text === undefined ? { rule: `It is not set.${missing}` } : readValue(text, how));
}

/** A secret, or what the file holds that the other variable names. */
function secret(source: Source, name: SecretName, how: Read, missing?: string): string | undefined {
  const file = `${name}_FILE` as const;
  const path = source.value(file);
  if (path === undefined) return read(source, name, how, missing);
  if (source.value(name)) return checkedValue(source, file, { rule: `${name} is set as well. Keep one of the two.` });
  const named = readValue(path, asItIs);
  const text = 'rule' in named ? named : readSecret(resolve(source.cwd, path));
  return checkedValue(source, file, 'rule' in text ? text : readValue(text.value, how));
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
  const otherwise = `${source.setApart} DISCORD_TOKEN=sandbox takes Discord from the sandbox.`;
  const token = secret(source, 'DISCORD_TOKEN', (text) => readToken(text, 'Bot'), otherwise) ?? '';
  const guild = read(source, 'DISCORD_GUILD_ID', readGuild, '') ?? '';
  const apiUrl = read(source, 'DISCORD_API_URL', readApiUrl);
  const audit = read(source, 'AUDIT_CHANNEL_ID', readChannel);
  return { kind: 'real', token, guild, apiUrl, audit };
}

function readPanel(source: Source): Config['panel'] {
  const otherwise = `${source.setApart} PANEL_URL=sandbox takes the panel from the sandbox.`;
  const url = read(source, 'PANEL_URL', readPanelUrl, otherwise) ?? '';
  const token = secret(source, 'PANEL_TOKEN', (text) => readToken(text, 'Bearer'), '') ?? '';
  const ca = read(source, 'PANEL_CA_FILE', (path) => readCertificates(resolve(source.cwd, path)));
  return { kind: 'real', url, token, ca };
}

/** Where others look at how the bot is. The sandbox's page is nobody else's, whatever HTTP_HOST says. */
function readWatch(source: Source, isReal: boolean) {
  const httpPort = read(source, 'HTTP_PORT', readPort);
  const httpHost = isReal ? read(source, 'HTTP_HOST', readHost) : undefined;
  if (httpHost !== undefined && httpPort === undefined)
    source.complain('HTTP_HOST', 'HTTP_PORT is not set, so that nothing listens there. Set both, or neither.');
  const tracesUrl = read(source, 'OTEL_EXPORTER_OTLP_ENDPOINT', readCollectorUrl);
  const own = read(source, 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', readCollectorUrl);
  const isPushed = oneOf(source, 'OTEL_METRICS_EXPORTER', ['otlp', 'none'], 'otlp') === 'otlp';
  const metricsUrl = isPushed ? (own ?? (tracesUrl && `${tracesUrl}/v1/metrics`)) : undefined;
  return { ...(httpPort === undefined ? {} : { httpPort: Number(httpPort) }), httpHost, tracesUrl, metricsUrl };
}

/** Neither half is of use alone. */
function readAlerts(source: Source): Config['alerts'] {
  const port = read(source, 'ALERTS_PORT', readPort);
  const host = read(source, 'ALERTS_HOST', readHost) ?? '127.0.0.1';
  const tokens = secret(source, 'ALERTS_TOKEN', readTokens, port === undefined ? undefined : ' ALERTS_PORT needs it.');
  if (port === undefined) {
    const rule = 'ALERTS_PORT is not set, so that nothing listens. Set both, or neither.';
    if (tokens !== undefined) source.complain('ALERTS_TOKEN', rule);
    else if (source.value('ALERTS_HOST') !== undefined) source.complain('ALERTS_HOST', rule);
  }
  return port === undefined ? undefined : { port: Number(port), host, tokens: tokensIn(tokens ?? '') };
}

/** What has a default, and stands for itself. What is tried in the sandbox stays out of the real ledger and off the screen. */
function readRest(source: Source, real: boolean) {
  const { cwd } = source;
  const ledger = oneOf(source, 'LEDGER', ['file', 'redis'], 'file');
  if (ledger === 'redis' && !real) source.complain('LEDGER', onlyFile);
  const missing = ledger === 'redis' ? ' LEDGER=redis keeps the ledger there.' : undefined;
  const redisUrl = secret(source, 'REDIS_URL', readRedisUrl, missing);
  const ca = source.value('PANEL_CA_FILE');
  return {
    dataDir: resolve(cwd, read(source, 'DATA_DIR', asItIs) || (real ? './data' : './data/sandbox')),
    ledger,
    redisUrl,
    caFile: ca === undefined ? undefined : resolve(cwd, ca),
    secretFiles: secretFilesOf(source),
    register: oneOf(source, 'REGISTER', ['on-start', 'off'], 'on-start'),
    shellSocket: resolve(cwd, read(source, 'SHELL_SOCKET', asItIs) || shellSocket),
    logLevel: oneOf(source, 'LOG_LEVEL', logLevels, real ? 'info' : 'warn'),
  } as const;
}

/** Where terminals reach the bot, if nothing else is set. */
export const shellSocket = '/run/panelops/shell.sock';

function secretFilesOf({ value, cwd }: Source): Config['secretFiles'] {
  const named = secrets.flatMap((name): [string, string][] => {
    const path = value(`${name}_FILE`);
    return path === undefined ? [] : [[`${name}_FILE`, resolve(cwd, path)]];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
