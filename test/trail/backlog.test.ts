import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isBacklog, packBacklog } from '../../src/trail/backlog.ts';
import { entriesFrom } from '../../src/view/trail.ts';
import { chain, denial } from '../helpers/record/entries.ts';
import { backlogOf, checkedBy, filesOf, shelf } from '../helpers/trail/backlog.ts';
import {
  begun,
  isSeamless,
  linesOf,
  ownDiscord,
  posted,
  reaches,
  several,
  startTrailProcess,
} from '../helpers/trail/process.ts';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

it('A long backlog is one message with a file, which is compared like any other', async () => {
  const discord = await ownDiscord();
  const poster = await backlogOf(discord, 500);
  await reaches(discord, () => 501);
  expect(posted(discord)).toHaveLength(1);
  const [message] = posted(discord);
  const [file] = filesOf(discord);
  expect(file?.name).toBe('trail-1-501.txt');
  const head = poster.ledger.head().hash.slice(0, 36);
  expect(message?.content).toBe(
    `A backlog of 501 entries: the file has their lines.\nSHA-256 of the file: \`${sha256(file?.bytes ?? '')}\`\n#1–#501 · ${head}`,
  );
  const lines = Buffer.from(file?.bytes ?? [])
    .toString()
    .split('\n');
  expect(lines).toHaveLength(501);
  expect(lines.at(-1)).toContain('STOPPED panelops · process `owner 500`');
  expect(await checkedBy(poster, discord)).toEqual({ messages: 1, strange: [], waiting: 0 });
  // What comes next stands in a line again.
  await poster.append(several(1, 900));
  await reaches(discord, () => 502);
  expect(linesOf(discord).at(-1)).toContain('`owner 900`');
  expect(await checkedBy(poster, discord)).toEqual({ messages: 2, strange: [], waiting: 0 });
});

it('A line that is too long for a message is posted in a file, and holds up nothing', async () => {
  const discord = await ownDiscord();
  const poster = await startTrailProcess(discord, shelf());
  const people = Array.from({ length: 90 }, (_, at) => String(1_400_000_000_000_000_000n + BigInt(at)));
  const shift = { schedule: 'all', at: '2026-11-20T08:00:00.000Z', before: people.slice(1), after: people };
  await poster.append([begun]);
  await reaches(discord, () => 1);
  // Discord fails once, and with what a client repeats by itself.
  discord.order({ kind: 'status', status: 503, match: { method: 'POST', path: '/channels/*/messages' }, times: 4 });
  await poster.append([{ kind: 'shift', actor: begun.actor, ...shift }, ...several(1)]);
  await reaches(discord, () => 3);
  expect(linesOf(discord).at(-1)).toContain('`owner 1`');
  expect(await checkedBy(poster, discord)).toMatchObject({ strange: [], waiting: 0 });
});

describe('Entries that wait', () => {
  const entries = chain([begun, ...several(200)]);
  it('are one from the first that two messages do not hold', () => {
    const first = Array.from({ length: 201 }, (_, at) => at + 1).find((to) => isBacklog(entries, 1, to)) ?? 0;
    const least = entries.slice(0, first - 1).map((_, at) => isBacklog(entries, 1, at + 1));
    expect(least).not.toContain(true);
    // A line of these has some 50 characters, and a message 2,000.
    expect(first).toBeGreaterThan(60);
    expect(first).toBeLessThan(90);
  });

  it('are none where thousands of denials of one person share a line', () => {
    const mallory = { id: '1400000000000000004', name: 'mallory' };
    expect(isBacklog(chain(Array.from({ length: 2_000 }, () => denial(mallory))), 1, 2_000)).toBe(false);
  });
});

it('A backlog that is too large for a file goes as several, each of which ends where the next begins', async () => {
  const entries = chain([begun, ...several(2_000)]);
  const ranges: [number, number][] = [];
  for (let from = 1; from <= entries.length; ) {
    const packed = await packBacklog(entriesFrom(entries, from), 40_000);
    if (packed === undefined) throw new Error('nothing was packed');
    expect(packed.file.text.length).toBeLessThanOrEqual(40_000);
    expect(packed.text).toContain(sha256(packed.file.text));
    ranges.push([packed.from, packed.to]);
    from = packed.to + 1;
  }
  expect(ranges.length).toBeGreaterThan(1);
  expect(ranges[0]?.[0]).toBe(1);
  expect(ranges.at(-1)?.[1]).toBe(2_001);
  for (const [at, [from]] of ranges.slice(1).entries()) expect(from).toBe((ranges[at]?.[1] ?? 0) + 1);
});

it('While a long backlog is rendered, everybody else has their turns', async () => {
  const entries = chain([begun, ...several(20_000)]);
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await packBacklog(entries);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(50);
});

it('Tens of thousands of entries are in the channel seconds later', async () => {
  const discord = await ownDiscord();
  await backlogOf(discord, 30_000);
  await reaches(discord, () => 30_001, 20_000);
  expect(isSeamless(discord)).toBe(true);
  expect(linesOf(discord)).toHaveLength(30_001);
  expect(posted(discord).length).toBeLessThanOrEqual(3);
});
