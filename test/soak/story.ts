/** Something that a person, a fault or a process did. */
interface Deed {
  /** Ms since the world began. */
  at: number;
  text: string;
  /** Of a person; all else is of interest to everybody. */
  isPersonal: boolean;
}

/** A time in which something is out of order. Open until it is closed. */
interface Trouble {
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
  /** The same of a person. */
  tellOf(who: string, text: string): void;
  /** Begins a trouble; answers how to end it. */
  trouble(kind: string): () => void;
  /** Whether one of these was there at some time between the two. */
  isTroubled(kinds: readonly string[], from: number, to: number): boolean;
  /** What was done then, at most so many: of people only what has one of these words. */
  between(from: number, to: number, most: number, words: readonly string[]): string[];
}

export function newStory(): Story {
  const begun = Date.now();
  const deeds: Deed[] = [];
  const troubles: Trouble[] = [];
  const tell = (text: string, isPersonal = false): void =>
    void deeds.push({ at: Date.now() - begun, text, isPersonal });
  return {
    begun,
    deeds,
    troubles,
    tell: (text) => tell(text),
    tellOf: (who, text) => tell(`${who} ${text}`, true),
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
    between(from, to, most, words) {
      const fitting = deeds.filter(
        ({ at, text, isPersonal }) =>
          at + begun >= from && at + begun <= to && (!isPersonal || words.some((word) => text.includes(word))),
      );
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
