import { type Card, joined, type Markup, md, sentences, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { button } from '../buttons.ts';
import type { Drawing, Known } from './known.ts';
import { base, signature, tiersOf, warningLines } from './parts.ts';

type Asking = Pick<Drawing, 'seal' | 'prepare' | 'command' | 'records'>;

/** The question: what would happen, and the buttons. */
export function questionCard(known: Known, asked: Kind<'asked'>, drawing: Asking): Card {
  const { actor, invocationId, command, options } = known;
  const expires = Math.floor(Date.parse(asked.expires) / 1000);
  const kind = asked.typed === undefined ? 'confirm' : 'typed';
  const by = asked.typed === undefined ? trusted('') : md` by typing ${asked.typed}`;
  const { fact, body } = questionText(known, asked, drawing);
  const label = drawing.prepare({ command, options })?.label ?? 'Confirm';
  const tone = drawing.command(command)?.danger === 'write' ? 'primary' : 'danger';
  return {
    ...base(known),
    subject: tiersOf(known.servers) ?? base(known).subject,
    state: 'question',
    fact,
    body,
    next: [md`Nothing is sent until <@${trusted(actor.id)}> confirms${by}${others(asked)}. Runs out <t:${expires}:R>.`],
    small: signature(known),
    buttons: [
      { ...button(label, kind, `${invocationId}.${drawing.seal(kind, asked)}`), tone },
      button('Cancel', 'cancel', `${invocationId}.${drawing.seal('cancel', asked)}`),
    ],
  };
}

const others = ({ approvals }: Kind<'asked'>): Markup =>
  trusted(
    approvals === undefined
      ? ''
      : ` and ${approvals === 1 ? 'somebody else approves' : `${approvals} others approve`} it`,
  );

/** What would happen: the fact, and the rest. */
export function questionText(
  known: Known,
  asked: Kind<'asked'>,
  drawing: Pick<Drawing, 'prepare' | 'records'>,
): { fact: Markup; body: Markup[] } {
  const [first = trusted(''), ...more] = lines(known, asked, drawing);
  const [fact, ...rest] = sentences(first);
  const warnings = warningLines(known.states, drawing.records, [], maxLines - 1);
  return { fact, body: [...folded([...rest, ...more], maxLines - warnings.length), ...warnings] };
}

/** On a phone, a question is in view with its buttons. */
const maxLines = 3;

/** The same on so many lines: what does not fit stands behind the last. */
const folded = (lines: readonly Markup[], most: number): Markup[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), joined(lines.slice(most - 1), ' ')];

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
