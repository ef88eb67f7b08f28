import { beforeAll, describe, expect, it } from 'vitest';
import type { Card } from '../../src/card.ts';
import type { RawOptions } from '../../src/outcome.ts';
import { type EntryStore, inMemory } from '../../src/runs/entries.ts';
import type { Entry } from '../../src/runs/entry.ts';
import { type OneByOne, oneByOne } from '../../src/shell/limits.ts';
import { walk } from '../../src/walk.ts';
import { linesOf } from '../helpers/card-text.ts';
import { looked as lookedWith } from '../helpers/commands/looked.ts';
import { large } from '../helpers/record/entries.ts';
import { forCommands, ledgerOf } from '../helpers/stand-ins.ts';

interface Around {
  entries: readonly Entry[];
  /** Where they are kept. */
  kept?: EntryStore;
  walks?: OneByOne;
}

/** The card of a look into this ledger. */
const looked = (id: string, raw: RawOptions, { entries, kept, walks = forCommands.walks }: Around): Promise<Card> =>
  lookedWith(id, raw, { forCommands: { ...forCommands, walks }, ledger: ledgerOf(entries, kept) });

const textOf = (card: Card): string => linesOf(card).join('\n');

/** How many turns everybody else gets while this works. */
async function turnsIn(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe('a look into a ledger of 10,000 entries', () => {
  let entries: Entry[] = [];
  beforeAll(() => {
    entries = large(10_000);
  });

  it.each<[string, RawOptions, string]>([
    // Of what is found at once, eight are enough.
    ['audit.history', { person: '1400000000000000009' }, 'There are no such runs.'],
    ['audit.export', {}, '10000 entries'],
    ['audit.export', { format: 'csv' }, '10000 entries'],
    ['audit.export', { format: 'md', server: '101' }, '10000 entries'],
  ])('%s %j lets other work run', async (id, raw, shown) => {
    let text = '';
    const turns = await turnsIn(async () => {
      text = textOf(await looked(id, raw, { entries }));
    });
    expect(text).toContain(shown);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('a look at what was done', () => {
  const all = large(10_000);

  it('counts the newest runs, and says that there are more', async () => {
    const text = textOf(await looked('audit.history', {}, { entries: all }));
    expect(text).toMatch(/^1\d{3} runs or more\./);
    expect(text).toMatch(/Showing 1–8 of 1\d{3} or more runs\./);
  });

  it('goes back as far as it takes to find eight', async () => {
    const [first] = all;
    const bob = { id: '1400000000000000002', name: 'bob', roles: [] };
    if (first === undefined || !('run' in first)) throw new Error('it begins with a run');
    const entries = [{ ...first, actor: bob }, ...all.slice(1)];
    const text = textOf(await looked('audit.history', { person: bob.id }, { entries }));
    expect(text).toMatch(/^1 run\.\n.*\/firewall flush web-1 .*<@1400000000000000002>/);
  });
});

describe('a look at one run', () => {
  it('reads nothing but its own entries', async () => {
    const read: number[] = [];
    const counted = inMemory();
    const entries: EntryStore = {
      ...counted,
      at(index) {
        read.push(index);
        return counted.at(index);
      },
    };
    const card = await looked('audit.run', { id: 'r7.1' }, { entries: large(1_000), kept: entries });
    expect(textOf(card)).toContain('`r7.1`: /firewall flush');
    expect(read.length).toBeLessThan(20);
  });
});

describe('a walk', () => {
  it('yields to other work every few milliseconds', async () => {
    const atOnce: number[] = [];
    let since = 0;
    const others = setInterval(() => {
      atOnce.push(since);
      since = 0;
    });
    const busy = (): void => {
      since += 1;
      const until = performance.now() + 1;
      while (performance.now() < until);
    };
    await walk(Array.from({ length: 200 }), busy);
    clearInterval(others);
    // Each takes a millisecond: a few of them at once are no more than a person notices.
    expect(Math.max(...atOnce)).toBeLessThan(20);
    expect(atOnce.length).toBeGreaterThan(10);
  });
});

describe('several who look into the ledger at once', () => {
  it('take turns, and are refused at once when too many wait', async () => {
    const entries = large(10);
    const walks = oneByOne(1);
    let finish = (): void => undefined;
    const walking = walks(() => new Promise<void>((resolve) => (finish = resolve)));
    const look = () => looked('audit.history', {}, { entries, walks });
    const second = look();

    const third = await look();
    expect([third.state, textOf(third)]).toEqual([
      'unavailable',
      'Others are searching the ledger, and too many are waiting already.\nNothing was looked up.\nType this again in a minute.',
    ]);
    finish();
    await walking;
    expect((await second).state).toBe('succeeded');
    expect((await look()).state).toBe('succeeded');
  });
});
