import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';
import { type Actor, type Log, madeAt } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import type { AuditChannel, Deletion } from './channel.ts';
import { reportsOf } from './reported.ts';

export interface AttributionParts {
  ledger: Pick<Ledger, 'entries'>;
  channel: Pick<AuditChannel, 'id' | 'deletions'>;
  bot: Actor;
  /**
   * The creation time, in ms, of the newest message of the trail at the first read. Deletions that this process sees,
   * and those after that message, are never older in Discord's audit log. The ledger cannot tell: it may have been
   * truncated.
   */
  since(): number;
  log: Log;
}

/** How Discord's audit log lists a deletion: single or bulk. `any` if the bot did not see it happen. */
export type DeletionMode = 'one' | 'many' | 'any';

/** Who deleted a message, as the ledger entry stores it. */
export type Attribution = Pick<Kind<'tampered'>, 'actor' | 'unsaid' | 'attributed'>;

/** `before`: how many of the counted deletions are already attributed. */
type NewDeletion = Deletion & { before: number };

/** How long, and how often, to ask Discord who deleted a message. Its audit log may lag by a moment. In ms. */
export const attributionTimeout = 2_000;
const askEvery = 400;

/** Finds in Discord's audit log who deleted messages of the trail. */
export function createAttribution(parts: AttributionParts) {
  const { log } = parts;
  const nobody: Attribution = { actor: parts.bot, unsaid: true };
  const { newDeletions, forget } = unattributedDeletions(parts);
  /**
   * Until then, new deletions in the audit log may concern other messages. In ms of the process clock; 0 if none may.
   */
  let ambiguousUntil = 0;
  let asksOnce = false;

  async function find(how: DeletionMode, until: number): Promise<Attribution> {
    for (;;) {
      const found = await newDeletions(how);
      const isOver = asksOnce || performance.now() >= until;
      if (found !== undefined && found.length > 0 && (isOver || ambiguousUntil === 0))
        return attribute(found, how, nobody);
      if (found === undefined || isOver) return nobody;
      await delay(askEvery, undefined, { ref: false });
    }
  }

  return {
    nobody,
    /** Who deleted the messages, if Discord knows by `until` (in ms of the process clock). Never rejects. */
    find: (how: DeletionMode, until: number): Promise<Attribution> =>
      find(how, until).catch((error: unknown) => {
        log.warn({ problem: String(error) }, 'cannot ask Discord who deleted a message of the trail');
        return nobody;
      }),
    /** Deletions that the gateway did not report. Waits a moment, because the event may still arrive. */
    async missed(): Promise<NewDeletion[]> {
      const found = (await newDeletions('any', madeAt(parts.channel.id))) ?? [];
      if (found.length > 0 && !asksOnce) await delay(askEvery, undefined, { ref: false });
      return found;
    },
    /** A message outside the trail was deleted. Until the audit log lists it, a new entry there may be about it. */
    markAmbiguous(): void {
      ambiguousUntil = performance.now() + attributionTimeout;
    },
    isAmbiguityOver: (): boolean => ambiguousUntil > 0 && performance.now() >= ambiguousUntil,
    /** Attributes all deletions so far to messages outside the trail. */
    async endAmbiguity(): Promise<void> {
      ambiguousUntil = await forget().then(
        () => 0,
        () => performance.now() + attributionTimeout,
      );
    },
    /** For shutdown: the next calls of `find` ask Discord once and do not wait. */
    stopWaiting(): void {
      asksOnce = true;
    },
  };
}

/** Deletions in Discord's audit log that are not attributed yet. */
function unattributedDeletions({ ledger, channel, since: seen }: AttributionParts) {
  /** Deletions of messages outside the trail, which the ledger does not record. */
  const others = new Map<string, number>();

  /** How many deletions of this audit log entry are already attributed. */
  function attributedCount({ id, by }: Deletion): number | undefined {
    const counts = reportsOf(ledger.entries(), channel.id).flatMap((report) => {
      const { attributed, from, message, finding, unsaid } = report;
      if (attributed !== undefined) return attributed[id] ?? [];
      // The first release stored no count. A report without a range attributes the whole audit log entry, any other
      // report what that person deleted until then.
      const isNamed = finding === 'deleted' && unsaid !== true && report.actor.id === by.id;
      const isCovered = from === undefined ? message === id : isNamed && Date.parse(report.time) >= madeAt(id);
      return isCovered ? [Number.POSITIVE_INFINITY] : [];
    });
    const all = counts.concat(others.get(id) ?? []);
    return all.length === 0 ? undefined : Math.max(...all);
  }

  /** New deletions since `since` (in ms), newest first. Undefined if the bot may not read the audit log. */
  async function newDeletions(how: DeletionMode, since = seen()): Promise<NewDeletion[] | undefined> {
    const lists = how === 'any' ? (['one', 'many'] as const) : [how];
    const deletions: Deletion[] = [];
    for (const each of lists) {
      const list = await channel.deletions(each, since);
      if (list === undefined) return undefined;
      deletions.push(...list);
    }
    return deletions.flatMap((each) => {
      const before = attributedCount(each);
      const isNew = before === undefined ? madeAt(each.id) >= since : each.count > before;
      return isNew ? [{ ...each, before: before ?? 0 }] : [];
    });
  }

  async function forget(): Promise<void> {
    for (const { id, count } of (await newDeletions('any')) ?? []) others.set(id, count);
  }

  return { newDeletions, forget };
}

/** Names nobody if several people may have deleted the message. */
function attribute(found: readonly NewDeletion[], how: DeletionMode, nobody: Attribution): Attribution {
  const [first] = found;
  const isOnePerson = found.every(({ by }) => by.id === first?.by.id);
  const counted = isOnePerson && how !== 'any' ? found.slice(0, 1) : found;
  const isSingle = isOnePerson && how === 'one';
  const attributed = Object.fromEntries(counted.map(({ id, count, before }) => [id, isSingle ? before + 1 : count]));
  return { ...(isOnePerson && first !== undefined ? { actor: first.by } : nobody), attributed };
}
