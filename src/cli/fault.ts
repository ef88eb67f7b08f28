import { RedisUnfit } from '../app/redis.ts';
import { folderProblem } from '../ledger/kept-out.ts';
import { LedgerDamaged, LedgerLocked, LedgerMissing, LedgerUnsafe, NotAFile, Outdated } from '../ledger/ledger.ts';
import { FolderUnfit } from '../ledger/try-folder.ts';
import { DiscordUnavailable, Limited, NotInGuild, RedisUnavailable } from '../outcome.ts';
import { exitCodes, Stop } from './host.ts';

export const faults = ['uncaughtException', 'unhandledRejection'] as const;

const refusals = [
  LedgerLocked,
  LedgerDamaged,
  LedgerMissing,
  LedgerUnsafe,
  NotAFile,
  FolderUnfit,
  Outdated,
  RedisUnfit,
] as const;
/** Compared by name, because a real bot loads neither the sandbox nor setup. */
const others = ['SandboxUnreadable', 'CannotBegin'];
const folderTroubles = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC'];

const isOf = (error: Error, call: string): boolean => 'syscall' in error && error.syscall === call;

/** Only name and message: a library's error may carry tokens in its other members, which node would print. */
export function stopOf(error: unknown): Stop {
  const { configuration, fault } = exitCodes;
  if (error instanceof Stop) return error;
  if (!(error instanceof Error)) return new Stop('panelops stopped: an unknown fault', fault);
  if (refusals.some((refusal) => error instanceof refusal) || others.includes(error.name))
    return new Stop(error.message, configuration);
  if (error instanceof RedisUnavailable) return new Stop(`${error.problem}. ${error.remedy}`, fault);
  if (error instanceof DiscordUnavailable)
    return new Stop('Discord cannot be reached. Check the network, and DISCORD_API_URL where it is set.', fault);
  if (error instanceof Limited) return new Stop(`${error.message} Run this again then.`, fault);
  if (error instanceof NotInGuild)
    return new Stop(
      'DISCORD_GUILD_ID: the bot is not in this guild, or was invited without applications.commands. Check the id, and invite the bot again with the link in docs/install.md.',
      configuration,
    );
  if (isOf(error, 'uv_cwd'))
    return new Stop(
      'The folder in which this was run is gone; another may have its name now. Enter it again (cd), and run this there.',
      configuration,
    );
  if ('code' in error && (folderTroubles.includes(String(error.code)) || isOf(error, 'mkdir'))) {
    const path = 'path' in error ? String(error.path) : '';
    return new Stop(folderProblem({ code: String(error.code), path }), configuration);
  }
  return new Stop(`panelops stopped: ${error.name}: ${error.message}`, fault);
}

export function stopOnFault(error: unknown): never {
  const { message, code } = stopOf(error);
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** While the process stops, a fault is only reported: the rest still has to close. */
export function reportFault(error: unknown): void {
  const fault = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  process.stderr.write(`a fault while stopping: ${fault}\n`);
}
