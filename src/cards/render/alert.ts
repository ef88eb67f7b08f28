import { type Card, count, md, quote, trusted } from '../../card.ts';
import { reasons } from '../../reasons.ts';
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
    subject: trusted(`${count(open.length, 'finding')} to look into`),
    body: [
      ...(open.some(({ found }) => contradicts(found))
        ? [trusted('**Nothing may change** until it is acknowledged: the ledger does not have what the trail says.')]
        : []),
      ...shown.map(({ found }) => foundWords(found, guild)),
      ...(more > 0 ? [trusted(`${count(more, 'more finding')}.`)] : []),
      trusted('Keep ledger and channel as they are. /audit verify shows everything; /audit acknowledge closes it.'),
    ],
    run: `finding ${shown[0]?.found.seq ?? 0}`,
  };
}

/** A check found the ledger broken where it is kept, at entry `seq`. */
export const damageCard = ({ seq, words }: { seq: number; words: string }): Card => ({
  state: 'alert',
  command: 'Ledger',
  subject: trusted(`not as it was written, at entry ${seq}`),
  body: [
    md`**Nothing may change**: ${quote(words)}.`,
    trusted(reasons['ledger-damaged'].next),
    trusted('A bot does not start with a broken ledger. Find out who can write where it is kept.'),
  ],
  run: `ledger at entry ${seq}`,
});
