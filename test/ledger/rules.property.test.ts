import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { type Ledger, Refused } from '../../src/ledger/ledger.ts';
import type { Entry, NewEntry } from '../../src/runs/entry.ts';
import { connection, openLeading, ownServer } from '../helpers/ledger/places.ts';
import { type Broken, broken, type Recorded } from '../helpers/ledger/rules-model.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { entriesOf, type Stand, type Story, story } from '../helpers/ledger/stories.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';
import { tries } from '../helpers/tries.ts';

const start = Date.parse('2026-11-19T22:00:00Z');
/** Between two turns, in ms. */
const turn = 20_000;

interface Said {
  entries: readonly NewEntry[];
  answer: Entry[] | Refused;
}

/** The rules that the first entry breaks that breaks any. */
function brokenBy(entries: readonly NewEntry[], recorded: Recorded, now: number): Broken[] {
  let draft = recorded;
  for (const entry of entries) {
    const found = broken(entry, draft, now);
    if (found.length > 0) return found;
    draft = [...draft, { entry, seq: Number.POSITIVE_INFINITY, hash: '' }];
  }
  return [];
}

const after = (recorded: Recorded, entries: readonly Entry[]): Recorded => [
  ...recorded,
  ...entries.map((entry) => ({ entry, seq: entry.seq, hash: entry.hash })),
];

/** Compares a turn with the model: each append is judged where it came; `any`: or where else in the turn it may have come. */
function judge(turns: readonly Said[], before: Recorded, now: number, any: boolean): Recorded {
  const inOrder = any
    ? turns.toSorted(
        (a, b) =>
          (Array.isArray(a.answer) ? (a.answer[0]?.seq ?? 0) : 0) -
          (Array.isArray(b.answer) ? (b.answer[0]?.seq ?? 0) : 0),
      )
    : turns;
  const stands: Recorded[] = [before];
  const refused: { said: Said; stand: number; error: Refused }[] = [];
  for (const said of inOrder) {
    const recorded = stands.at(-1) ?? [];
    if (said.answer instanceof Refused) {
      refused.push({ said, stand: stands.length - 1, error: said.answer });
      continue;
    }
    expect({ entries: said.entries, broken: brokenBy(said.entries, recorded, now) }).toMatchObject({ broken: [] });
    stands.push(after(recorded, said.answer));
  }
  for (const { said, stand, error } of refused) {
    const possible = any ? stands : stands.slice(stand, stand + 1);
    const rules = possible.flatMap((recorded) => brokenBy(said.entries, recorded, now));
    const fits = rules.some(({ rule, by }) => rule === error.rule && (by === undefined || by === error.by?.seq));
    expect({ entries: said.entries, refused: [error.rule, error.by?.seq], rules, fits }).toMatchObject({ fits: true });
  }
  return stands.at(-1) ?? [];
}

const said = (append: Promise<Entry[]>): Promise<Entry[] | Refused> =>
  append.catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });

/**
 * Plays stories beside one another, turn by turn: of each turn, all appends of all stories at once. `one-by-one`: each waits for
 * the one before. Answers how many appends were taken, and how many refused by which rule.
 */
async function play(
  stories: readonly Story[],
  ledgers: readonly [Ledger, Ledger],
  clock: { now: number },
  way: 'at-once' | 'one-by-one',
): Promise<Record<string, number>> {
  const stands: Stand[] = stories.map(() => ({ recorded: [], seen: [0, 0] }));
  const counts: Record<string, number> = {};
  const longest = Math.max(0, ...stories.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    clock.now += turn;
    const heads = ledgers.map((ledger) => ledger.head().seq);
    const appended = stories.flatMap((each, n) =>
      (each[at] ?? []).map((one) => {
        const stand = stands[n] ?? { recorded: [], seen: [0, 0] };
        if (one.looks) stand.seen[one.who] = heads[one.who] ?? 0;
        return { n, who: one.who, entries: entriesOf(one, n, stand, clock.now) };
      }),
    );
    const answers: (Said & { n: number })[] = [];
    const waiting: Promise<void>[] = [];
    for (const { n, who, entries } of appended) {
      const place = answers.push({ n, entries, answer: [] }) - 1;
      const append = said(ledgers[who].append(entries)).then((answer) => {
        answers[place] = { n, entries, answer };
      });
      if (way === 'one-by-one') await append;
      else waiting.push(append);
    }
    await Promise.all(waiting);
    for (const { answer } of answers) {
      const name = answer instanceof Refused ? answer.rule : 'taken';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const any = way === 'at-once' && ledgers[0] !== ledgers[1];
    for (const [n, stand] of stands.entries())
      stand.recorded = judge(
        answers.filter((each) => each.n === n),
        stand.recorded,
        clock.now,
        any,
      );
  }
  return counts;
}

const add = (sum: Record<string, number>, counts: Record<string, number>): void => {
  for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + n;
};
const rules = ['expired', 'out-of-order', 'second', 'server-busy', 'stale', 'taken'];

describe('two who append to one ledger in a file', () => {
  it('are held to the rules of a small model, 5,000 times', { timeout: 120_000 }, async () => {
    const sum: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 100, maxLength: 100 }), async (stories) => {
        const clock = { now: start };
        const ledger = await openFileLedger({ dir: folder(), now: () => new Date(clock.now), log: notes() });
        add(sum, await play(stories, [ledger, ledger], clock, 'at-once'));
        await ledger.close();
      }),
      { numRuns: tries(50) },
    );
    // Each rule had its say, and not only once.
    expect(
      Object.keys(sum)
        .filter((name) => (sum[name] ?? 0) > tries(50) - 10)
        .sort(),
    ).toEqual(rules);
  });
});

describeWithRedisServer('two who append to one ledger in Redis', () => {
  const server = ownServer();
  it('are held to the same', { timeout: 120_000 }, async () => {
    const redis = await connection(server().url);
    const sum: Record<string, number> = {};
    let played = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 25, maxLength: 25 }), async (stories) => {
        played += 1;
        const clock = { now: start };
        const now = () => new Date(clock.now);
        const ledger = await openLeading({ redis, now, log: notes(), prefix: `${played}:` });
        add(sum, await play(stories, [ledger, ledger], clock, 'at-once'));
        await ledger.close();
      }),
      { numRuns: tries(20) },
    );
    // The rarer rules have had their say in the file above: of so few stories, one in fifty runs has none of them.
    expect(Object.keys(sum)).toEqual(expect.arrayContaining(['expired', 'out-of-order', 'second', 'taken']));
  });
});
