import { defined } from '../defined.ts';
/** Where the panel tells how a restore goes: `restore-status` in policy.yaml. */
export interface StatusSource {
  /** Below /api/v1, with {serverId} and {jobId} in it. */
  path: string;
  /** JSON pointers into the answer. */
  status: string;
  progress?: string;
  message?: string;
  /** The panel's words. One that is in no list counts as running. */
  running: readonly string[];
  succeeded: readonly string[];
  failed: readonly string[];
}

/** What an answer says of a job. `word` and `message` are the panel's own; `progress` is from 0 to 100. */
export interface Status {
  state: 'running' | 'succeeded' | 'failed';
  word: string;
  progress?: number;
  message?: string;
}

/** The path's parts with the ids put in, for the panel's client to encode. */
export function statusPath({ path }: Pick<StatusSource, 'path'>, ids: { serverId: number; jobId: number }): string[] {
  const filled = path.replaceAll('{serverId}', String(ids.serverId)).replaceAll('{jobId}', String(ids.jobId));
  return filled.split('/').slice(1);
}

/** Reads a job as the policy says; undefined when no status is where it should be. */
export function readStatus(source: StatusSource, answer: unknown): Status | undefined {
  const word = textOf(pointed(answer, source.status));
  if (word === undefined) return undefined;
  const progress = source.progress === undefined ? undefined : percentOf(pointed(answer, source.progress));
  const message = source.message === undefined ? undefined : textOf(pointed(answer, source.message));
  return statusOf(stateOf(source, word), word, progress, message);
}

function stateOf({ succeeded, failed }: StatusSource, word: string): Status['state'] {
  if (succeeded.includes(word)) return 'succeeded';
  return failed.includes(word) ? 'failed' : 'running';
}

/**
 * Reads an item of the panel's queue, which has no status word: without an end it is running, and `failed` decides the rest.
 * Undefined when the answer is none. Its `trace` is never looked at.
 */
export function readQueueItem(answer: unknown): Status | undefined {
  const [finished, failed] = [pointed(answer, '/data/finished'), pointed(answer, '/data/failed')];
  if (finished === undefined || (finished !== null && typeof failed !== 'boolean')) return undefined;
  const progress = percentOf(pointed(answer, '/data/progress'));
  if (finished === null) return statusOf('running', 'running', progress, undefined);
  if (failed === false) return statusOf('succeeded', 'finished', progress, undefined);
  return statusOf('failed', 'failed', progress, textOf(pointed(answer, '/data/errors/exception/message')));
}

const statusOf = (
  state: Status['state'],
  word: string,
  progress: number | undefined,
  message: string | undefined,
): Status => ({
  state,
  word,
  ...defined({ progress, message }),
});

/** What a JSON pointer (RFC 6901) points at; undefined when there is nothing. */
function pointed(document: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>((value, key) => memberOf(value, key), document);
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Anything else than a number from 0 to 100 is no progress that could be shown. */
const percentOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
