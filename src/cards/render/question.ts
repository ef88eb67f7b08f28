import { type Card, type Markup, md, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { button } from '../buttons.ts';
import type { Drawing, Known } from './known.ts';
import { base, signature } from './parts.ts';

/** What would happen, and the buttons. */
export function questionCard(known: Known, asked: Kind<'asked'>, drawing: Pick<Drawing, 'seal' | 'prepare'>): Card {
  const { actor, invocationId } = known;
  const expires = Math.floor(Date.parse(asked.expires) / 1000);
  const kind = asked.typed === undefined ? 'confirm' : 'typed';
  return {
    ...base(known),
    state: 'question',
    body: [
      ...lines(known, asked, drawing),
      ...signature(known),
      ...(asked.typed === undefined ? [] : [md`To confirm you will be asked to type ${asked.typed}.`]),
      trusted(`Nothing is sent until <@${actor.id}> confirms. Runs out <t:${expires}:R>.`),
    ],
    buttons: [
      button('Confirm', kind, `${invocationId}.${drawing.seal(kind, asked)}`),
      button('Cancel', 'cancel', `${invocationId}.${drawing.seal('cancel', asked)}`),
    ],
  };
}

/** As they were asked. The first release did not record them: there they are made without what was read then. */
function lines(
  { command, options, servers }: Known,
  { says }: Kind<'asked'>,
  { prepare }: Pick<Drawing, 'prepare'>,
): readonly Markup[] {
  if (says !== undefined) return says.map(trusted);
  return prepare({ command, options })?.question(servers.map(() => ({ says: [] }))) ?? [];
}
