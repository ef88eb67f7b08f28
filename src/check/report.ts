import { count } from '../card.ts';
import type { CheckState, Line } from './line.ts';

const labels: Readonly<Record<CheckState, string>> = {
  ok: 'OK',
  warning: 'WARNING',
  wrong: 'WRONG',
  skipped: 'SKIPPED',
};
const width = 9;

/** The lines for a terminal, and how many there are of each state. */
export function report(lines: readonly Line[]): string {
  const all = lines.flatMap(({ state, title, words, remedy }) => [
    `${labels[state].padEnd(width)}${title}: ${words.markup}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width)}→ ${remedy.markup}`]),
  ]);
  const of = (state: CheckState): number => lines.filter((line) => line.state === state).length;
  const sum = `${of('wrong')} wrong, ${count(of('warning'), 'warning')}, ${of('ok')} OK, ${of('skipped')} skipped`;
  return `${[...all, '', sum].join('\n')}\n`;
}

/** Warnings do not fail a check, because the bot works. */
export const exitCodeOf = (lines: readonly Line[]): number => (lines.some(({ state }) => state === 'wrong') ? 1 : 0);
