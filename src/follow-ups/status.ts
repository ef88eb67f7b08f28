import { z } from 'zod';
import { resolvePointer } from '../json.ts';
import { isBlank } from '../text.ts';

/** How to read the status of a restore: `restore-status` in policy.yaml. */
export interface StatusSource {
  /** Relative to /api/v1, with the placeholders {serverId} and {jobId}. */
  path: string;
  status: string;
  progress?: string;
  message?: string;
  /** The panel's words for states. A word in none of the lists counts as running. */
  running: readonly string[];
  succeeded: readonly string[];
  failed: readonly string[];
}

/** Where the panel lists a server's backups, and what a row of it says: `backup-list` in policy.yaml. */
export interface BackupList {
  /** Relative to /api/v1, with the placeholder {serverId}. */
  path: string;
  list: string;
  created: string;
  complete?: string;
}

/** The status of a job. `word` and `message` come from the panel; `progress` is from 0 to 100. */
export interface Status {
  state: 'running' | 'succeeded' | 'failed';
  word: string;
  progress?: number;
  message?: string;
}

/** The segments of the path with the ids filled in. The panel client encodes them. */
export function filledPath({ path }: { path: string }, ids: { serverId: number; jobId?: number }): string[] {
  const filled = path.replaceAll('{serverId}', String(ids.serverId)).replaceAll('{jobId}', String(ids.jobId));
  return filled.split('/').slice(1);
}

/** Reads a job's status with the policy's pointers. Undefined if there is no status. */
export function readStatus(source: StatusSource, answer: unknown): Status | undefined {
  const word = textOf(resolvePointer(answer, source.status));
  if (word === undefined) return undefined;
  const progress = source.progress === undefined ? undefined : percentOf(resolvePointer(answer, source.progress));
  const message = source.message === undefined ? undefined : textOf(resolvePointer(answer, source.message));
  return { state: stateOf(source, word), word, progress, message };
}

function stateOf({ succeeded, failed }: StatusSource, word: string): Status['state'] {
  if (succeeded.includes(word)) return 'succeeded';
  return failed.includes(word) ? 'failed' : 'running';
}

/** When the complete ones were made, in ms, newest first. Undefined: the answer is no such list. */
export function readBackups({ list, created, complete }: BackupList, answer: unknown): number[] | undefined {
  const rows = resolvePointer(answer, list);
  if (!Array.isArray(rows)) return undefined;
  const flags = rows.map((row) => (complete === undefined ? true : flagOf(resolvePointer(row, complete))));
  const times = rows.filter((_, at) => flags[at]).map((row) => withZone.safeParse(resolvePointer(row, created)).data);
  if (flags.includes(undefined) || times.includes(undefined)) return undefined;
  return times.map((time = '') => Date.parse(time)).sort((a, b) => b - a);
}

/** Of a time without its zone nobody knows when it was. */
const withZone = z.iso.datetime({ offset: true });

/** Reads an item of the queue: without an end it is running, and `failed` decides the rest. Never reads its `trace`. */
export function readQueueItem(answer: unknown): Status | undefined {
  if (resolvePointer(answer, '/success') === false) return undefined;
  const [finished, failed] = [resolvePointer(answer, '/data/finished'), flagOf(resolvePointer(answer, '/data/failed'))];
  if (finished === undefined) return undefined;
  const progress = percentOf(resolvePointer(answer, '/data/progress'));
  if (!isTime(finished)) return { state: 'running', word: 'running', progress };
  if (failed === undefined) return undefined;
  if (!failed) return { state: 'succeeded', word: 'finished', progress };
  const message = textOf(resolvePointer(answer, '/data/errors/exception/message'));
  return { state: 'failed', word: 'failed', progress, message };
}

/** Releases write what has not ended as null, false, an empty text, 0 or a date of zeros. */
const isTime = (finished: unknown): boolean => finished === true || /[1-9]/.test(String(finished));

/** Depending on the release, a flag is a boolean or 0 and 1. */
const flagOf = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' || value === 0 || value === 1 ? Boolean(value) : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !isBlank(value) ? value : undefined;

/** Only a number from 0 to 100 can be shown as progress. */
const percentOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
