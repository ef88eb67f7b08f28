import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, quoted, statsOf } from '../system.ts';
import type { ConfigProblem } from './value.ts';

/** What other users of the machine may do to the bot's private files: problems that prevent the start, and warnings. */
export interface Exposure {
  problems: ConfigProblem[];
  warnings: string[];
}

const bits = { group: 0o020, groupRead: 0o040, all: 0o002, sticky: 0o1000, read: 0o044, change: 0o022 };

/** The paths to check; missing files are skipped. */
export interface Paths {
  dataDir?: string;
  envFile?: string;
  /** By the variables that name them. */
  secretFiles?: Readonly<Record<string, string>>;
  policyFile?: string;
  inventoryFile?: string | undefined;
  caFile?: string;
}

/** Of a warning, the rule goes on after the name. */
type Found = ConfigProblem & { isWarning?: true };

/** Checks DATA_DIR, the policy and its inventory, CA and token files. No `uid`, as on Windows: nothing is checked. */
export function exposure(
  { dataDir, envFile, policyFile, inventoryFile, caFile, secretFiles = {} }: Paths,
  uid: number | undefined,
): Exposure {
  if (uid === undefined) return { problems: [], warnings: [] };
  const files = [
    ['POLICY_FILE', policyFile, 'give themselves every right'],
    ['inventory', inventoryFile, 'move rights to other servers'],
    ['PANEL_CA_FILE', caFile, "have the panel's token sent to them"],
  ] as const;
  const found = [
    ...writable('DATA_DIR', dataDir, 'change the ledger'),
    ...files.flatMap(([what, path, power]) => [...writable(what, path, power), ...replaceable(what, path)]),
    ...ownedByOthers(dataDir, uid),
    // Nobody needs to have one.
    ...(statsOf(envFile) === undefined
      ? []
      : secretsIn('.env', envFile, 'choose the panel and the policy', statsOf(envFile)?.mode)),
    ...Object.entries(secretFiles).flatMap(([what, path]) =>
      secretsIn(what, path, 'put another secret there', secretMode(path, uid)),
    ),
  ];
  return {
    problems: found.flatMap(({ isWarning, ...problem }) => (isWarning ? [] : [problem])),
    warnings: found.flatMap(({ isWarning, what, rule, where }) => (isWarning ? [`${what}: ${rule} ${where}`] : [])),
  };
}

/** `power`: what a person with write access could do. */
function writable(what: string, path: string | undefined, power: string): Found[] {
  const mode = modeOf(path);
  const where = shellCommand('chmod go-w', path);
  if ((mode & bits.all) !== 0)
    return [{ what, rule: `Everybody on this machine may write to ${path}, and so ${power}.`, where }];
  return (mode & bits.group) === 0
    ? []
    : [{ what, rule: `the group of ${path} may write to it, and so ${power}.`, where, isWarning: true }];
}

/** With write access to a folder, a user can replace its files, unless the sticky bit restricts that to owners. */
function replaceable(what: string, path: string | undefined): Found[] {
  const folders = path === undefined ? [] : [...new Set([path, realPath(path)].map((each) => dirname(each)))];
  const open = folders.filter((folder) => (modeOf(folder) & (bits.all | bits.sticky)) === bits.all);
  return open.map((folder) => ({
    what,
    rule: `Everybody on this machine may write to ${folder}, and so put another file in its place.`,
    where: shellCommand('chmod go-w', folder),
  }));
}

function ownedByOthers(dataDir: string | undefined, uid: number): Found[] {
  const dir = statsOf(dataDir);
  if (dir === undefined || dir.uid === uid) return [];
  const rule = `${dataDir} belongs to another user (${dir.uid}), who may change the ledger.`;
  return [{ what: 'DATA_DIR', rule, where: shellCommand(`chown ${uid}`, dataDir), isWarning: true }];
}

/** A file with secrets: `mode` says who else may touch it. */
function secretsIn(what: string, path: string | undefined, power: string, mode = 0): Found[] {
  const verbs = (['read', 'change'] as const).filter((verb) => (mode & bits[verb]) !== 0);
  const within = what === '.env' ? 'the tokens are' : 'a secret is';
  const rule = `other users may ${verbs.join(' and ')} ${path}, in which ${within}.`;
  return [
    ...[...writable(what, path, power), ...replaceable(what, path)].filter(({ isWarning }) => !isWarning),
    ...(verbs.length === 0 ? [] : [{ what, rule, where: shellCommand('chmod 600', path), isWarning: true as const }]),
  ];
}

/**
 * What a path's mode allows others. Nothing on a read-only mount, through which containers get their configuration. What cannot
 * be looked at cannot be used either, which is reported elsewhere.
 */
function modeOf(path: string | undefined): number {
  const stats = statsOf(path);
  if (path === undefined || stats === undefined) return 0;
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (codeOf(error) === 'EROFS') return 0;
  }
  return stats.mode;
}

/** Allows group access to another user's file: Kubernetes mounts secrets like that. */
const secretMode = (path: string, uid: number): number =>
  statsOf(path)?.uid === uid ? modeOf(path) : modeOf(path) & ~bits.groupRead;

/** Resolves symbolic links. Returns the path itself if nothing is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A command to copy into a shell. */
const shellCommand = (command: string, path = ''): string => `To end that: ${command} ${quoted(path)}`;
