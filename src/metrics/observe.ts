/** The end of an invocation, or of a click that confirmed one, in this process. */
interface Finished {
  invocationId: string;
  command: string;
  /** The outcome of its runs, or the state of its card: `question` is one that waits for Confirm. */
  outcome: string;
  by: 'typed' | 'confirmed';
}

/** Reports for metrics and traces: synchronous, cheap, never throwing, and without options, names or tokens. */
export interface Observe {
  /** Runs `work`, whose reports belong to this invocation. */
  within<T>(invocationId: string, work: () => T): T;
  /** Discord accepted the first answer. `name`: the command's id, or the kind of the button. */
  acknowledged(interaction: 'command' | 'click', name: string, ms: number): void;
  finished(finished: Finished, ms: number): void;
  /** A run ended, or a command without runs. */
  ended(command: string, outcome: string): void;
  /** One request to the panel. `status`: its HTTP status, `no-answer`, or `not-sent`. */
  requested(endpoint: string, status: string, ms: number): void;
  /** A notification of alerts was answered. `source`: the name of its token, or `unknown`. */
  alerted(source: string, outcome: string): void;
  /** Discord accepted an edit of the card. */
  drawn(invocationId: string, ms: number): void;
}

/** Ignores all reports. */
export const unobserved: Observe = {
  within: (_id, work) => work(),
  acknowledged: () => undefined,
  finished: () => undefined,
  ended: () => undefined,
  requested: () => undefined,
  alerted: () => undefined,
  drawn: () => undefined,
};

/** Reports to both. */
export const both = (a: Observe, b: Observe): Observe => ({
  within: (id, work) => a.within(id, () => b.within(id, work)),
  acknowledged(...report) {
    a.acknowledged(...report);
    b.acknowledged(...report);
  },
  finished(...report) {
    a.finished(...report);
    b.finished(...report);
  },
  ended(...report) {
    a.ended(...report);
    b.ended(...report);
  },
  requested(...report) {
    a.requested(...report);
    b.requested(...report);
  },
  alerted(...report) {
    a.alerted(...report);
    b.alerted(...report);
  },
  drawn(...report) {
    a.drawn(...report);
    b.drawn(...report);
  },
});
