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
   * When the newest message of the trail was posted that stood when this process first looked, in ms: what it hears of, and what is
   * gone behind that message, is not older in Discord's audit log. The ledger is not asked: it may have been cut off.
   */
  since(): number;
  log: Log;
}

/** As Discord's audit log has it: one by one, or in bulk; any where nobody heard how. */
export type How = 'one' | 'many' | 'any';

/** What an entry of the ledger says of who it was. */
export type Attribution = Pick<Kind<'tampered'>, 'actor' | 'unsaid' | 'attributed'>;

/** `before`: how many of its deletions are put down to something. */
type Grown = Deletion & { before: number };

/** In ms: for how long, and how often, Discord is asked who it was; it may write that down a moment later. */
export const patience = 2_000;
const askEvery = 400;

/** Finds in Discord's audit log who deleted messages of the trail. */
export function createAttribution(parts: AttributionParts) {
  const { log } = parts;
  const nobody: Attribution = { actor: parts.bot, unsaid: true };
  const { grown, forget } = auditLogOf(parts);
  /** Until when the audit log may be of other messages, in ms of the process; 0: it is not. */
  let blurred = 0;
  let isHurried = false;

  async function find(how: How, until: number): Promise<Attribution> {
    for (;;) {
      const found = await grown(how);
      const isOver = isHurried || performance.now() >= until;
      if (found !== undefined && found.length > 0 && (isOver || blurred === 0)) return judge(found, how, nobody);
      if (found === undefined || isOver) return nobody;
      await delay(askEvery, undefined, { ref: false });
    }
  }

  return {
    nobody,
    /** Who it was, as far as Discord says so by `until`, in ms of the process. Never rejects. */
    find: (how: How, until: number): Promise<Attribution> =>
      find(how, until).catch((error: unknown) => {
        log.warn({ problem: String(error) }, 'Discord could not be asked who deleted a message of the trail');
        return nobody;
      }),
    /** What nobody heard, and Discord says who did it. What is in the audit log already may be heard a moment later. */
    async unheard(): Promise<Grown[]> {
      const found = (await grown('any', madeAt(parts.channel.id))) ?? [];
      if (found.length > 0 && !isHurried) await delay(askEvery, undefined, { ref: false });
      return found;
    },
    /** Something else was deleted. Until that is in the audit log, who is found there may be of that. */
    blur(): void {
      blurred = performance.now() + patience;
    },
    isBlurOver: (): boolean => blurred > 0 && performance.now() >= blurred,
    /** Puts all that there is down to what was not the trail's. */
    async clear(): Promise<void> {
      blurred = await forget().then(
        () => 0,
        () => performance.now() + patience,
      );
    },
    /** From here on it asks once. */
    hurry(): void {
      isHurried = true;
    },
  };
}

/** What Discord's audit log says of deletions, without what is put down to something already. */
function auditLogOf({ ledger, channel, since: seen }: AttributionParts) {
  /** Of messages that are not the trail's: the ledger says nothing of those. */
  const others = new Map<string, number>();

  /** How many deletions of its entry are put down to something. */
  function counted({ id, by }: Deletion): number | undefined {
    const counts = reportsOf(ledger.entries(), channel.id).flatMap((report) => {
      const { attributed, from, message, finding, unsaid } = report;
      if (attributed !== undefined) return attributed[id] ?? [];
      // The first release kept no count: of what nobody had heard all is meant, and else what that person did until then.
      const isNamed = finding === 'deleted' && unsaid !== true && report.actor.id === by.id;
      const isMeant = from === undefined ? message === id : isNamed && Date.parse(report.time) >= madeAt(id);
      return isMeant ? [Number.POSITIVE_INFINITY] : [];
    });
    const all = counts.concat(others.get(id) ?? []);
    return all.length === 0 ? undefined : Math.max(...all);
  }

  /** The newest first, back to `since`, in ms; undefined without the right to look. */
  async function grown(how: How, since = seen()): Promise<Grown[] | undefined> {
    const lists = how === 'any' ? (['one', 'many'] as const) : [how];
    const deletions: Deletion[] = [];
    for (const each of lists) {
      const list = await channel.deletions(each, since);
      if (list === undefined) return undefined;
      deletions.push(...list);
    }
    return deletions.flatMap((each) => {
      const before = counted(each);
      const isNew = before === undefined ? madeAt(each.id) >= since : each.count > before;
      return isNew ? [{ ...each, before: before ?? 0 }] : [];
    });
  }

  async function forget(): Promise<void> {
    for (const { id, count } of (await grown('any')) ?? []) others.set(id, count);
  }

  return { grown, forget };
}

/** Nobody is named where several people may have been it. */
function judge(found: readonly Grown[], how: How, nobody: Attribution): Attribution {
  const [first] = found;
  const isOnePerson = found.every(({ by }) => by.id === first?.by.id);
  const meant = isOnePerson && how !== 'any' ? found.slice(0, 1) : found;
  const isStep = isOnePerson && how === 'one';
  const attributed = Object.fromEntries(meant.map(({ id, count, before }) => [id, isStep ? before + 1 : count]));
  return { ...(isOnePerson && first !== undefined ? { actor: first.by } : nobody), attributed };
}
