import { type Card, count, md, quote, trusted } from '../../card.ts';
import { reasons } from '../../reasons.ts';
import { contradicts, type FindingState } from '../../runs/findings.ts';
import { foundWords } from '../../view/finding.ts';

const maxNamed = 5;

/** Open findings, newest first. Pings the people who may acknowledge them. */
export function alertCard(open: readonly FindingState[], guild: string): Card {
  const shown = open.toReversed().slice(0, maxNamed);
  const more = open.length - shown.length;
  return {
    state: 'alert',
    command: 'Audit trail',
    subject: trusted(`${count(open.length, 'finding')} to look into`),
    fact: trusted(
      open.some(({ found }) => contradicts(found))
        ? 'Changes are refused until it is acknowledged: the ledger does not have what the trail says.'
        : 'The audit channel is not as it was posted.',
    ),
    body: [
      ...shown.map(({ found }) => foundWords(found, guild)),
      ...(more > 0 ? [trusted(`${count(more, 'more finding')}.`)] : []),
    ],
    next: [
      trusted('Keep ledger and channel as they are. /audit verify shows everything; /audit acknowledge closes it.'),
    ],
    run: `finding ${shown[0]?.found.seq ?? 0}`,
  };
}

/** A check found the stored ledger damaged at entry `seq`. */
export const damageCard = ({ seq, words }: { seq: number; words: string }): Card => ({
  state: 'alert',
  command: 'Ledger',
  subject: trusted(`not as it was written, at entry ${seq}`),
  fact: md`Nothing may change: ${quote(words)}.`,
  body: [trusted('A bot does not start with a broken ledger. Find out who can write where it is kept.')],
  next: [trusted(reasons['ledger-damaged'].next)],
  run: `entry ${seq}`,
});
