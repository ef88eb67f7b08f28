import { policyFor } from '../app/rules.ts';
import { backUp, restore } from '../audit/backup.ts';
import { type ExportOptions, exportLedger } from '../audit/export.ts';
import { type LedgerPlace, NoLedger, readLedger } from '../audit/place.ts';
import { type VerifyOptions, verify } from '../audit/verify.ts';
import type { Config } from '../config.ts';
import { keptOut } from '../ledger/kept-out.ts';
import { NotAFile } from '../ledger/ledger.ts';
import { RedisUnavailable } from '../outcome.ts';
import { configureReader } from './configure.ts';
import { exitCodes, fail, type Host } from './host.ts';

/** `panelops audit verify`. Returns the exit code. */
export async function verifyLedger(host: Host): Promise<number> {
  const config = configureReader(host);
  return await verify({ read: () => reading(config), channel: channelOf(config), out: printing(host).out });
}

/** `panelops audit export`. Returns the exit code. */
export async function exportTo(host: Host, options: ExportOptions): Promise<number> {
  const { out, say } = printing(host);
  const config = configureReader(host);
  const { entries, problem } = await reading(config);
  const guild = config.discord.kind === 'real' ? config.discord.guild : undefined;
  const code = await exportLedger(options, entries, out, {
    say: (line) => say(`${line}\n`),
    dataDir: config.dataDir,
    ...policyWords(config.policyText, guild),
  });
  if (problem === undefined) return code;
  say(`${problem.words}: only what stands before it was read\n`);
  return Math.max(code, exitCodes.fault);
}

/** `panelops audit backup`. Returns the exit code. */
export async function backUpTo(host: Host, { out: path }: { out: string }): Promise<number> {
  return await unlessUnread(() => backUp(placeOf(configureReader(host)), path, printing(host)));
}

/** `panelops audit restore`. Returns the exit code. */
export async function restoreFrom(host: Host, { from }: { from: string }): Promise<number> {
  return await restore(placeOf(configureReader(host)), from, printing(host));
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

const printing = ({ stdout, stderr }: Host) => ({
  out: (text: string | Uint8Array): void => void stdout.write(text),
  say: (text: string): void => void stderr.write(text),
});

/** Role names of the policy, by id, and its time zone. The ledger can be read without a valid policy. */
export function policyWords(
  policyText: string,
  guild: string | undefined,
): { roleName(id: string): string | undefined; zone: string } {
  const read = policyFor(policyText, guild);
  if (!('policy' in read)) return { roleName: () => undefined, zone: 'UTC' };
  const { roles, timezone } = read.policy;
  return { roleName: (id) => roles.find(({ role }) => role === id)?.name, zone: timezone };
}
