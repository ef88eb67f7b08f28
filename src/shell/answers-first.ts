/** How many go on at once, so that new commands are heard in between. */
const atOnce = 8;
/** How long anybody waits at most, and how often to look meanwhile, in ms. */
const most = 250;
const pause = 2;

/** Lets first answers go before other work: Discord waits 3 seconds for them, and people longer for the rest. */
export interface AnswersFirst {
  /** A first answer is due when `work` is done. */
  preparing<T>(work: Promise<T>): Promise<T>;
  /** Resolves when no first answer is being prepared, in the order of the calls. */
  turn(): Promise<void>;
}

export function createAnswersFirst(): AnswersFirst {
  let preparing = 0;
  let waiting: { since: number; go: () => void }[] = [];

  function release(): void {
    const due = performance.now() - most;
    const going = waiting.slice(0, atOnce).filter(({ since }) => preparing === 0 || since < due);
    waiting = waiting.slice(going.length);
    for (const { go } of going) go();
    if (waiting.length > 0) plan();
  }
  const plan = (): unknown => (preparing === 0 ? setImmediate(release) : setTimeout(release, pause));

  return {
    async preparing(work) {
      preparing += 1;
      try {
        return await work;
      } finally {
        preparing -= 1;
      }
    },
    turn: () =>
      new Promise((go) => {
        waiting.push({ since: performance.now(), go });
        if (waiting.length === 1) plan();
      }),
  };
}
