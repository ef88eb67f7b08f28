import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { trusted } from '../card.ts';
import type { Choice } from '../command.ts';
import { note, typedName } from '../decide/notes.ts';
import { isOpenQuestion, isUnknown, mayStillRun } from '../runs/state.ts';
import { kindOf, type Offered, offers, press, tryOut, type } from './act.ts';
import { createAnswersFirst } from './answers-first.ts';
import { createAsides } from './asides.ts';
import { createDenials } from './denials.ts';
import { createBuckets, defaultLimits } from './limits.ts';
import type { Click, ClickReply, Invocation, Parts, Reply, RunParts, Typing } from './parts.ts';
import { recordDenial } from './record-denial.ts';
import { closeInvocation, recover } from './recovery.ts';
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

export function createRunner(parts: Parts): Runner {
  const { observe } = parts;
  const limits = { ...defaultLimits, ...parts.limits };
  const all: RunParts = {
    ...parts,
    denials: createDenials({ ...parts, ...limits.denials }),
    handled: new LRUCache({ max: 10_000 }),
    meant: new LRUCache({ max: 1_000 }),
    answersFirst: createAnswersFirst(),
    reading: new Set(),
    inProgress: new Map(),
    leftOver: new Map(),
    asides: createAsides({
      ...parts,
      isOpen: (id) =>
        parts.ledger.runs(id).some((state) => isOpenQuestion(state) || isUnknown(state) || mayStillRun(state)),
    }),
  };
  const suggest = suggester(parts);
  const running = new Set<Promise<void>>();
  const tracked = (work: Promise<void>): Promise<void> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const acting = createBuckets(parts.now, limits.acting, limits.people);
  const typing = createBuckets(parts.now, limits.typing, limits.people);
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
    command(asked) {
      const invocation = timed(asked, (ms) => observe.acknowledged('command', asked.command, ms));
      return tracked(rateLimited(asked, typedName(asked.command), () => type(all, invocation)));
    },
    click(pressed) {
      const clicked = timed(pressed, (ms) => observe.acknowledged('click', kindOf(pressed), ms));
      return tracked(rateLimited(pressed, 'your click', () => press(all, clicked)));
    },
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
      return tracked(recordDenial(all, asked, { command: { id: 'shell' }, decision: nobodyOfShell }));
    },
    suggest(asked) {
      if (stopping) return Promise.resolve([]);
      // An empty list would mean that nothing matches.
      return typing.take(asked.actor.id) === 'given' ? suggest(asked) : Promise.resolve(undefined);
    },
    recover: () => recover(all),
    async stop(ms) {
      stopping = true;
      if (!(await within(ms, Promise.all(running)))) await within(cardsTimeout, endAll(all));
      await all.denials.close();
      await parts.outbox.flush();
      await parts.cards.close(cardsTimeout);
    },
  };
}

const nobodyOfShell = { allowed: false, why: 'role', missing: 'shell', holders: [] } as const;

const tooMany = 'Too many at once. Nothing was sent. Wait 10 seconds, then try again.';

async function refuseNow(reply: Reply, what: string, why: string): Promise<void> {
  await reply.refuse(note('not-sent', what, trusted(why))).catch(() => undefined);
}

/** Ends the changes that are in progress here, and answers the reads. */
async function endAll(parts: RunParts): Promise<void> {
  const reads = [...parts.reading].map(({ stop, answered }) => {
    stop();
    return answered;
  });
  const ending = [...parts.inProgress.keys()].map((id) =>
    closeInvocation(parts, id, parts.cards.opened(id), 'bot-restarted').catch((error: unknown) => {
      parts.log.warn({ run: id, problem: String(error) }, 'cannot end a command that is still in progress');
    }),
  );
  await Promise.allSettled([...ending, ...reads]);
}

/** Whether the work finished in time. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), delay(ms, false, { ref: false })]);

/** Tells how long it took until Discord had a first answer. */
type Done = (ms: number) => void;

/** The same invocation or click, whose first answer is timed from now on. */
function timed<T extends Invocation | Click>(asked: T, done: Done): T {
  const begun = performance.now();
  const after = async <R>(answering: Promise<R>): Promise<R> => {
    const answer = await answering;
    done(performance.now() - begun);
    return answer;
  };
  return { ...asked, reply: 'defer' in asked.reply ? click(asked.reply, after) : command(asked.reply, after) };
}

type After = <R>(answering: Promise<R>) => Promise<R>;

const command = ({ refuse, think, show, acknowledge, ask }: Reply, after: After): Reply => ({
  show,
  think: (audience) => after(think(audience)),
  refuse: (card) => after(refuse(card)),
  acknowledge: (card, audience) => after(acknowledge(card, audience)),
  ask: (modal) => after(ask(modal)),
});

const click = (reply: ClickReply, after: After): ClickReply => ({
  ...reply,
  ...command(reply, after),
  defer: () => after(reply.defer()),
  share: (actor) => after(reply.share(actor)),
});
