import type { Contradiction, Strange } from '../command.ts';
import type { Entries } from '../runs/entries.ts';
import { contradicts, type FindingState } from '../runs/findings.ts';
import type { Discrepancy } from './compare.ts';
import { unreported } from './reported.ts';

type Span = Contradiction['spans'][number];

/** The messages that contradict the ledger now, oldest first, whether reported or not. */
export function contradictionOf(
  discrepancies: readonly Discrepancy[],
  entries: Entries,
  findings: readonly FindingState[],
  channel: string,
): Contradiction | undefined {
  const foreign = discrepancies.filter(contradicts);
  if (foreign.length === 0) return undefined;
  const isNew = unreported(foreign, entries, channel).length > 0;
  const isOpen = findings.some(({ found, acknowledged }) => acknowledged === undefined && contradicts(found));
  return {
    spans: spansOf(foreign.map((each) => ({ ...each, channel }))),
    messages: foreign.length,
    state: isNew ? 'new' : isOpen ? 'open' : 'acknowledged',
  };
}

/** Merges messages with consecutive entries. */
function spansOf(messages: readonly Strange[]): Span[] {
  const spans: Span[] = [];
  for (const each of messages) {
    const before = spans.at(-1);
    const isNext = before?.last.to !== undefined && each.from === before.last.to + 1;
    if (isNext) spans[spans.length - 1] = { ...before, last: each, messages: before.messages + 1 };
    else spans.push({ first: each, last: each, messages: 1 });
  }
  return spans;
}
