import { count, joined, type Markup, md, trusted } from '../src/card.ts';
import type { Line } from '../src/check/line.ts';

/** What the card says already, in the panel's own words. */
const saidAbove: readonly string[] = ['panel', 'panel-token'];

/** How many problems a card shows: it is read on a phone. */
const most = 8;

/** Problems first, each with what to do, then how much is well. */
export function summaryOf(lines: readonly Line[]): { body: readonly Markup[]; isWrong: boolean } {
  const of = (state: Line['state']): Line[] => lines.filter((line) => line.state === state);
  const bad = [...of('wrong'), ...of('warning')].filter(({ check }) => !saidAbove.includes(check));
  const left = of('skipped');
  const body = [
    ...bad.slice(0, most).map(problemOf),
    ...(bad.length > most ? [trusted(`${count(bad.length - most, 'more problem')}: panelops check lists all.`)] : []),
    trusted(`**${count(of('ok').length, 'check')} OK.**`),
    ...(left.length === 0 ? [] : [trusted(`-# Not checked: ${left.map(({ title }) => title).join(', ')}.`)]),
  ];
  return { body, isWrong: of('wrong').length > 0 };
}

const marks = { wrong: 'Wrong', warning: 'Warning', ok: 'OK', skipped: 'Not checked' } as const;

const problemOf = ({ state, title, words, remedy }: Line): Markup =>
  joined(
    [
      md`**${trusted(marks[state])}: ${trusted(title)}.** ${words}`,
      ...(remedy === undefined ? [] : [md`-# ${remedy}`]),
    ],
    '\n',
  );
