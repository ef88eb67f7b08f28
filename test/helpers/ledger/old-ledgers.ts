import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownOf } from '../../../src/cards/draw.ts';
import { render } from '../../../src/cards/render/index.ts';
import { type Verification, verify } from '../../../src/ledger/chain.ts';
import { readFiles } from '../../../src/ledger/reading.ts';
import type { Records } from '../../../src/runs/book.ts';
import { type OpenEffect, writeEffect } from '../../../src/runs/effects.ts';
import { type Entry, isOfRun, type NewEntry } from '../../../src/runs/entry.ts';
import { invocationOf } from '../../../src/runs/ids.ts';
import type { Message } from '../../../src/trail/channel.ts';
import { check } from '../../../src/trail/check.ts';
import { compare } from '../../../src/trail/compare.ts';
import { formOf, rangeIn, textOf } from '../../../src/view/trail.ts';
import { drawParts } from '../cards/story.ts';
import { folder, notes, type Own, openLedger } from './samples.ts';

// The only file of these tests that imports the product: moving a module changes nothing else.

export const audit = '1300000000000000002';

/** What a former version left, in test/fixtures. */
export type OldLedger = ReturnType<typeof oldLedger>;

function oldLedger(name: string, { later, last }: { later: string; last: { seq: number; hash: string } }) {
  const home = fileURLToPath(new URL(`../../fixtures/${name}/`, import.meta.url));
  /** Creates the folder as the killed bot left it. */
  function copyTo(dir: string): string {
    for (const file of readdirSync(home).filter((each) => !besides.has(each)))
      cpSync(join(home, file), join(dir, file), { recursive: true });
    return dir;
  }
  return {
    ...{ name, copyTo, last },
    /** A moment after it was killed. */
    later,
    /** A folder of its own for a test, gone with it. */
    copy: () => copyTo(folder()),
    /** The policy that the bot ran with when it was killed. */
    lastPolicy: join(home, 'last-policy.yaml'),
    /** The audit channel, oldest message first, with the text of each attached file. */
    channel: readJson<readonly OldMessage[]>(join(home, 'channel.json')),
    /** The state that each command's card shows, by its run. */
    states: readJson<Readonly<Record<string, string>>>(join(home, 'states.json')),
  };
}

/** Files of a fixture that are not of the bot's folder. */
const besides = new Set(['README.md', 'channel.json', 'last-policy.yaml', 'states.json']);

type OldMessage = Omit<Message, 'file'> & { file?: { name: string; text: string } };

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'));

export const firstRelease = oldLedger('first-release', {
  later: '2026-11-01T03:45:00.000Z',
  last: { seq: 162, hash: '0d337504587733cec268df8f1d9a7937549c65a45a33a82e349185f465daf4aa' },
});
export const beforeOneWriter = oldLedger('before-one-writer', {
  later: '2026-12-01T14:40:00.000Z',
  last: { seq: 271, hash: '82d059022fb1e844282b551be5d820054383a67c64d5b8abf6f561bf3e9b9fe5' },
});

/** The ledger's lines as they stand in its files, the oldest first. */
export const linesIn = (dir: string): string[] =>
  readdirSync(dir)
    .filter((file) => /^ledger.*\.jsonl$/.test(file))
    .sort()
    .flatMap((file) => readFileSync(join(dir, file), 'utf8').split('\n').slice(0, -1));

export const verified = (dir: string): Verification => verify(linesIn(dir));

const entriesIn = (dir: string): Entry[] => linesIn(dir).map((line): Entry => JSON.parse(line));

/** Opens the ledger at that moment. */
export async function openAt(time: string, dir: string) {
  const log = notes();
  return { log, ...(await openLedger({ dir, log, now: () => new Date(time) })) };
}

/** The open effects by server, as the entries write them, and the entry that opened each. */
export const openEffect = ({ effect, server, since }: OpenEffect) => ({
  effect: writeEffect(effect),
  server: server.name,
  since: since.seq,
});

/** As `npm run audit -- verify` and /audit verify do it, where these messages are in the channel. */
export const checked = (dir: string, messages: readonly OldMessage[]) =>
  check(() => readFiles(dir), {
    id: audit,
    page(before) {
      const older = messages.filter(({ id }) => before === undefined || BigInt(id) < BigInt(before));
      return Promise.resolve(older.slice(-100).reverse().map(asRead));
    },
    file: ({ url }) => {
      const text = messages.find(({ id }) => id === url)?.file?.text;
      return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
    },
  });

const asRead = ({ file, ...message }: OldMessage): Message => ({
  ...message,
  ...(file === undefined ? {} : { file: { name: file.name, size: file.text.length, url: message.id } }),
});

/** What differs from what was posted, whether or not the ledger has it as a finding. */
export const oddities = (dir: string, messages: readonly OldMessage[]) =>
  compare(messages.map(asRead), entriesIn(dir), 1);

/** Messages of the trail that would not be posted today as they were then, by their last lines. */
export function changedLines(dir: string, messages: readonly OldMessage[]): string[] {
  const entries = entriesIn(dir);
  return messages.flatMap(({ content, file }) => {
    const range = rangeIn(content);
    const now = range && textOf(entries.slice(range.from - 1, range.to), formOf(range));
    const then = file === undefined ? content : `${file.text}\n${content.split('\n').at(-1)}`;
    return now === then ? [] : [content.split('\n').at(-1) ?? ''];
  });
}

/** The state that each command's card shows, by its run. */
export function statesIn(records: Records): Record<string, string> {
  const parts = drawParts(records);
  const ids = new Set(
    records
      .entries()
      .slice()
      .filter(isOfRun)
      .map(({ run }) => invocationOf(run)),
  );
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const known = knownOf(parts, id);
      return known === undefined ? [] : [[id, render(known, parts).state]];
    }),
  );
}

/** A step of a run of bob's, who throttles vpn-1. */
export const bobs = (run: string, own: Own): NewEntry => ({
  ...{ run, command: 'cpu.throttle', options: { server: '161', percent: 10, sync: true } },
  actor: { id: '1400000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  server: { id: 161, name: 'vpn-1', tier: 'production' },
  place: { guild: '1100000000000000001', channel: '1300000000000000001', message: '1570000000000000000' },
  ...own,
});
