/** Somebody pressed Ctrl-C, or chose to stop. */
export class Stopped extends Error {
  constructor() {
    super('setup was stopped');
    this.name = 'Stopped';
  }
}

export interface Choice<T> {
  value: T;
  label: string;
  hint?: string;
}

/** Why a text is invalid. Undefined if it is valid. Never repeats the text. */
export type Rule = (text: string) => string | undefined;

interface Field {
  message: string;
  rule: Rule;
}

/** How setup talks with a person. Every question rejects with Stopped. */
export interface Ask {
  /** A text, without the white space around it. */
  text(field: Field & { before?: string | undefined; example?: string }): Promise<string>;
  /** Like `text`, of several lines: two Enters end it. */
  lines(field: Field & { example?: string }): Promise<string>;
  /** Like `text`, without showing what is typed. */
  secret(field: Field): Promise<string>;
  /** `before`: the index of the choice to begin with. */
  one<T>(message: string, choices: readonly Choice<T>[], before?: number): Promise<T>;
  /** At least one. `before`: the indexes of the choices that are selected at first. */
  some<T>(message: string, choices: readonly Choice<T>[], before: readonly number[]): Promise<T[]>;
  /** Shows a spinner while `work` runs. */
  during<T>(message: string, work: () => Promise<T>): Promise<T>;
  good(text: string): void;
  bad(text: string): void;
  note(text: string): void;
  /** A line of its own with nothing around it, to be copied. */
  bare(text: string): void;
}

/** Rejects with Stopped unless somebody wants to try again. */
export async function tryAgain(ask: Ask, label: string): Promise<void> {
  const isAgain = await ask.one('What now?', [
    { value: true, label },
    { value: false, label: 'Stop; nothing is written' },
  ]);
  if (!isAgain) throw new Stopped();
}
