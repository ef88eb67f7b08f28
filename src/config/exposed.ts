import { type Stats, statSync } from 'node:fs';
import type { ConfigProblem } from './problem.ts';

/** What other users of the machine may do to what is the bot's alone: what keeps it from starting, and what is only said. */
export interface Exposure {
  problems: ConfigProblem[];
  warnings: string[];
}

const bits = { group: 0o020, all: 0o002, read: 0o044, change: 0o022 };

/**
 * Looks at the folder of the ledger and at the file with the tokens, as far as they are there. `uid`: the user who runs the bot;
 * undefined where users have no numbers, as on Windows: nothing is said there.
 */
export function exposure(
  { dataDir, envFile }: { dataDir?: string; envFile?: string },
  uid: number | undefined,
): Exposure {
  const found: Exposure = { problems: [], warnings: [] };
  if (uid === undefined) return found;
  const dir = lookAt(dataDir);
  if (dir !== undefined && (dir.mode & bits.all) !== 0)
    found.problems.push({
      what: 'DATA_DIR',
      rule: `Everybody on this machine may write to ${dataDir}, and so change the ledger.`,
      where: toEndThat('chmod go-w', dataDir),
    });
  else if (dir !== undefined && (dir.mode & bits.group) !== 0)
    found.warnings.push(
      `DATA_DIR: the group of ${dataDir} may write to it, and so change the ledger. ${toEndThat('chmod go-w', dataDir)}`,
    );
  if (dir !== undefined && dir.uid !== uid)
    found.warnings.push(
      `DATA_DIR: ${dataDir} belongs to another user (${dir.uid}), who may change the ledger. ${toEndThat(`chown ${uid}`, dataDir)}`,
    );
  const verbs = (['read', 'change'] as const).filter((verb) => ((lookAt(envFile)?.mode ?? 0) & bits[verb]) !== 0);
  if (verbs.length > 0)
    found.warnings.push(
      `.env: other users may ${verbs.join(' and ')} ${envFile}, in which the tokens are. ${toEndThat('chmod 600', envFile)}`,
    );
  return found;
}

/** Nothing of what is not there. What cannot be looked at cannot be used either, and that is said elsewhere. */
function lookAt(path: string | undefined): Stats | undefined {
  try {
    return path === undefined ? undefined : statSync(path);
  } catch {
    return undefined;
  }
}

/** A line that can be copied into a shell. */
const toEndThat = (command: string, path = ''): string =>
  `To end that: ${command} ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`;
