import { backUp, restore } from '../audit/backup.ts';
import { type ExportOptions, exportLedger } from '../audit/export.ts';
import { type LedgerPlace, NoLedger, readLedger } from '../audit/place.ts';
import { policyWords } from '../audit/policy-words.ts';
import { type VerifyOptions, verify } from '../audit/verify.ts';
import type { Config } from '../config.ts';
import { keptOut } from '../ledger/kept-out.ts';
import { NotAFile } from '../ledger/ledger.ts';
import { RedisUnavailable } from '../outcome.ts';
import { configureReader } from './configure.ts';
import { exitCodes, fail } from './exit.ts';

/** `panelops audit verify`. Returns the exit code. */
export async function verifyLedger(): Promise<number> {
  const config = configureReader();
  return await verify({ read: () => reading(config), channel: channelOf(config), out });
}

/** `panelops audit export`. Returns the exit code. */
export async function exportTo(options: ExportOptions): Promise<number> {
  const config = configureReader();
  const { entries, problem } = await reading(config);
  const guild = config.discord.kind === 'real' ? config.discord.guild : undefined;
  const code = await exportLedger(options, entries, out, {
    dataDir: config.dataDir,
    ...policyWords(config.policyText, guild),
  });
  if (problem === undefined) return code;
  process.stderr.write(`${problem.words}: only what stands before it was read\n`);
  return Math.max(code, exitCodes.fault);
}

/** `panelops audit backup`. Returns the exit code. */
export async function backUpTo({ out: path }: { out: string }): Promise<number> {
  return await unlessUnread(() => backUp(placeOf(configureReader()), path, { out, say }));
}

/** `panelops audit restore`. Returns the exit code. */
export async function restoreFrom({ from }: { from: string }): Promise<number> {
  return await restore(placeOf(configureReader()), from, { out, say });
}

const placeOf = ({ ledger, dataDir, redisUrl }: Config): LedgerPlace => ({
  dataDir,
  ...(ledger === 'redis' && redisUrl !== undefined ? { redisUrl } : {}),
});

const reading = (config: Config) => unlessUnread(() => readLedger(placeOf(config)));

/** Only name and message: a library's error may carry tokens in its other members. */
async function unlessUnread<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoLedger || error instanceof NotAFile) fail(error.message, exitCodes.configuration);
    if (error instanceof RedisUnavailable) fail(`${error.problem}. ${error.remedy}`, exitCodes.fault);
    if (error instanceof Error && 'code' in error && 'path' in error) {
      const kept = keptOut({ code: String(error.code), path: String(error.path) });
      if (kept !== undefined) fail(`The ledger cannot be read (${error.code}). ${kept}`, exitCodes.fault);
    }
    const { name, message } = error instanceof Error ? error : { name: 'unknown', message: 'fault' };
    return fail(`the ledger could not be read: ${name}: ${message}`, exitCodes.fault);
  }
}

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
const say = (text: string): void => void process.stderr.write(text);
