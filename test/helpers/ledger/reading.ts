import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../../src/runs/entry.ts';

/** Reads the ledger of a folder, as often as it is called: a line that was there before is not parsed again. */
export function readingOf(dir: string): () => Entry[] {
  let read = '';
  let entries: Entry[] = [];
  return () => {
    const text = readFileSync(join(dir, 'ledger.jsonl'), 'utf8');
    if (!text.startsWith(read)) [read, entries] = ['', []];
    const lines = text.slice(read.length).split('\n');
    entries = [...entries, ...lines.filter((line) => line !== '').map((line): Entry => JSON.parse(line))];
    read = text;
    return entries;
  };
}
