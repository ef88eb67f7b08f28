import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { trusted } from '../card.ts';
import type { Choice } from '../command.ts';
import { note, typedName } from '../decide/notes.ts';
import { type Offered, offers, press, tryOut, type } from './act.ts';
import { createLimiters, defaultLimits, type Limits } from './limits.ts';
import type { Click, Invocation, Parts, Reply, RunParts, Typing } from './parts.ts';
import { recover } from './recovery.ts';
import { suggester } from './suggest.ts';

/** The entry points for the Discord side. None of them rejects. */
export interface Runner {
  command(invocation: Invocation): Promise<void>;
  /** A button, or a form that was submitted. */
  click(clicked: Click): Promise<void>;
  /** Whether a press would come to something; if not, that is said and recorded. */
  offers(pressed: Click): Promise<Offered>;
  /** Says what a command would ask and send, and does nothing. */
  dryRun(asked: Invocation): Promise<void>;
  /** Records what somebody typed whom the policy does not know. */
  stranger(asked: Pick<Invocation, 'interaction' | 'actor' | 'place' | 'options'>): Promise<void>;
  /** Undefined: this person is over the rate limit and gets no answer. */
  suggest(typing: Typing): Promise<readonly Choice[] | undefined>;
  /** Called at start, once cards can be edited, and then periodically; one call at a time. */
  recover(): Promise<void>;
  /** Takes no new work, waits for the rest; after `ms`, ends it in the ledger. Then cards have three more seconds. */
  stop(ms: number): Promise<void>;
}

/** How long to wait for the last card edits, in ms. */
const cardsTimeout = 3_000;

export function createRunner(parts: Parts, limits: Partial<Limits> = {}): Runner {
  const all: RunParts = {
    ...parts,
    limits: createLimiters(parts, { ...defaultLimits, ...limits }),
    recent: new LRUCache({ max: 10_000 }),
    unended: new Map(),
  };
  const { acting, typing, denials } = all.limits;
  const suggest = suggester(parts);
  const running = new Set<Promise<void>>();
  const tracked = (work: Promise<void>): Promise<void> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  let stopping = false;
  /** Runs `work`, unless the bot is stopping or this person is over the rate limit. */
  const rateLimited = (
    { actor, reply }: Pick<Invocation, 'actor' | 'reply'>,
    what: string,
    work: () => Promise<void>,
  ) => {
    if (stopping) return refuseNow(reply, what, 'The bot is stopping. Nothing was sent. Try again in a minute.');
    const taken = acting.take(actor.id);
    if (taken === 'given') return work();
    // For the rest, Discord itself says that the application did not respond.
    return taken === 'told' ? refuseNow(reply, what, tooMany) : Promise.resolve();
  };

  return {
    command: (asked) => tracked(rateLimited(asked, typedName(asked.command), () => type(all, asked))),
    click: (pressed) => tracked(rateLimited(pressed, 'your click', () => press(all, pressed))),
    async offers(pressed) {
      let found: Offered = 'answered';
      await rateLimited(pressed, 'your click', async () => {
        found = await offers(all, pressed);
      });
      return found;
    },
    dryRun: (asked) => tracked(rateLimited(asked, typedName(asked.command), () => tryOut(all, asked))),
    stranger(asked) {
      if (stopping || acting.take(asked.actor.id) !== 'given') return Promise.resolve();
      return tracked(denials.record(asked, { command: { id: 'shell' }, decision: nobodyOfShell }));
    },
    suggest(asked) {
      if (stopping) return Promise.resolve([]);
      // An empty list would mean that nothing matches.
      return typing.take(asked.actor.id) === 'given' ? suggest(asked) : Promise.resolve(undefined);
    },
    recover: () => recover(all),
    async stop(ms) {
      stopping = true;
      if (!(await within(ms, Promise.all(running)))) {
        const ending = [...all.unended.values()].map((each) => ('stop' in each ? each.stop() : undefined));
        await within(cardsTimeout, Promise.allSettled(ending));
      }
      await denials.close();
      await parts.ledger.flush();
      await parts.cards.close(cardsTimeout);
    },
  };
}

const nobodyOfShell = { allowed: false, why: 'role', missing: 'shell', holders: [] } as const;

const tooMany = 'Too many at once. Nothing was sent. Wait 10 seconds, then try again.';

async function refuseNow(reply: Reply, what: string, why: string): Promise<void> {
  await reply.refuse(note('not-sent', what, trusted(why))).catch(() => undefined);
}

/** Whether the work finished in time. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), delay(ms, false, { ref: false })]);
