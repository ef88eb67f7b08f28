import { setTimeout as delay } from 'node:timers/promises';
import type { NewEntry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { TrailDesk } from './desk.ts';
import type { Posted } from './place.ts';
import type { TrailState } from './state.ts';

interface TamperParts {
  ledger: Pick<Ledger, 'append'>;
  desk: TrailDesk;
  channel: string;
  bot: Actor;
  state: TrailState;
  /** Messages of the trail by their ids; what is deleted goes from here. */
  known: Map<string, Posted>;
  log: Log;
}

/** In ms: for how long, and how often, Discord is asked who it was; it may write that down a moment later. */
const patience = 2_000;
const askEvery = 400;
/** How often, and how far apart in ms, is tried to record what happened. */
const attempts = 10;
const between = 1_000;

/** Tells the ledger of messages of the trail that somebody deletes or edits, once over all processes. */
export function createTamper({ ledger, desk, channel, bot, state, known, log }: TamperParts) {
  let closed = false;
  let last: Promise<void> = Promise.resolve();
  /** One at a time: each deletion is put down to one entry of Discord's audit log. */
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error: unknown) => {
      log.error({ problem: String(error) }, 'a change of the trail in its channel could not be recorded');
    });
  };

  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === attempts || closed) throw error;
        await delay(between, undefined, { ref: false });
      }
    }
  }

  /** Who deleted: of the entries in Discord's audit log the newest that has grown since somebody looked. */
  async function culprit(how: 'one' | 'many'): Promise<Actor | undefined> {
    const until = performance.now() + patience;
    for (;;) {
      const told = await desk.deletions(how);
      if (told === undefined) return undefined;
      const counted = await state.counted();
      const grown = told.find(({ id, count }) => count > Number(counted[id] ?? 0));
      if (grown !== undefined) {
        await state.count(grown.id, how === 'many' ? grown.count : Number(counted[grown.id] ?? 0) + 1);
        return grown.by;
      }
      if (performance.now() >= until || closed) return undefined;
      await delay(askEvery, undefined, { ref: false });
    }
  }

  async function tell(what: { finding: 'deleted' | 'edited' } & Posted, by: Actor | undefined): Promise<void> {
    const { finding, message, from, to } = what;
    const who = by === undefined ? { actor: bot, unsaid: true as const } : { actor: by };
    const entry: NewEntry = { kind: 'tampered', ...who, finding, channel, message, from, to };
    await insist(() => ledger.append([entry]));
    log.error({ finding, message, from, to, by: by?.name }, 'somebody changed the trail in the audit channel');
  }

  async function deleted(gone: Posted, how: 'one' | 'many'): Promise<void> {
    if (!(await insist(() => state.claim(`deleted:${gone.message}`)))) return;
    const by = await culprit(how).catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'Discord could not be asked who deleted a message of the trail');
      return undefined;
    });
    await tell({ ...gone, finding: 'deleted' }, by);
  }

  return {
    /** What Discord's audit log holds already was not done just now. */
    begin(): void {
      inTurn(async () => {
        const counted = await state.counted();
        for (const how of ['one', 'many'] as const)
          for (const { id, count } of (await desk.deletions(how)) ?? [])
            if (counted[id] === undefined) await state.count(id, count);
      });
    },
    deleted(messages: readonly string[]): void {
      const gone = messages.flatMap((message) => known.get(message) ?? []);
      for (const message of messages) known.delete(message);
      const spans = spansOf(gone);
      for (const [at, span] of spans.entries())
        inTurn(() => deleted(span, messages.length > 1 && at === 0 ? 'many' : 'one'));
    },
    edited(message: string, at: number): void {
      const posted = known.get(message);
      if (posted === undefined) return;
      inTurn(async () => {
        // Only the bot's own token can edit its messages: there is nobody to name.
        if (await insist(() => state.claim(`edited:${message}:${at}`)))
          await tell({ ...posted, finding: 'edited' }, undefined);
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
