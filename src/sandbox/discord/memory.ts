import { z } from 'zod';
import { appendTo, readState, replaceState, type StateFile } from '../file.ts';
import { SandboxUnreadable } from '../unreadable.ts';
import { kinds, records } from './records.ts';
import type { Kind, Memory, World } from './world.ts';

export const noMemory: Memory = { touch: () => undefined, flush: () => undefined, close: () => undefined };

/** A record as it is now; without a value it is gone. A line holds the records that changed together. */
type Change = [kind: Kind, id: string, value?: unknown];
const kind = z.enum([...kinds, 'audit']);
const line = z.array(z.union([z.tuple([kind, z.string()]), z.tuple([kind, z.string(), z.unknown()])]));

/** Fills an empty world from the file, and appends later changes to it. Throws SandboxUnreadable. */
export function remember(world: World, kept: StateFile): Memory {
  restore(world, kept.path);
  const all = kinds.flatMap((kind) => [...records[kind].ids(world)].map((id) => changeOf(world, kind, id)));
  // Compacts the file: drops values that have been overwritten or deleted.
  replaceState(kept.path, all.map((change) => lineOf([change])).join(''));
  const file = appendTo(kept);
  const touched = new Map<string, [kind: Kind, id: string]>();

  const flush = (): void => {
    if (touched.size === 0) return;
    const changes = [...touched.values()].map(([kind, id]) => changeOf(world, kind, id));
    touched.clear();
    file.append(lineOf([...changes, changeOf(world, 'newest', '')]));
  };
  return {
    touch(kind, id) {
      if (touched.size === 0) queueMicrotask(flush);
      touched.set(`${kind} ${id}`, [kind, id]);
    },
    flush,
    close() {
      flush();
      file.close();
    },
  };
}

function changeOf(world: World, kind: Kind, id: string): Change {
  const value = records[kind].of(world, id);
  return value === undefined ? [kind, id] : [kind, id, value];
}

const lineOf = (changes: readonly Change[]): string => `${JSON.stringify(changes)}\n`;

function restore(world: World, path: string): void {
  const known = new Map(kinds.map((kind) => [kind, new Map<string, { value: unknown; at: number }>()]));
  const lines = readState(path)?.split('\n').slice(0, -1) ?? [];
  for (const [index, text] of lines.entries()) {
    const at = index + 1;
    for (const [kind, id, value] of guarded(path, at, () => line.parse(JSON.parse(text)))) {
      // Of earlier releases.
      if (kind === 'audit') continue;
      if (value === undefined) known.get(kind)?.delete(id);
      else known.get(kind)?.set(id, { value, at });
    }
  }
  for (const [kind, ofKind] of known) {
    for (const [id, { value, at }] of ofKind) guarded(path, at, () => records[kind].restore(world, id, value));
  }
}

function guarded<T>(path: string, at: number, read: () => T): T {
  try {
    return read();
  } catch {
    throw new SandboxUnreadable(path, `line ${at} is damaged`);
  }
}
