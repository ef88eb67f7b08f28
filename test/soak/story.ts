/** Something that a person, a fault or a process did. */
export interface Deed {
  /** Ms since the world began. */
  at: number;
  text: string;
}

/** A time in which something is out of order. Open until it is closed. */
export interface Trouble {
  kind: string;
  from: number;
  to: number;
}

/** What was done in one world, in order, and which troubles there were when. Times are those of Date.now(). */
export interface Story {
  readonly begun: number;
  readonly deeds: readonly Deed[];
  readonly troubles: readonly Trouble[];
  tell(text: string): void;
  /** Begins a trouble; answers how to end it. */
  trouble(kind: string): () => void;
  /** Whether one of these was there at some time between the two. */
  isTroubled(kinds: readonly string[], from: number, to: number): boolean;
  /** What was done then, at most so many. */
  between(from: number, to: number, most: number): string[];
}

export function newStory(): Story {
  const begun = Date.now();
  const deeds: Deed[] = [];
  const troubles: Trouble[] = [];
  const tell = (text: string): void => void deeds.push({ at: Date.now() - begun, text });
  return {
    begun,
    deeds,
    troubles,
    tell,
    trouble(kind) {
      const trouble = { kind, from: Date.now(), to: Number.POSITIVE_INFINITY };
      troubles.push(trouble);
      tell(`${kind} begins`);
      return () => {
        if (trouble.to !== Number.POSITIVE_INFINITY) return;
        trouble.to = Date.now();
        tell(`${kind} is over`);
      };
    },
    isTroubled: (kinds, from, to) =>
      troubles.some((each) => kinds.includes(each.kind) && each.from <= to && each.to >= from),
    between(from, to, most) {
      const fitting = deeds.filter(({ at }) => at + begun >= from && at + begun <= to);
      const left = fitting.length - most;
      const shown = fitting.slice(-most).map(({ at, text }) => `+${at} ms  ${text}`);
      return left > 0 ? [`(${left} before that)`, ...shown] : shown;
    },
  };
}

/** A broken promise of the bot. */
export interface Finding {
  /** The name of the invariant. */
  invariant: string;
  what: string;
  /** The invocation that it is about. */
  invocation?: string;
  server?: number;
}
