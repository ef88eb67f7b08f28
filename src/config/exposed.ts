import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConfigProblem } from './problem.ts';

/** What other users of the machine may do to what is the bot's alone: what keeps it from starting, and what is only said. */
export interface Exposure {
  problems: ConfigProblem[];
  warnings: string[];
}

const bits = { group: 0o020, all: 0o002, sticky: 0o1000, read: 0o044, change: 0o022 };

/** Where things are, as far as there are any. */
export interface Whereabouts {
  dataDir?: string;
  envFile?: string;
  policyFile?: string;
  caFile?: string;
}

/**
 * Looks at the folder of the ledger, at the files that say what is allowed and whom to trust, and at the file with the tokens. `uid`:
 * the user who runs the bot; undefined where users have no numbers, as on Windows: nothing is said there.
 */
export function exposure({ dataDir, envFile, policyFile, caFile }: Whereabouts, uid: number | undefined): Exposure {
  if (uid === undefined) return { problems: [], warnings: [] };
  const found = [
    writable('DATA_DIR', dataDir, 'change the ledger'),
    writable('POLICY_FILE', policyFile, 'give themselves every right'),
    replaceable('POLICY_FILE', policyFile),
    writable('PANEL_CA_FILE', caFile, "have the panel's token sent to them"),
    replaceable('PANEL_CA_FILE', caFile),
  ];
  return {
    problems: found.flatMap(({ problems }) => problems),
    warnings: [...found.flatMap(({ warnings }) => warnings), ...ofSomebodyElse(dataDir, uid), ...readable(envFile)],
  };
}

/** `power`: what whoever may write there could do. */
function writable(what: string, path: string | undefined, power: string): Exposure {
  const mode = modeOf(path);
  const where = toEndThat('chmod go-w', path);
  if ((mode & bits.all) !== 0)
    return {
      problems: [{ what, rule: `Everybody on this machine may write to ${path}, and so ${power}.`, where }],
      warnings: [],
    };
  const isOfGroup = (mode & bits.group) !== 0;
  return {
    problems: [],
    warnings: isOfGroup ? [`${what}: the group of ${path} may write to it, and so ${power}. ${where}`] : [],
  };
}

/** Who may write to a folder may put another file in a file's place, unless its sticky bit says that only owners may. */
function replaceable(what: string, path: string | undefined): Exposure {
  const folders = path === undefined ? [] : [...new Set([path, realPath(path)].map((each) => dirname(each)))];
  const open = folders.filter((folder) => (modeOf(folder) & (bits.all | bits.sticky)) === bits.all);
  return {
    problems: open.map((folder) => ({
      what,
      rule: `Everybody on this machine may write to ${folder}, and so put another file in its place.`,
      where: toEndThat('chmod go-w', folder),
    })),
    warnings: [],
  };
}

function ofSomebodyElse(dataDir: string | undefined, uid: number): string[] {
  const dir = lookAt(dataDir);
  return dir === undefined || dir.uid === uid
    ? []
    : [
        `DATA_DIR: ${dataDir} belongs to another user (${dir.uid}), who may change the ledger. ${toEndThat(`chown ${uid}`, dataDir)}`,
      ];
}

function readable(envFile: string | undefined): string[] {
  const mode = lookAt(envFile)?.mode ?? 0;
  const verbs = (['read', 'change'] as const).filter((verb) => (mode & bits[verb]) !== 0);
  return verbs.length === 0
    ? []
    : [
        `.env: other users may ${verbs.join(' and ')} ${envFile}, in which the tokens are. ${toEndThat('chmod 600', envFile)}`,
      ];
}

/** What a path's mode lets others do; nothing on a mount that is read-only, as containers get their configuration. */
function modeOf(path: string | undefined): number {
  const stats = lookAt(path);
  if (path === undefined || stats === undefined) return 0;
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EROFS') return 0;
  }
  return stats.mode;
}

/** Behind symbolic links; the path itself where there is nothing. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
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
