import type { RawOptions } from '../outcome.ts';
import type { Records } from './book.ts';
import type { Kind } from './entry.ts';
import { isUnknown, mayBeDone, type RunState } from './state.ts';

const pieces = (value: unknown): string[] => String(value).split(',');

/** Options that do not change what is done: the target, and what people read. */
export const incidental = ['server', 'reason', 'remind'];

/** Whether `asked` requests nothing beyond what `done` did, apart from server and wording. */
export const covers = (done: RawOptions, asked: RawOptions): boolean =>
  Object.entries(asked).every(
    ([name, value]) => incidental.includes(name) || pieces(value).every((piece) => pieces(done[name]).includes(piece)),
  );

/** A run that did the same on this server after the entry `seq`, or of which nobody knows. */
export function doneAfter(
  records: Pick<Records, 'outcomes' | 'run'>,
  {
    command,
    options,
    server,
    seq,
  }: Pick<Kind<'outcome'>, 'command' | 'options' | 'seq'> & Required<Pick<Kind<'outcome'>, 'server'>>,
): RunState | undefined {
  const outcomes = records.outcomes(server.id);
  for (let at = outcomes.upTo(seq); at < outcomes.length; at += 1) {
    const entry = outcomes.at(at);
    if (entry === undefined || entry.command !== command || !covers(entry.options, options)) continue;
    const state = records.run(entry.run);
    if (state !== undefined && (mayBeDone(state) || isUnknown(state))) return state;
  }
  return undefined;
}
