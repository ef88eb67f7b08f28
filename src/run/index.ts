import { setTimeout as delay } from 'node:timers/promises';
import { own } from '../card.ts';
import type { Choice } from '../command.ts';
import { note, typedName } from './cards.ts';
import { click } from './click.ts';
import { invoke } from './corridor.ts';
import type { Click, Invocation, Parts, Reply, RunParts, Typing } from './parts.ts';
import { settle } from './settle.ts';
import { suggester } from './suggest.ts';
import { restore, sweep } from './sweep.ts';

/** What Discord's side calls. Of these only `restore` rejects, with RedisUnavailable. */
export interface Runner {
  command(invocation: Invocation): Promise<void>;
  click(clicked: Click): Promise<void>;
  suggest(typing: Typing): Promise<readonly Choice[]>;
  /** Puts open questions back into a Redis that came up empty. Before the first click, and whenever Redis comes back. */
  restore(): Promise<void>;
  /** At start as soon as cards can be edited, and again and again; one at a time. */
  sweep(): Promise<void>;
  /**
   * Takes nothing new from now on, and resolves when nothing is under way. What still is after `ms` is brought to rest from the
   * ledger, sent but unanswered as unknown, for which there are three more seconds.
   */
  stop(ms: number): Promise<void>;
}

/** How long another process on the same token has, in ms, to answer what this one turns away. Discord waits for 3 seconds. */
const courtesy = 1_000;
const lastWords = 3_000;

export function createRunner(parts: Parts): Runner {
  const all: RunParts = {
    ...parts,
    active: new Set(),
    handled: new Set(),
    hands: new Map(),
    pauses: new Map(),
    owed: [],
    unclaimed: new Map(),
    doubted: new Set(),
  };
  const suggest = suggester(parts);
  const under = new Set<Promise<void>>();
  const tracked = (work: Promise<void>): Promise<void> => {
    under.add(work);
    return work.finally(() => under.delete(work));
  };
  let stopping = false;
  let over = false;

  /** What comes too late says nothing any more: the card shows what the ledger has. */
  const whileUp = <R extends Reply>(reply: R): R => ({
    ...reply,
    show: (card) => (over ? Promise.resolve() : reply.show(card)),
  });

  return {
    command(invocation) {
      const { reply, command } = invocation;
      return tracked(
        stopping ? turnAway(reply, typedName(command)) : invoke(all, { ...invocation, reply: whileUp(reply) }),
      );
    },
    click(clicked) {
      const { reply } = clicked;
      return tracked(stopping ? turnAway(reply, 'your click') : click(all, { ...clicked, reply: whileUp(reply) }));
    },
    suggest: (typing) => (stopping ? Promise.resolve([]) : suggest(typing)),
    restore: () => restore(all),
    sweep: () => sweep(all),
    async stop(ms) {
      stopping = true;
      if (await within(ms, Promise.all(under))) return;
      over = true;
      await within(lastWords, settleAll(all));
    },
  };
}

/** Too late for this process. Another one, if there is one, has answered by then, and Discord takes no second answer. */
async function turnAway(reply: Reply, what: string): Promise<void> {
  await delay(courtesy);
  const words = own('The bot is stopping. Nothing was sent. Ask again in a minute.');
  await reply.refuse(note('not-sent', what, words)).catch(() => undefined);
}

/** Cards that are under way here, as far as the ledger knows. */
async function settleAll(parts: RunParts): Promise<void> {
  const cards = await parts.openCards.list();
  const mine = cards.filter(({ interaction, owner }) => owner === parts.owner && parts.active.has(interaction));
  await Promise.all(mine.map((card) => settle(parts, card, 'bot-restarted')));
}

/** True when the work was done in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const done = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return done;
}
