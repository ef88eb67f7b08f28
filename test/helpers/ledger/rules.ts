import { expect, it } from 'vitest';
import { genesis, written } from '../../../src/ledger/chain.ts';
import { stage } from '../../../src/ledger/group.ts';
import { Refused } from '../../../src/ledger/ledger.ts';
import { openBook } from '../../../src/runs/book.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';

/** An entry, or one that names the first of the ledger. */
type Step = NewEntry | ((first: Entry) => NewEntry);
type Rule = readonly [rule: Refused['rule'], by: number | undefined];

/** The clock of the ledger stands at 22:00. */
export const at = (clock: string): string => `2026-11-19T${clock}:00.000Z`;

/** What a ledger knows after some entries, each recorded by itself, and how it judges others that come together. */
export function ledgerAfter(before: readonly Step[]) {
  const book = openBook();
  let head = genesis;
  const made = (each: Step): NewEntry =>
    typeof each === 'function' ? each(book.records.entries().at(0) ?? expect.fail('nothing is recorded')) : each;
  const judge = (steps: readonly Step[]) => {
    const entries = steps.map(made).map(written);
    const request = { entries, resolve: () => undefined, reject: () => undefined };
    return stage([request], book.records, head, () => new Date(at('22:00')));
  };
  const refused = (...steps: readonly Step[]): Rule | undefined => {
    const [{ error } = {}] = judge(steps).refused;
    if (error !== undefined && !(error instanceof Refused)) throw error;
    return error && [error.rule, error.by?.seq];
  };
  for (const each of before) {
    const staged = judge([each]);
    for (const { error } of staged.refused) throw error;
    for (const entry of staged.entries) book.add(entry);
    ({ head } = staged);
  }
  return { ...book.records, refused };
}

type Row = readonly [what: string, before: readonly Step[], entry: Step | Step[], rule?: Rule];

/** What may not be recorded, and why; or what may, without a rule. */
export function judges(title: string, rows: readonly Row[]): void {
  for (const [what, before, entry, rule] of rows)
    it(`${title}: ${what}`, () => {
      const steps = Array.isArray(entry) ? entry : [entry];
      expect(ledgerAfter(before).refused(...steps)).toEqual(rule);
    });
}
