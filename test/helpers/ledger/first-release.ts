import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Verification, verify } from '../../../src/ledger/chain.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { readFiles } from '../../../src/ledger/reading.ts';
import { type OpenEffect, writeEffect } from '../../../src/runs/effects.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';
import type { Message } from '../../../src/trail/channel.ts';
import { check } from '../../../src/trail/check.ts';
import { compare } from '../../../src/trail/compare.ts';
import { folder, notes, type Own } from './samples.ts';

// The only file of these tests that imports the product: moving a module changes nothing else.

const home = fileURLToPath(new URL('../../fixtures/first-release/', import.meta.url));
const files = ['ledger-2026-10.jsonl', 'ledger.jsonl', 'trail.json', 'open'];

/** The policy that the bot ran with when it was killed. */
export const lastPolicy = join(home, 'last-policy.yaml');

/** The audit channel, oldest message first. */
export const channel: readonly Message[] = JSON.parse(readFileSync(join(home, 'channel.json'), 'utf8'));
export const audit = '1300000000000000002';

/** Creates the folder as the killed bot left it. */
export function copyTo(dir: string): string {
  for (const name of files) cpSync(join(home, name), join(dir, name), { recursive: true });
  return dir;
}

/** A folder of its own for a test, gone with it. */
export const copy = (): string => copyTo(folder());

/** The ledger's lines as they stand in its files, the oldest first. */
export const linesIn = (dir: string): string[] =>
  files
    .map((name) => join(dir, name))
    .filter((file) => file.endsWith('.jsonl') && existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));

export const verified = (dir: string): Verification => verify(linesIn(dir));

export const entriesIn = (dir: string): Entry[] => linesIn(dir).map((line): Entry => JSON.parse(line));

/** Opens the ledger at that moment; closed with the test at the latest. */
export async function openAt(time: string, dir = copy()) {
  const log = notes();
  const ledger = await openFileLedger({ dir, now: () => new Date(time), log });
  onTestFinished(() => ledger.close());
  return { dir, log, ...ledger };
}

/** The open effects by server, as the entries write them, and the entry that opened each. */
export const openEffect = ({ effect, server, since }: OpenEffect) => ({
  effect: writeEffect(effect),
  server: server.name,
  since: since.seq,
});

/** As `npm run audit -- verify` and /audit verify do it, where these messages are in the channel. */
export const checked = (dir: string, messages = channel) =>
  check(() => readFiles(dir), {
    id: audit,
    page(before) {
      const older = messages.filter(({ id }) => before === undefined || BigInt(id) < BigInt(before));
      return Promise.resolve(older.slice(-100).reverse());
    },
    file: () => Promise.resolve(undefined),
  });

/** What differs from what was posted, whether or not the ledger has it as a finding. */
export const oddities = (dir: string, messages = channel) => compare(messages, entriesIn(dir), 1);

/** A step of a run of bob's, who throttles web-3. */
export const bobs = (run: string, own: Own): NewEntry => ({
  ...{ run, command: 'cpu.throttle', options: { server: '103', percent: 10, sync: true } },
  actor: { id: '1400000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  server: { id: 103, name: 'web-3', tier: 'staging' },
  place: { guild: '1100000000000000001', channel: '1300000000000000001', message: '1570000000000000000' },
  ...own,
});
