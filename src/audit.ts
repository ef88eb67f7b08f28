import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportLedger, exportUsage } from './audit/export.ts';
import { type LedgerPlace, NoLedger, readLedger } from './audit/place.ts';
import { roleNames } from './audit/roles.ts';
import { type VerifyOptions, verify } from './audit/verify.ts';
import { type Config, describeProblems, readConfig } from './config.ts';
import { RedisUnavailable } from './outcome.ts';

const exitCodes = { fault: 1, configuration: 78 } as const;

const usage = `npm run audit -- verify
  Checks the whole chain of the ledger and compares it with the audit channel. The bot may be running.
  Exit code 0: all is whole; 1: it is not, one finding a line; 78: configuration.
${exportUsage}
  Writes what is recorded to standard output or to FILE, as /audit export does.
`;

/** This file runs as dist/src/audit.js; the example policy is at the top. */
const examplePolicy = join(fileURLToPath(new URL('../..', import.meta.url)), 'policy.example.yaml');

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

/** What the bot reads: the environment, and a file .env. The words behind the program's name are not the bot's. */
function configure(): Config {
  const envFile = join(process.cwd(), '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const read = readConfig(process.env, [], { examplePolicy, cwd: process.cwd() });
  return 'config' in read ? read.config : fail(describeProblems(read.problems), exitCodes.configuration);
}

const placeOf = ({ ledger, dataDir, redisUrl }: Config): LedgerPlace => ({
  dataDir,
  ...(ledger === 'redis' && redisUrl !== undefined ? { redisUrl } : {}),
});

function channelOf({ discord }: Config): VerifyOptions['channel'] {
  if (discord.kind === 'sandbox')
    return {
      left: "with the sandbox's Discord, /audit verify does it. A ledger that was cut off at its end does not show.",
    };
  const { audit, kind: _, ...real } = discord;
  return audit === undefined
    ? { left: 'AUDIT_CHANNEL_ID is not set. A ledger that was cut off at its end does not show.' }
    : { ...real, id: audit };
}

const out = (text: string | Uint8Array): void => void process.stdout.write(text);

async function main(): Promise<number> {
  const [what, ...args] = process.argv.slice(2);
  if (what === 'verify' && args.length === 0) {
    const config = configure();
    return await verify({ read: () => readLedger(placeOf(config)), channel: channelOf(config), out });
  }
  if (what === 'export') {
    const config = configure();
    const { entries, problem } = await readLedger(placeOf(config));
    const guild = 'guild' in config.discord ? config.discord.guild : '';
    const code = await exportLedger(args, entries, out, { roleName: roleNames(config.policyText, guild) });
    if (problem === undefined) return code;
    process.stderr.write(`${problem.words}: only what stands before it was read\n`);
    return Math.max(code, exitCodes.fault);
  }
  return fail(usage, exitCodes.configuration);
}

/** Only name and message: a library's error may carry tokens in its other members. */
function stopOnFault(error: unknown): never {
  if (error instanceof NoLedger) fail(error.message, exitCodes.configuration);
  if (error instanceof RedisUnavailable)
    fail('Redis cannot be reached. Check REDIS_URL, and that Redis is up.', exitCodes.fault);
  const { name, message } = error instanceof Error ? error : { name: 'unknown', message: 'fault' };
  fail(`the ledger could not be read: ${name}: ${message}`, exitCodes.fault);
}

main().then((code) => {
  process.exitCode = code;
}, stopOnFault);
