import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toLine, verify } from '../../../src/ledger/chain.ts';
import { type Entry, isOfRun, type RunEntry } from '../../../src/runs/entry.ts';

/** The file of the ledger in a folder. */
export const fileIn = (dir: string): string => join(dir, 'ledger.jsonl');

/** What a file has in whole lines: while the bot lives, the last may be half written. */
function wholeLines(file: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

/** Reads the ledger of a folder, as often as it is called: a line that was there before is not parsed again. */
export function readingOf(dir: string): () => Entry[] {
  let read = '';
  let entries: Entry[] = [];
  return () => {
    const text = wholeLines(fileIn(dir));
    if (!text.startsWith(read)) [read, entries] = ['', []];
    entries = [...entries, ...linesOf(text.slice(read.length)).map((line): Entry => JSON.parse(line))];
    read = text;
    return entries;
  };
}

/** Whether the chain of the ledger in a folder is whole. */
export const chainIn = (dir: string): boolean => verify(linesOf(wholeLines(fileIn(dir)))).ok;

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

/** The invocations whose cards are open in a folder: they may not show yet what is known, or change by themselves. */
export function openCards({ dir }: { dir: string }): string[] {
  const open = new Set<string>();
  for (const line of linesOf(wholeLines(join(dir, 'cards.jsonl')))) {
    const { card, gone }: { card?: { id: string; opened?: unknown }; gone?: string } = JSON.parse(line);
    // What is over is kept for late edits alone, by its id.
    if (card?.opened !== undefined) open.add(card.id);
    else open.delete(card?.id ?? gone ?? '');
  }
  return [...open];
}
