import { count } from '../card.ts';
import type { CheckState, Line } from './line.ts';

const labels: Readonly<Record<CheckState, string>> = {
  ok: 'OK',
  warning: 'WARNING',
  wrong: 'WRONG',
  skipped: 'SKIPPED',
};
const width = 9;

/** The lines as a terminal shows them, and how many there are of each kind. */
export function report(lines: readonly Line[]): string {
  const all = lines.flatMap(({ state, title, words, mend }) => [
    `${labels[state].padEnd(width)}${title}: ${words.markup}`,
    ...(mend === undefined ? [] : [`${' '.repeat(width)}→ ${mend.markup}`]),
  ]);
  const of = (state: CheckState): number => lines.filter((line) => line.state === state).length;
  const sum = `${of('wrong')} wrong, ${count(of('warning'), 'warning')}, ${of('ok')} OK, ${of('skipped')} skipped`;
  return `${[...all, '', sum].join('\n')}\n`;
}

/** Warnings alone change nothing: what works today works. */
export const exitCodeOf = (lines: readonly Line[]): number => (lines.some(({ state }) => state === 'wrong') ? 1 : 0);
