import { type Card, own } from '../card.ts';
import { reasons } from '../reasons.ts';
import { note } from './cards.ts';

/** While Redis does not answer, of what has no run: whether another process has it cannot be known here. */
export const unclaimedNote = (command: string): Card =>
  note(
    'unavailable',
    command,
    own('Redis cannot be reached, so nothing may change. From here, nothing was done.'),
    own('Bring Redis back: if another process of the bot took this before, the card will say so. Reads go on.'),
  );

/** The same of a click. */
export const unclaimedClick = (): Card =>
  note(
    'unavailable',
    'your click',
    own('Redis cannot be reached, so nothing may change. Unless the card says otherwise, nothing was sent.'),
    own(reasons['redis-unavailable'].next),
  );

/** The ledger fell silent in the middle: what it took turns up when it is back, on the card where that can be told. */
export const unansweredNote = (command: string, isTold = true): Card =>
  note(
    'unavailable',
    command,
    own('The ledger did not answer, so nothing more may change. Whether it has recorded this is not known yet.'),
    own(
      `Bring it back${isTold ? ': the card will say what it has' : ', and look whether this was done'}. Reads go on.`,
    ),
  );
