import type { Log } from './outcome.ts';

/** What the bot waits for, so that nobody has to guess why it does nothing. */
export interface Waits {
  /** The same log: a warning or error with a fact `again`, as `againIn` makes it, is a wait from then on. */
  log: Log;
  /** Logs a wait of more than five seconds, once. `words`: without secrets, and the same each time. */
  add(words: string, ms: number): void;
  /** What a start is at: "connects to Discord". */
  at(step: string): void;
  step(): string | undefined;
  /** What is waited for longer than five seconds: one sentence each. */
  current(): string[];
}

/** When somebody tries again, for the log. */
export const againIn = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** In seconds. */
const short = 5;
/** Two that end this close together, in ms, are the same wait. */
const sameWait = 1_000;

export function createWaits(log: Log): Waits {
  const waits = new Map<string, number>();
  let now: string | undefined;
  const note = (facts: object, words: string): void => {
    const until = 'again' in facts ? Date.parse(String(facts.again)) : 0;
    if (until > Date.now() + short * 1_000) waits.set(words, until);
  };
  const noting: Log = {
    debug: (facts, words) => log.debug(facts, words),
    info: (facts, words) => log.info(facts, words),
    warn(facts, words) {
      note(facts, words);
      log.warn(facts, words);
    },
    error(facts, words) {
      note(facts, words);
      log.error(facts, words);
    },
  };
  return {
    log: noting,
    add(words, ms) {
      const isSame = Math.abs(Date.now() + ms - (waits.get(words) ?? 0)) < sameWait;
      if (!isSame && Math.round(ms / 1_000) > short) noting.warn({ again: againIn(ms) }, words);
    },
    at(step) {
      now = step;
    },
    step: () => now,
    current() {
      for (const [words, until] of [...waits]) if (until <= Date.now()) waits.delete(words);
      return [...waits].map(sentence);
    },
  };
}

const sentence = ([words, until]: [string, number]): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}. The bot waits until ${new Date(until).toISOString()}.`;

/** Pauses in ms that double, from the first to the longest. The random part keeps several bots from trying in step. */
export function* pauses({ first = 1_000, most = 60_000 } = {}): Generator<number, never> {
  for (let pause = first; ; pause = Math.min(2 * pause, most)) yield pause * (0.75 + Math.random() / 4);
}

/**
 * Does this with a signal that is aborted with `stop`, or after `ms`. Of AbortSignal.any with AbortSignal.timeout, Node 20
 * forgets the time at the next collection of garbage.
 */
export async function within<T>(ms: number, stop: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, ms);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  try {
    return await work(over.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}

/** Whoever calls while it is under way joins that call. */
export function joined<T>(work: () => Promise<T>): () => Promise<T> {
  let under: Promise<T> | undefined;
  return () => {
    under ??= work().finally(() => {
      under = undefined;
    });
    return under;
  };
}

/**
 * Does again and again what never rejects, one at a time; also at once, if that is said. The answer ends that, and resolves
 * once what goes on is over.
 */
export function every(ms: number, work: () => Promise<unknown>, begin?: 'at once'): () => Promise<void> {
  const turn = joined(work);
  let under = begin && turn();
  const timer = setInterval(() => {
    under = turn();
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await under;
  };
}

/**
 * Says each trouble once until it is over, however often it shows. What an error adds to its first words, such as a command's
 * arguments, differs each time; `cause`: what makes it another one, if not these.
 */
export function toldOnce(log: Log, message: string, level: 'warn' | 'error' = 'warn') {
  const told = new Set<string>();
  let isEnded = false;
  return {
    say(problem: string, facts = {}, cause = problem.split(' ').slice(0, 6).join(' ')): void {
      if (isEnded || told.has(cause)) return;
      told.add(cause);
      log[level]({ ...facts, problem }, message);
    },
    over: (): void => told.clear(),
    /** From now on nothing is said: a connection that is closed on purpose is no trouble. */
    end(): void {
      isEnded = true;
    },
  };
}

export type Told = ReturnType<typeof toldOnce>;

/**
 * Does it now, and again from time to time, one after the other; it never rejects. Of those that ask for nothing particular and
 * only wait for their turn, one is enough.
 */
export function regularly<Ask, Came>(every: number, work: (ask?: Ask) => Promise<Came>) {
  let turn: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Came> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  function now(ask?: Ask): Promise<Came> {
    if (ask === undefined && waiting !== undefined) return waiting;
    const mine: Promise<Came> = turn.then(() => {
      if (waiting === mine) waiting = undefined;
      return work(ask);
    });
    turn = mine;
    if (ask === undefined) waiting = mine;
    return mine;
  }
  /** Many bots do not ask at one time. */
  function again(): void {
    if (ended) return;
    timer = setTimeout(() => void now().finally(again), every * (0.9 + 0.2 * Math.random()));
    timer.unref();
  }
  void now();
  again();
  return {
    now,
    /** Resolves once what goes on is over. */
    async end(): Promise<void> {
      ended = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
