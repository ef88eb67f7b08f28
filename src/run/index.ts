import { setTimeout as delay } from 'node:timers/promises';
import { trusted } from '../card.ts';
import type { Choice } from '../command.ts';
import { createBuckets } from './buckets.ts';
import { click } from './click.ts';
import { closeInvocation } from './close.ts';
import { createDenials } from './denials.ts';
import { usualLimits } from './limits.ts';
import { note, typedName } from './notes.ts';
import type { Click, Invocation, Parts, Reply, RunParts, Typing } from './parts.ts';
import { invoke } from './pipeline.ts';
import { recover } from './recovery.ts';
import { suggester } from './suggest.ts';

/** What Discord's side calls. Nothing rejects. */
export interface Runner {
  command(invocation: Invocation): Promise<void>;
  click(clicked: Click): Promise<void>;
  /** Undefined: this person asks too often, and gets no answer. */
  suggest(typing: Typing): Promise<readonly Choice[] | undefined>;
  /** At start as soon as cards can be edited, and again and again; one at a time. */
  recover(): Promise<void>;
  /**
   * Takes nothing new from now on, and resolves when nothing is under way. What still is after `ms` is ended in the ledger, sent but
   * unanswered as unknown. Then cards have three more seconds.
   */
  stop(ms: number): Promise<void>;
}

/** How long another process on the same token has, in ms, to answer what this one turns away. Discord waits for 3 seconds. */
const courtesy = 1_000;
/** How long cards have at the end, in ms. */
const drawing = 3_000;

export function createRunner(parts: Parts): Runner {
  const limits = { ...usualLimits, ...parts.limits };
  const all: RunParts = {
    ...parts,
    denials: createDenials({ ...parts, ...limits.denials }),
    handled: new Set(),
    inProgress: new Set(),
    leftOver: new Map(),
    unclaimed: new Map(),
    asking: new Map(),
    mostQuestions: limits.questions,
  };
  const suggest = suggester(parts);
  const under = new Set<Promise<void>>();
  const tracked = (work: Promise<void>): Promise<void> => {
    under.add(work);
    return work.finally(() => under.delete(work));
  };
  const acting = createBuckets(parts.now, limits.acting, limits.people);
  const typing = createBuckets(parts.now, limits.typing, limits.people);
  let stopping = false;
  /** Does it, unless the bot stops or this person does too much. */
  const rateLimited = (
    { actor, reply }: Pick<Invocation, 'actor' | 'reply'>,
    what: string,
    work: () => Promise<void>,
  ) => {
    if (stopping) return turnAway(reply, what, 'The bot is stopping. Nothing was sent. Ask again in a minute.');
    const taken = acting.take(actor.id);
    if (taken === 'given') return work();
    // Of the others Discord itself says that the application did not respond.
    return taken === 'told' ? turnAway(reply, what, tooMany) : Promise.resolve();
  };

  return {
    command: (invocation) =>
      tracked(rateLimited(invocation, typedName(invocation.command), () => invoke(all, invocation))),
    click: (clicked) => tracked(rateLimited(clicked, 'your click', () => click(all, clicked))),
    suggest(asked) {
      if (stopping) return Promise.resolve([]);
      // An empty list would say that nothing fits.
      return typing.take(asked.actor.id) === 'given' ? suggest(asked) : Promise.resolve(undefined);
    },
    recover: () => recover(all),
    async stop(ms) {
      stopping = true;
      if (!(await within(ms, Promise.all(under)))) await within(drawing, endAll(all));
      await all.denials.close();
      await parts.outbox.flush();
      await parts.cards.close(drawing);
    },
  };
}

const tooMany = 'Too many at once. Nothing was sent. Wait 10 seconds, then try again.';

/** Not in this process. Another one, if there is one, has answered by then, and Discord takes no second answer. */
async function turnAway(reply: Reply, what: string, why: string): Promise<void> {
  await delay(courtesy);
  await reply.refuse(note('not-sent', what, trusted(why))).catch(() => undefined);
}

/** What is under way here, as far as the ledger knows. */
async function endAll(parts: RunParts): Promise<void> {
  const ending = [...parts.inProgress].map((id) =>
    closeInvocation(parts, id, parts.cards.opened(id), 'bot-restarted').catch((error: unknown) => {
      parts.log.warn({ run: id, problem: String(error) }, 'what is under way could not be ended');
    }),
  );
  await Promise.all(ending);
}

/** True when the work was done in time. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), delay(ms, false, { ref: false })]);
