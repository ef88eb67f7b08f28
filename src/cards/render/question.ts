import { type Card, type Markup, md, sentences, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { button } from '../buttons.ts';
import type { Drawing, Known } from './known.ts';
import { base, signature, warningLines } from './parts.ts';

type Asking = Pick<Drawing, 'seal' | 'prepare' | 'command' | 'records'>;

/** The question: what would happen, and the buttons. */
export function questionCard(known: Known, asked: Kind<'asked'>, drawing: Asking): Card {
  const { actor, invocationId, command, options } = known;
  const expires = Math.floor(Date.parse(asked.expires) / 1000);
  const kind = asked.typed === undefined ? 'confirm' : 'typed';
  const by = asked.typed === undefined ? trusted('') : md` by typing ${asked.typed}`;
  const [first = trusted(''), ...others] = lines(known, asked, drawing);
  const [fact, ...rest] = sentences(first);
  const label = drawing.prepare({ command, options })?.label ?? 'Confirm';
  const tone = drawing.command(command)?.danger === 'write' ? 'primary' : 'danger';
  return {
    ...base(known),
    state: 'question',
    fact,
    body: [...rest, ...others, ...warningLines(known.states, drawing.records)],
    next: [md`Nothing is sent until <@${trusted(actor.id)}> confirms${by}. Runs out <t:${expires}:R>.`],
    small: signature(known),
    buttons: [
      { ...button(label, kind, `${invocationId}.${drawing.seal(kind, asked)}`), tone },
      button('Cancel', 'cancel', `${invocationId}.${drawing.seal('cancel', asked)}`),
    ],
  };
}

/**
 * The lines of the question as recorded. The first release did not record them: they are made again without the facts
 * read then.
 */
function lines(
  { command, options, servers }: Known,
  { says }: Kind<'asked'>,
  { prepare }: Pick<Drawing, 'prepare'>,
): readonly Markup[] {
  if (says !== undefined) return says.map(trusted);
  return prepare({ command, options })?.question(servers.map(() => ({ says: [] }))) ?? [];
}
