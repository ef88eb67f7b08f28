import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toLine } from '../../../src/ledger/chain.ts';
import { type Entry, isOfRun, type RunEntry } from '../../../src/runs/entry.ts';

/** The file of the ledger in a folder. */
export const fileIn = (dir: string): string => join(dir, 'ledger.jsonl');

/** Reads the ledger of a folder, as often as it is called: a line that was there before is not parsed again. */
export function readingOf(dir: string): () => Entry[] {
  let read = '';
  let entries: Entry[] = [];
  return () => {
    const text = readFileSync(fileIn(dir), 'utf8');
    if (!text.startsWith(read)) [read, entries] = ['', []];
    const lines = text.slice(read.length).split('\n');
    entries = [...entries, ...lines.filter((line) => line !== '').map((line): Entry => JSON.parse(line))];
    read = text;
    return entries;
  };
}

/** What somebody with the disk does while no bot runs: the ledger holds these entries, and nothing else. */
export const overwrite = (dir: string, entries: readonly Entry[]): void =>
  writeFileSync(fileIn(dir), entries.map((entry) => `${toLine(entry)}\n`).join(''));

/** Everything that it holds, and what it holds of runs. */
export const entriesIn = (dir: string): Entry[] => readingOf(dir)();
export const ledgerIn = (dir: string): RunLine[] => entriesIn(dir).filter(isOfRun);

type KeysOf<U> = U extends unknown ? keyof U : never;
type ValueOf<U, K extends PropertyKey> = U extends { [P in K]?: infer V } ? V : never;

/** An entry of a run as it lies in the file: a test asks of it what it expects there. */
export type RunLine = Pick<RunEntry, keyof RunEntry> & { [K in KeysOf<RunEntry>]?: ValueOf<RunEntry, K> };
