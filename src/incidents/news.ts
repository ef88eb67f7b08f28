import type { IncidentThreads } from '../discord/incident-threads.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type AlertStep, alertsOf } from '../runs/alert-steps.ts';
import { eventsIn } from '../runs/entries.ts';
import type { Incident } from '../runs/incident.ts';
import { alertLine, alertLines } from '../view/incident.ts';

interface NewsParts {
  ledger: Pick<Ledger, 'incidents' | 'entries' | 'isHeld'>;
  threads: Pick<IncidentThreads, 'post' | 'lines'>;
  /** How often it looks, in ms: what came meanwhile shares a message. */
  every: number;
}

/** The longest pause while Discord is down, in ms. */
const longest = 60_000;

/**
 * Says in the threads of open incidents what is new of their alerts. How much a thread has heard stands in the thread: it
 * is read once, and all is posted in order. What Discord refuses is in the timeline all the same.
 */
export function tellNews({ ledger, threads, every }: NewsParts): { close(): Promise<void> } {
  /** How many steps of its alerts a thread has heard, by incident. */
  const told = new Map<string, number>();
  /** How many entries were looked at. */
  let seen = -1;
  let [wait, closed, under] = [every, false, Promise.resolve()];
  let timer = setTimeout(look, every);

  function look(): void {
    under = tellAll().then((isDone) => {
      wait = isDone ? every : Math.min(longest, 2 * wait);
      if (!closed) timer = setTimeout(look, wait);
    });
  }

  /** False: some of it has to be said later. */
  async function tellAll(): Promise<boolean> {
    const events = eventsIn(ledger.entries());
    const { length } = events;
    if (length === seen || !ledger.isHeld()) return true;
    let isDone = true;
    for (const incident of ledger.incidents())
      if (incident.opened.alert !== undefined && incident.ended === undefined)
        isDone = (await tell(incident, alertsOf(incident, events))) && isDone;
    if (isDone) seen = length;
    return isDone;
  }

  async function tell(incident: Incident, steps: readonly AlertStep[]): Promise<boolean> {
    const from = told.get(incident.id) ?? (await toldOf(incident, steps));
    if (from === undefined) return false;
    const news = steps.slice(from);
    const posted = news.length === 0 ? 'done' : await threads.post(incident.id, alertLines(news));
    const isOver = posted === 'done' || posted.kind !== 'down';
    told.set(incident.id, isOver ? steps.length : from);
    return isOver;
  }

  /** What was heard before it began is on the card of its alerts. Undefined: Discord is down. */
  async function toldOf({ id, opened }: Incident, steps: readonly AlertStep[]): Promise<number | undefined> {
    const lines = await threads.lines(id);
    if ('kind' in lines && lines.kind === 'down') return undefined;
    const there = 'kind' in lines ? new Set<string>() : lines;
    const before = steps.filter(({ seq }) => seq < opened.seq).length;
    return Math.max(before, 1 + steps.findLastIndex((step) => there.has(alertLine(step).markup)));
  }

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await under;
    },
  };
}
