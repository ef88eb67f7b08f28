import { z } from 'zod';
import { isBlank } from '../blank.ts';
import { durationOf } from '../time.ts';
import { list, row, says } from './shape.ts';

const jobPath =
  'The path below /api/v1, such as /servers/{serverId}/backupManager/jobs/{jobId}: {jobId} must be in it, {serverId} may be; no "..", no query.';
const backupPath =
  'The path below /api/v1, such as /backups/server/{serverId}: {serverId} must be in it; no "..", no query.';

/** A path with the first of these placeholders in it, and perhaps the others. */
function path(rule: string, ...placeholders: [string, ...string[]]) {
  const segment = new RegExp(`^(?:[A-Za-z0-9._~-]|${placeholders.map((each) => `\\{${each}\\}`).join('|')})+$`);
  const isPath = (text: string): boolean => {
    const [start, ...segments] = text.split('/');
    return (
      start === '' &&
      // The base URL already contains it.
      !/^\/api\/v\d/.test(text) &&
      text.includes(`{${placeholders[0]}}`) &&
      segments.every((each) => segment.test(each) && each !== '.' && each !== '..')
    );
  };
  return z.string(says(rule)).refine(isPath, says(rule));
}

const pointer = 'A JSON pointer into the answer, such as /data/status.';
const isPointer = /^(?:\/(?:[^/~]|~[01])*)+$/;
const words =
  'A list of the words with which the panel says so, 1 to 60 characters each; in quotes where YAML would take them for something else.';

export function jsonPointer() {
  return z.string(says(pointer)).regex(isPointer, says(pointer));
}

function statusWords() {
  return list(
    z
      .string(says(words))
      .max(60, says(words))
      .refine((word) => !isBlank(word), says(words)),
    words,
  );
}

/** Where to read the progress of a restore. rules.ts checks that no word is in two lists. */
export const restoreStatus = row(
  {
    path: path(jobPath, 'jobId', 'serverId'),
    status: jsonPointer(),
    progress: jsonPointer().exactOptional(),
    message: jsonPointer().exactOptional(),
    running: statusWords().default([]),
    succeeded: statusWords(),
    failed: statusWords(),
  },
  'restore-status is a mapping of',
);

/** Where the panel lists the backups of a server. */
export const backupList = row(
  {
    path: path(backupPath, 'serverId'),
    list: jsonPointer(),
    created: jsonPointer(),
    complete: jsonPointer().exactOptional(),
  },
  'backup-list is a mapping of',
);

/** YAML 1.2 reads on and off as strings. */
export const onOff = z
  .union([z.enum(['on', 'off']), z.boolean()], says('on or off.'))
  .transform((value) => value === 'on' || value === true);

const deadline = 'A duration from 30m to 7d: a whole number with m, h or d, such as 24h.';
const bounds = { least: 30 * 60_000, most: 7 * 86_400_000 };

/** In ms; NaN if it is not a duration of one unit. */
const millisecondsOf = (text: string): number => (/^\d+[mhd]$/.test(text) ? durationOf(text) : undefined) ?? Number.NaN;

/** How long a follow-up runs at most, in ms. */
export const followUps = row(
  {
    deadline: z
      .string(says(deadline))
      .refine((text) => bounds.least <= millisecondsOf(text) && millisecondsOf(text) <= bounds.most, says(deadline))
      .transform(millisecondsOf)
      .prefault('24h'),
  },
  'follow-ups is a mapping of',
);
