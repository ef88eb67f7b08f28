import { z } from 'zod';
import { readSecret } from '../config/file.ts';
import type { Log } from '../outcome.ts';
import type { Schedule } from '../policy/on-call.ts';
import { regularly } from '../waits.ts';
import type { Expand } from './apart.ts';
import type { FetchCalendar } from './fetch.ts';
import { type Copy, keyOf, type LiveCopies, peopleOf, scheduleNow, Unreadable } from './shift.ts';

export interface CalendarParts {
  live: LiveCopies;
  /** Where the last good copies are, so that a start without the calendars' hosts knows the same shifts. */
  store: { read(): Promise<string | undefined>; write(pieces: readonly string[]): Promise<void> };
  fetch: FetchCalendar;
  expand: Expand;
  /** Of these people, those who have no role in the guild. */
  gone(people: readonly string[]): Promise<readonly string[]>;
  schedules(): readonly Schedule[];
  zone(): string;
  /** Whether it is certain that no other process acts. */
  isHeld(): boolean;
  now(): number;
  /** How often, in ms. */
  every: number;
  log: Log;
}

export interface Calendars {
  /** Fetches them. */
  now(): Promise<void>;
  /** What people should know, one sentence each. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

const day = 86_400_000;
/** How far a copy reaches: long enough to say who is next, also where shifts last a month. */
const reach = { back: day, ahead: 62 * day };

const shift = z.object({ start: z.number(), end: z.number(), who: z.array(z.string()) });
const stored = z.record(z.string(), z.object({ at: z.number(), until: z.number(), shifts: z.array(shift) }));

/** Knows the last good copies at once, and fetches the calendars from time to time. */
export async function openCalendars(parts: CalendarParts): Promise<Calendars> {
  const { live, store, log, schedules, zone, isHeld } = parts;
  live.copies = await copiesIn(store, log);
  const failures = new Map<string, string>();
  const stop = new AbortController();
  const read = readerOf(parts, stop.signal);

  async function refresh(): Promise<void> {
    const [all, of] = [schedules(), zone()];
    if (stop.signal.aborted || all.length === 0 || !isHeld()) return;
    const next = new Map<string, Copy>();
    for (const schedule of all) {
      const key = keyOf(schedule, of);
      const before = live.copies.get(key);
      failures.delete(schedule.name);
      const copy = await read(schedule, of, before).catch((error: unknown) => {
        if (!(error instanceof Unreadable)) throw error;
        failures.set(schedule.name, error.message);
        if (!stop.signal.aborted)
          log.warn({ schedule: schedule.name, problem: error.message }, 'the calendar stays as it is');
        return before;
      });
      if (copy !== undefined) next.set(key, copy);
    }
    if (stop.signal.aborted || !isHeld()) return;
    live.copies = next;
    await keep(next, parts);
    const known = all.flatMap((schedule) => scheduleNow(schedule, live, of, parts.now()).shift ?? []);
    live.gone = await parts.gone([...new Set(known.flatMap(peopleOf))]);
  }

  const { now, end } = regularly<never, void>(parts.every, () =>
    refresh().catch((error: unknown) => {
      log.error({ problem: String(error) }, 'the calendars of who is on call: a bug');
    }),
  );

  return {
    now,
    troubles: () =>
      schedules().flatMap(({ name }) => {
        const words = failures.get(name);
        return words === undefined ? [] : [`The calendar of ${name}: ${words} /oncall says how old the last copy is.`];
      }),
    async close() {
      stop.abort();
      await end();
    },
  };
}

export type HowToRead = Pick<CalendarParts, 'fetch' | 'expand' | 'now'>;

/** Reads one calendar. Rejects with Unreadable. */
export function readerOf({ fetch, expand, now }: HowToRead, stop: AbortSignal) {
  /** A day after its last whole answer a host is asked for all again, because the days go on. */
  const tags = new Map<string, { address: string; etag: string | undefined; until: number }>();
  return async (schedule: Schedule, zone: string, before: Copy | undefined): Promise<Copy> => {
    const secret = readSecret(schedule['ical-file']);
    if ('rule' in secret) throw new Unreadable(secret.rule);
    const { value: address } = secret;
    const [at, key, { match }] = [now(), keyOf(schedule, zone), schedule];
    const tag = tags.get(key);
    const isKnown = before !== undefined && tag?.address === address && at < tag.until;
    const answer = await fetch(address, isKnown ? tag.etag : undefined, stop);
    if (answer.kind === 'failed') throw new Unreadable(answer.words);
    // It was asked only about what is known.
    if (answer.kind === 'same') return { ...(before ?? { until: at, shifts: [] }), at };
    const [from, until] = [at - reach.back, at + reach.ahead];
    const shifts = await expand({ text: answer.text, from, until, match, zone }, stop);
    tags.set(key, { address, etag: answer.etag, until: at + day });
    return { at, until, shifts };
  };
}

const keep = (copies: ReadonlyMap<string, Copy>, { store, log }: CalendarParts): Promise<void> =>
  store.write([JSON.stringify(Object.fromEntries(copies))]).catch((error: unknown) => {
    log.warn({ problem: String(error) }, 'cannot store the calendars of who is on call');
  });

/** What cannot be read is as if it were not there: then nobody is known to have the shift until the calendars are fetched. */
async function copiesIn(store: CalendarParts['store'], log: Log): Promise<ReadonlyMap<string, Copy>> {
  try {
    const text = await store.read();
    return new Map(text === undefined ? [] : Object.entries(stored.parse(JSON.parse(text))));
  } catch (error) {
    log.warn({ problem: error instanceof Error ? error.name : 'unknown' }, 'the stored calendars cannot be read');
    return new Map();
  }
}
