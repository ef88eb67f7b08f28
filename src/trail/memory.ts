import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../outcome.ts';
import type { Reach } from './place.ts';

/** How far the trail was, kept where Redis forgets: an end that was deleted meanwhile would else be posted anew without a word. */
export interface TrailMemory {
  last(): Reach | undefined;
  keep(reach: Reach): void;
}

const reachSchema = z.object({ channel: z.string(), message: z.string(), seq: z.int().positive() });

/** Keeps it in `dir`/trail.json, with nothing secret in it. Never throws: trouble is a warning, and the trail goes on without. */
export function trailMemory(dir: string, log: Log): TrailMemory {
  const file = join(dir, 'trail.json');
  const warn = (error: unknown, what: string): void =>
    log.warn({ problem: error instanceof Error && 'code' in error ? error.code : 'not understood' }, what);
  return {
    last() {
      try {
        return reachSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      } catch (error) {
        const isNone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        if (!isNone) warn(error, 'how far the trail was cannot be read');
        return undefined;
      }
    },
    keep(reach) {
      try {
        writeFileSync(`${file}.part`, JSON.stringify(reach), { mode: 0o600 });
        renameSync(`${file}.part`, file);
      } catch (error) {
        warn(error, 'how far the trail is cannot be kept');
      }
    },
  };
}
