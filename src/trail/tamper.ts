import { setTimeout as delay } from 'node:timers/promises';
import type { NewEntry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import { type Culprit, createCulprits, type How, patience } from './culprit.ts';
import type { TrailDesk } from './desk.ts';
import { goneBetween } from './neighbours.ts';
import type { Posted } from './place.ts';
import type { TrailState } from './state.ts';

export interface TamperParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries'>;
  desk: Pick<TrailDesk, 'deletions' | 'around'>;
  channel: string;
  bot: Actor;
  state: Pick<TrailState, 'claim' | 'hold' | 'counted' | 'count'>;
  /** Messages of the trail by their ids; what is deleted goes from here. */
  known: Map<string, Posted>;
  /** When the ledger was last written before this process, in ms. */
  since: number;
  /** How far apart are the tries to record what happened, in ms. */
  between?: number;
  log: Log;
}

type Gone = Omit<Posted, 'head'>;

/** Tells the ledger of messages of the trail that somebody deletes or edits, once over all processes. */
export function createTamper({ ledger, desk, channel, bot, state, known, since, between = 1_000, log }: TamperParts) {
  const culprits = createCulprits(desk, state, since);
  let closed = false;
  let last: Promise<void> = Promise.resolve();
  /** Deleted messages that nobody knew, and how many known ones wait for their turn. */
  let unknown: string[] = [];
  let pending = 0;
  /** One at a time: each deletion is put down to one entry of Discord's audit log. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch((error: unknown) => {
      log.error({ problem: String(error) }, 'a change of the trail in its channel could not be recorded');
    });
    return last;
  };

  /** Until it is done: what was seen and not recorded is lost with this process. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (closed) throw error;
        await delay(between, undefined, { ref: false });
      }
    }
  }

  /** Records it, if no other process does. */
  async function once(claim: string, entry: NewEntry, culprit?: Culprit): Promise<void> {
    await insist(async () => {
      await state.hold(claim, false);
      await ledger.append([entry]);
    });
    await state.hold(claim, true);
    // Not before: who is put down to nothing yet is found again after a kill.
    await culprit?.settle().catch(() => undefined);
    log.error({ entry }, 'somebody changed the trail in the audit channel');
  }

  const whose = (how: How): Promise<Culprit | undefined> =>
    culprits
      .find(how, () => closed)
      .catch((error: unknown) => {
        log.warn({ problem: String(error) }, 'Discord could not be asked who deleted a message of the trail');
        return undefined;
      });

  const entryOf = (finding: 'deleted' | 'edited', { message, from, to }: Gone, by: Actor | undefined): NewEntry => ({
    kind: 'tampered',
    ...(by === undefined ? { actor: bot, unsaid: true as const } : { actor: by }),
    ...{ finding, channel, message, from, to },
  });

  async function deleted(spans: readonly Gone[], how: How): Promise<void> {
    const mine: Gone[] = [];
    for (const gone of spans) if (await insist(() => state.claim(`deleted:${gone.message}`))) mine.push(gone);
    if (mine.length === 0) return;
    const culprit = await whose(how);
    for (const gone of mine) await once(`deleted:${gone.message}`, entryOf('deleted', gone, culprit?.by), culprit);
  }

  /** Something else was deleted: until that is in the audit log, who is found there may be of that. */
  function blurForNow(): void {
    culprits.blur();
    void delay(patience, undefined, { ref: false }).then(() => inTurn(forget));
  }

  /** Messages from before those that are known: what stands about them tells whether they were the trail's. */
  async function lookAround(how: How): Promise<void> {
    const asked = unknown;
    unknown = [];
    const isTrail = await around(asked, how);
    if (isTrail) return;
    blurForNow();
  }

  async function around(asked: readonly string[], how: How): Promise<boolean> {
    let isTrail = false;
    let left = asked;
    while (!closed && left[0] !== undefined) {
      const [first] = left;
      const page = await insist(() => desk.around(first));
      if (page === 'closed') return isTrail;
      const [newest, oldest] = [BigInt(page[0]?.id ?? first), BigInt(page.at(-1)?.id ?? first)];
      const isNear = (id: string): boolean => id === first || (BigInt(id) > oldest && BigInt(id) < newest);
      for (const message of left.filter(isNear)) {
        await insist(() => ledger.refresh());
        const gone = goneBetween(message, page, ledger.entries(), channel);
        if (gone !== undefined) await deleted([gone], how);
        isTrail ||= gone !== undefined;
      }
      left = left.filter((id) => !isNear(id));
    }
    return isTrail;
  }

  async function forget(): Promise<void> {
    // Of what still waits, somebody is to be named.
    if (pending > 0) blurForNow();
    else await culprits.forget();
  }

  /** What was deleted while nobody heard it: of which message each was, Discord does not say. */
  async function unheard(): Promise<void> {
    for (const how of ['one', 'many'] as const)
      for (const { id, by, count, all } of (await culprits.grown(how)) ?? []) {
        const claim = `unheard:${id}:${count}`;
        if (!(await state.claim(claim))) continue;
        const entry: NewEntry = { kind: 'tampered', actor: by, finding: 'deleted', channel, message: id };
        await once(claim, entry, { by, settle: all });
      }
  }

  return {
    /** Tells of what Discord's audit log has, and nobody heard. */
    begin(): void {
      void inTurn(unheard);
    },
    deleted(messages: readonly string[]): void {
      const gone = messages.flatMap((message) => known.get(message) ?? []);
      const how = messages.length > 1 ? 'many' : 'one';
      const others = messages.filter((message) => !known.has(message));
      for (const message of messages) known.delete(message);
      if (others.length > 0 && unknown.push(...others) === others.length) void inTurn(() => lookAround(how));
      if (gone.length === 0) return;
      pending += 1;
      void inTurn(() => deleted(spansOf(gone), how)).finally(() => {
        pending -= 1;
      });
    },
    /** The trail's end is not in the channel any more. Resolves when that is recorded, or was not possible. */
    async missed(gone: Gone): Promise<void> {
      known.delete(gone.message);
      await inTurn(() => deleted([gone], 'any'));
    },
    edited(message: string, at: number): void {
      const posted = known.get(message);
      if (posted === undefined) return;
      const claim = `edited:${message}:${at}`;
      void inTurn(async () => {
        // Only the bot's own token can edit its messages: there is nobody to name.
        if (await insist(() => state.claim(claim))) await once(claim, entryOf('edited', posted, undefined));
      });
    },
    async close(): Promise<void> {
      closed = true;
      await last;
    },
  };
}

/** Messages whose entries follow each other as one, under the name of the last. */
function spansOf(gone: readonly Posted[]): Posted[] {
  const spans: Posted[] = [];
  for (const each of [...gone].sort((a, b) => a.from - b.from)) {
    const before = spans.at(-1);
    if (before !== undefined && each.from === before.to + 1) spans[spans.length - 1] = { ...each, from: before.from };
    else spans.push(each);
  }
  return spans;
}
