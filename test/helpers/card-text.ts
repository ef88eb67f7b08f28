import type { Card } from '../../src/card.ts';

/** The words of a card. test/discord and the page test how Discord renders its lines. */

/** The lines of a card that the bot made: the fact, what follows, what to do next. */
export const linesOf = ({ fact, body, next = [] }: Card): string[] =>
  [...(fact === undefined ? [] : [fact]), ...body, ...next].map(({ markup }) => markup);

const headline = /^((?:[\w-]+: )?)[◌?♪▲✓◐■✗⊘⊖△◆◇⊗✎∅◷⊠▽□≡] \*\*(.+?)\*\*/gmu;
const boldLine = /^( {2}│ )?\*\*((?:(?!\*\*).)+)\*\*$/gm;

/** A link to another card: ids differ each time. */
const cardLink = /\[((?:run |the newer card|its card|\/)[^\]]*)\]\(https:[^)]+\)/g;

/** The text of a card or a channel without marks, bold, small print and escapes, and with links as words. */
export const words = (text: string): string =>
  text
    .replaceAll('\\_', '_')
    .replaceAll(headline, '$1$2')
    .replaceAll(boldLine, '$1$2')
    .replaceAll(/^( {2}│ )(?:-#|→) /gm, '$1')
    .replaceAll(/(↪ reply to panelops: )[◌?♪▲✓◐■✗⊘⊖△◆◇⊗✎∅◷⊠▽□≡] /gm, '$1')
    .replaceAll(cardLink, '$1')
    .replaceAll('\u00a0', ' ');

/** The same for the text below a card's first line. */
export const wordsBelow = (text: string): string => words(text).replaceAll(/^(?:-#|→) /gm, '');

const confirming = /^(?:confirm|typed):/;
/** Where a card is about several servers, their names follow. */
const saying = /^(?:Say what happened|Finished|Failed)$/;

interface Pressable {
  label: string;
  customId: string;
}

/** Whether a button has this label. `Confirm` is whatever confirms, and `Undo` whatever undoes: their labels say more. */
export const isLabelled = ({ label, customId }: Pressable, wanted: string): boolean =>
  label === wanted ||
  (wanted === 'Confirm' && confirming.test(customId)) ||
  (wanted === 'Undo' && label.startsWith('Undo: ')) ||
  (saying.test(wanted) && label.startsWith(`${wanted}: `));

/** An INVALID card that names the option alone: "`until:22`: a time …" is "`until`: a time …". */
export const withoutValue = (card: string): string => card.replace(/(│ `[\w-]+):[^`]*`: /, '$1`: ');
