import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fill, type Shown, shownOf, slice, slicePage } from '../../commands/pages.ts';
import { trusted } from '../../src/card.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const text = (shown: Shown<unknown>, what: string): string[] => shownOf(shown, what).map(({ markup }) => markup);

describe('a list that is there whole', () => {
  it('is shown in parts, each saying which', () => {
    const shown = slice(numbers(23), 1, 10, { server: '101' });
    expect(shown.items).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(text(shown, 'rules')).toEqual(['Showing 11–20 of 23 rules.']);
    expect(shown.positions).toEqual({
      previous: { options: { server: '101' }, part: 0 },
      next: { options: { server: '101' }, part: 2 },
    });
  });

  it('has no buttons and no word about parts when all of it is shown', () => {
    const shown = slice(numbers(10), 0, 10, {});
    expect(shown.positions).toEqual({});
    expect(text(shown, 'rules')).toEqual([]);
  });

  it('says when there is nothing', () => {
    expect(text(slice([], 0, 10, {}), 'rules')).toEqual(['There are no rules.']);
  });

  it('says when it has become shorter than the page that was asked for, and leads back', () => {
    const shown = slice(numbers(4), 2, 10, {});
    expect(text(shown, 'rules')).toEqual(['No rules on this page; there are 4.']);
    expect(shown.positions).toEqual({ previous: { options: {}, part: 0 } });
  });
});

describe('a list that the panel gives in pages', () => {
  const paged = (page: number, perPage: number, total: number) => ({
    data: numbers(total).slice((page - 1) * perPage, page * perPage),
    total,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    per_page: perPage,
  });

  it('goes on with the next page after the last part of a page, and back to the last part', () => {
    const end = slicePage(paged(1, 20, 50), 1, 10, { group: 1 });
    expect(text(end, 'groups')).toEqual(['Showing 11–20 of 50 groups.']);
    expect(end.positions.next).toEqual({ options: { group: 1, page: 2 }, part: 0 });
    const start = slicePage(paged(2, 20, 50), 0, 10, { group: 1, page: 2 });
    expect(text(start, 'groups')).toEqual(['Showing 21–30 of 50 groups.']);
    expect(start.positions.previous).toEqual({ options: { group: 1, page: 1 }, part: 1 });
  });

  it('says when a page is beyond the end, and leads back', () => {
    const shown = slicePage({ ...paged(1, 20, 50), data: [], current_page: 9, last_page: 3 }, 0, 10, { page: 9 });
    expect(text(shown, 'groups')).toEqual(['No groups on this page; there are 50.']);
    expect(shown.positions).toEqual({ previous: { options: { page: 3 }, part: 0 } });
  });

  it('shows everything once from Next to Next, and the same again from Previous to Previous', () => {
    const sizes = fc.tuple(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 12 }),
    );
    fc.assert(
      fc.property(sizes, ([total, perPage, size]) => {
        const visit = (page: number, part: number) => slicePage(paged(page, perPage, total), part, size, { page });
        const forward = [visit(1, 0)];
        for (let next = forward[0]?.positions.next; next !== undefined; ) {
          const shown = visit(Number(next.options['page']), next.part);
          forward.push(shown);
          next = shown.positions.next;
        }
        expect(forward.flatMap(({ items }) => items)).toEqual(numbers(total));
        for (const { items, from, to } of forward) expect([items[0], items.at(-1)]).toEqual([from, to]);

        const back = [forward.at(-1)];
        for (let previous = back[0]?.positions.previous; previous !== undefined; ) {
          const shown = visit(Number(previous.options['page']), previous.part);
          back.push(shown);
          previous = shown.positions.previous;
        }
        expect(back.map((shown) => shown?.items)).toEqual(forward.map(({ items }) => items).toReversed());
      }),
      { numRuns: 300 },
    );
  });
});

describe('a list of texts of any length', () => {
  const texts = fc.array(
    fc.nat({ max: 60 }).map((length) => trusted('x'.repeat(length))),
    { maxLength: 20 },
  );

  it('is shown once, part by part, as much as fits into each', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const shown = [fill(all, 0, 50, {})];
        for (let next = shown[0]?.positions.next; next !== undefined; next = shown.at(-1)?.positions.next)
          shown.push(fill(all, next.part, 50, {}));
        expect(shown.flatMap(({ items }) => items)).toEqual(all);
        for (const [part, { items, positions }] of shown.entries()) {
          const length = items.reduce((sum, { markup }) => sum + markup.length + 1, 0);
          expect(length <= 50 || items.length === 1).toBe(true);
          expect(positions.previous?.part).toBe(part === 0 ? undefined : part - 1);
        }
      }),
    );
  });

  it('leads back from beyond its end', () => {
    expect(fill([trusted('x')], 7, 50, {})).toMatchObject({
      items: [],
      from: 0,
      total: 1,
      positions: { previous: { part: 0 } },
    });
  });
});
