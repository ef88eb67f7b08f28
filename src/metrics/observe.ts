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

/** Reports to all of them. */
export function toAll(observers: readonly Observe[]): Observe {
  const tell =
    <Report extends unknown[]>(of: (each: Observe) => (...report: Report) => void) =>
    (...report: Report): void => {
      for (const each of observers) of(each)(...report);
    };
  return {
    within: (id, work) => observers.reduceRight((inner, each) => () => each.within(id, inner), work)(),
    acknowledged: tell(({ acknowledged }) => acknowledged),
    finished: tell(({ finished }) => finished),
    ended: tell(({ ended }) => ended),
    requested: tell(({ requested }) => requested),
    alerted: tell(({ alerted }) => alerted),
    drawn: tell(({ drawn }) => drawn),
  };
}

/** Ignores all reports. */
export const unobserved: Observe = toAll([]);
