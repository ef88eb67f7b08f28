import { z } from 'zod';
import { isBlank } from '../text.ts';
import { duration, jsonPointer, list, row, says } from './shape.ts';

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

const words =
  'A list of the words with which the panel says so, 1 to 60 characters each; in quotes where YAML would take them for something else.';

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

/** `deadline`: when a follow-up gives up on a job that has not ended. */
export const followUps = row(
  { deadline: duration('30m', '7d', ', such as 24h').prefault('24h') },
  'follow-ups is a mapping of',
);
