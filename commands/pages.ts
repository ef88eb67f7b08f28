import { type Markup, trusted } from '../src/card.ts';
import type { Position } from '../src/command.ts';
import type { RawOptions } from '../src/outcome.ts';

interface Positions {
  previous?: Position;
  next?: Position;
}

/** A part of a list: `from` and `to` count from 1, out of `total`. */
export interface Shown<T> {
  items: readonly T[];
  from: number;
  to: number;
  total: number;
  positions: Positions;
}

/** One part of a complete list. */
export function slice<T>(all: readonly T[], part: number, size: number, options: RawOptions): Shown<T> {
  const starts = Array.from({ length: Math.max(1, Math.ceil(all.length / size)) }, (_, at) => at * size);
  return partOf(all, part, starts, options);
}

/** One part of a list: as many items as fit into `most` characters. A longer item gets a part of its own. */
export function fill(all: readonly Markup[], part: number, most: number, options: RawOptions): Shown<Markup> {
  const starts = [0];
  let length = 0;
  for (const [at, { markup }] of all.entries()) {
    length += markup.length + 1;
    if (length <= most || at === starts.at(-1)) continue;
    starts.push(at);
    length = markup.length + 1;
  }
  return partOf(all, part, starts, options);
}

/** `starts`: where each part begins. */
function partOf<T>(all: readonly T[], part: number, starts: readonly number[], options: RawOptions): Shown<T> {
  const from = starts[part] ?? all.length;
  const items = all.slice(from, starts[part + 1]);
  return {
    items,
    from: items.length === 0 ? 0 : from + 1,
    to: from + items.length,
    total: all.length,
    positions: {
      ...(part > 0 ? { previous: { options, part: Math.min(part, starts.length) - 1 } } : {}),
      ...(part + 1 < starts.length ? { next: { options, part: part + 1 } } : {}),
    },
  };
}

export interface Paged<T> {
  data: readonly T[];
  total: number;
  current_page: number;
  last_page: number;
  per_page: number;
}

/** The last part of a page; beyond the end, of the last existing page. */
function lastPart({ total, per_page }: Paged<unknown>, page: number, size: number): { page: number; part: number } {
  const records = Math.min(per_page, total - (page - 1) * per_page);
  return { page, part: Math.max(0, Math.ceil(records / size) - 1) };
}

/** One part of one page of the panel's list: Next goes through the parts, then to the next page. */
export function slicePage<T>(paged: Paged<T>, part: number, size: number, options: RawOptions): Shown<T> {
  const shown = slice(paged.data, part, size, options);
  const before = (paged.current_page - 1) * paged.per_page;
  const page = paged.current_page;
  const { previous, next } = shown.positions;
  const earlier = lastPart(paged, Math.min(page - 1, paged.last_page), size);
  return {
    ...shown,
    from: shown.from === 0 ? 0 : before + shown.from,
    to: before + shown.to,
    total: paged.total,
    positions: {
      ...(previous !== undefined
        ? { previous }
        : page > 1
          ? { previous: { options: { ...options, page: earlier.page }, part: earlier.part } }
          : {}),
      ...(next !== undefined
        ? { next }
        : page < paged.last_page
          ? { next: { options: { ...options, page: page + 1 }, part: 0 } }
          : {}),
    },
  };
}

/** "Showing 1–10 of 200 rules.", if there is more, or nothing to show. */
export function shownOf(shown: Shown<unknown>, what: string): Markup[] {
  if (shown.items.length === 0)
    return [
      trusted(shown.total === 0 ? `There are no ${what}.` : `No ${what} on this page; there are ${shown.total}.`),
    ];
  if (shown.items.length === shown.total) return [];
  const which = shown.from === shown.to ? `no. ${shown.from}` : `${shown.from}–${shown.to}`;
  return [trusted(`Showing ${which} of ${shown.total} ${what}.`)];
}
