import { type Card, count, own } from '../../card.ts';
import { foundWords } from '../../record/finding.ts';
import { contradicts, type FindingState } from '../../runs/findings.ts';

const named = 5;

/** What nobody has looked into yet, newest first: whoever may acknowledge it is pinged with this. */
export function alertCard(open: readonly FindingState[], guild: string): Card {
  const shown = open.toReversed().slice(0, named);
  const more = open.length - shown.length;
  return {
    state: 'alert',
    command: 'Audit trail',
    subject: own(`${count(open.length, 'finding')} to look into`),
    body: [
      ...(open.some(({ found }) => contradicts(found))
        ? [own('**Nothing may change** until it is acknowledged: the ledger does not have what the trail says.')]
        : []),
      ...shown.map(({ found }) => foundWords(found, guild)),
      ...(more > 0 ? [own(`${count(more, 'more finding')}.`)] : []),
      own('Keep ledger and channel as they are. /audit verify shows everything; /audit acknowledge closes it.'),
    ],
    run: `finding ${shown[0]?.found.seq ?? 0}`,
  };
}
