import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import type { NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { startsFrom } from '../helpers/ledger/months.ts';
import { accepted, asked, denied, intent, notes, outcome, started } from '../helpers/ledger/samples.ts';

const useless = 'the checkpoint of the ledger is of no use, so all of it is read';

const bot = () => startsFrom('2026-10-01T12:00:00.000Z');

const lineOf = (dir: string, file: string, n = 0) =>
  JSON.parse(readFileSync(join(dir, file), 'utf8').split('\n')[n] ?? '');
const sha256 = (dir: string, file: string) =>
  createHash('sha256')
    .update(readFileSync(join(dir, file)))
    .digest('hex');
const checkpointsIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith('.checkpoint'));

const { actor, place, options } = denied('x.1');
const server = { id: 7, name: 'db-7' };
const bare = { actor, place, options, command: 'firewall.disable', server };

/** A month of what can still change afterwards: a person's next click, or tomorrow's start, may be about any of it. */
const october: readonly NewEntry[][] = [
  [denied('a.1')],
  [asked('open.1'), asked('open.2')],
  [intent('sent.1')],
  [intent('lost.1')],
  [{ ...accepted('lost.1'), outcome: 'unknown' } as NewRunEntry],
  [intent('followed.1')],
  [accepted('followed.1'), started('followed.1')],
  [{ ...bare, run: 'off.1', kind: 'intent', opens: ['firewall-off primary'] }],
  [{ ...bare, run: 'off.1', kind: 'outcome', outcome: 'succeeded', remind: '2026-12-01T00:00:00.000Z' }],
  [
    {
      kind: 'held',
      actor,
      place,
      server: { id: 8, name: 'db-8' },
      until: '2027-01-01T00:00:00.000Z',
      why: 'a new disk',
    },
  ],
  [{ kind: 'incident', actor, place, incident: '1500000000000000001', step: 'opened', title: 'all is slow' }],
];

/** October, and the first entry of November. */
async function twoMonths() {
  const { clock, start, ...more } = bot();
  const ledger = await start();
  for (const entries of october) await ledger.append(entries);
  clock.time = '2026-11-02T12:00:00.000Z';
  await ledger.append([denied('b.1')]);
  return { ...more, clock, start };
}

/** All that a ledger is asked. */
function known(ledger: Ledger) {
  const at = Date.parse('2026-11-03T00:00:00.000Z');
  const { past } = ledger;
  const servers = [...past.servers()];
  const seqs = (list: { length: number; at(index: number): unknown }) =>
    Array.from({ length: list.length }, (_, index) => list.at(index));
  return {
    head: ledger.head(),
    entries: [...ledger.entries()],
    lists: [
      ledger.open(),
      ledger.following(),
      ledger.unknown(),
      ledger.unfollowed(),
      ledger.reminders(),
      ledger.unpinged(),
    ],
    unfinished: ledger.unfinished(),
    effects: ledger.effects(),
    stops: [ledger.freezes(at), ledger.holds(at), ledger.incidents(), ledger.findings()],
    past: servers.map((id) => [id, seqs(past.ofServer(id)), seqs(ledger.outcomes(id))]),
    noServer: seqs(past.ofServer(undefined)),
    lastRestore: past.lastRestore(),
    events: past.events(),
    run: ledger.runs('off'),
    span: ledger.entries().span?.(at, at + 1),
  };
}

describe('The checkpoint of closed files', () => {
  test('is written when a month is closed, for its owner alone, and the next entry vouches for it', async () => {
    const { dir } = await twoMonths();
    expect(checkpointsIn(dir)).toEqual(['ledger-2026-10.checkpoint']);
    expect(statSync(join(dir, 'ledger-2026-10.checkpoint')).mode & 0o777).toBe(0o600);
    expect(lineOf(dir, 'ledger.jsonl')).toMatchObject({
      run: 'b.1',
      checkpoint: sha256(dir, 'ledger-2026-10.checkpoint'),
    });
    expect(await readFiles(dir)).toMatchObject({ head: { seq: 14 } });
    expect((await readFiles(dir)).problem).toBeUndefined();
  });

  test('knows all that the entries say', async () => {
    const { dir, start, log } = await twoMonths();
    const short = known(await start());
    expect(log.messages).toEqual([]);
    rmSync(join(dir, 'ledger-2026-10.checkpoint'));
    const whole = known(await start());
    expect(log.messages).toEqual([useless]);
    expect(short).toEqual(whole);
    expect(short.lists.map((list) => list.map(({ run }) => run))).toEqual([
      ['open.1', 'open.2', 'sent.1'],
      ['followed.1'],
      ['lost.1'],
      [],
      ['off.1'],
      [],
    ]);
    expect(short.effects).toMatchObject([{ effect: { kind: 'firewall-off' }, server }]);
  });

  test('lets the same be decided', async () => {
    const { start } = await twoMonths();
    const ledger = await start();
    await expect(ledger.append([intent('sent.1')])).rejects.toMatchObject({ rule: 'second' });
    const another = { ...actor, id: '1100000000000000003' };
    const held = { ...intent('c.1'), actor: another, server: { id: 8 } };
    await expect(ledger.append([held])).rejects.toMatchObject({ rule: 'stopped' });
    const busy = { ...intent('sent.1'), run: 'c.1' };
    await expect(ledger.append([busy])).rejects.toMatchObject({ rule: 'server-busy', by: { run: 'sent.1' } });
    await ledger.append([outcome('sent.1')]);
    expect(ledger.open().map(({ run }) => run)).toEqual(['open.1', 'open.2']);
    await ledger.append([{ ...bare, run: 'on.1', kind: 'intent', closes: ['firewall-off primary'] }]);
    await ledger.append([{ ...bare, run: 'on.1', kind: 'outcome', outcome: 'succeeded' }]);
    expect(ledger.effects()).toEqual([]);
  });

  test('covers one month, and names the one before', async () => {
    const { dir, clock, start, log } = await twoMonths();
    const ledger = await start();
    clock.time = '2026-12-02T12:00:00.000Z';
    await ledger.append([outcome('sent.1')]);
    expect(checkpointsIn(dir)).toEqual(['ledger-2026-10.checkpoint', 'ledger-2026-11.checkpoint']);
    expect(lineOf(dir, 'ledger-2026-11.checkpoint')).toMatchObject({
      before: { file: 'ledger-2026-10.checkpoint', sha256: sha256(dir, 'ledger-2026-10.checkpoint') },
      files: [{ file: 'ledger-2026-11.jsonl', count: 1, sha256: sha256(dir, 'ledger-2026-11.jsonl') }],
    });
    const here = known(ledger);
    expect(known(await start())).toEqual(here);
    expect(log.messages).toEqual([]);
  });

  test.each([
    [
      'changed',
      (file: string) => writeFileSync(file, readFileSync(file, 'latin1').replace('"sent.1"', '"gone.1"'), 'latin1'),
    ],
    ['cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
    ['gone', (file: string) => rmSync(file)],
  ])('is not believed where it was %s: the entries are read, and the next one covers them', async (_how, harm) => {
    const { dir, clock, start, log } = await twoMonths();
    harm(join(dir, 'ledger-2026-10.checkpoint'));
    const ledger = await start();
    expect(log.messages).toEqual([useless]);
    expect(ledger.open().map(({ run }) => run)).toEqual(['open.1', 'open.2', 'sent.1']);
    clock.time = '2026-12-02T12:00:00.000Z';
    await ledger.append([denied('c.1')]);
    const here = known(ledger);
    expect(known(await start())).toEqual(here);
    expect(log.messages).toEqual([]);
    const { before, files } = lineOf(dir, 'ledger-2026-11.checkpoint');
    expect([before, files.length]).toEqual([undefined, 2]);
  });

  test('is made by the next entry where the process was killed before that', async () => {
    const { dir, clock, start, stop, log } = bot();
    await (await start()).append([intent('sent.1')]);
    await stop();
    // As a crash leaves it between the closing of one file and the first line of the next.
    writeFileSync(join(dir, 'ledger-2026-10.jsonl'), readFileSync(join(dir, 'ledger.jsonl')));
    writeFileSync(join(dir, 'ledger.jsonl'), '');
    clock.time = '2026-11-02T12:00:00.000Z';
    await (await start()).append([denied('b.1')]);
    expect(lineOf(dir, 'ledger.jsonl').checkpoint).toBe(sha256(dir, 'ledger-2026-10.checkpoint'));
    expect((await start()).open().map(({ run }) => run)).toEqual(['sent.1']);
    expect(log.messages).toEqual([]);
  });

  test('is missed by nobody where it cannot be written', async () => {
    const { dir, clock, start, log } = bot();
    const ledger = await start();
    await ledger.append([intent('sent.1')]);
    mkdirSync(join(dir, 'ledger-2026-10.checkpoint'));
    clock.time = '2026-11-02T12:00:00.000Z';
    await ledger.append([outcome('sent.1')]);
    expect(log.messages).toEqual(['the checkpoint of the ledger cannot be written']);
    expect(lineOf(dir, 'ledger.jsonl')).not.toHaveProperty('checkpoint');
    expect((await start()).head().seq).toBe(2);
    expect(log.messages).toEqual([]);
  });

  test('is no part of what is verified, which is every byte of the entries', async () => {
    const { dir, stop } = await twoMonths();
    await stop();
    const file = join(dir, 'ledger-2026-10.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('all is slow', 'all is well'));
    expect((await readFiles(dir)).problem?.words).toContain('entry 13 was changed');
    await expect(openFileLedger({ dir, log: notes() })).rejects.toThrow('entry 13 was changed');
  });
});
