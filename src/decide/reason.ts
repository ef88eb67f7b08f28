import { block, trusted } from '../card.ts';
import { madeAt } from '../outcome.ts';
import { interactionOf, invocationIdOf } from '../runs/ids.ts';
import type { Unexplained } from './authorize.ts';
import { type Answer, answer, type Decision, type Form, type Press, type Request, type Snapshot } from './decision.ts';
import { formTime, onceFor, sentAlready } from './meant.ts';
import { maxReasonLength, nameOf, notSent, titleOf } from './notes.ts';
import { maxIdLength, pagePayload, readPagePayload } from './read-buttons.ts';

/** Enough letters of a seal: each guess is a form that somebody submits. */
const sealLength = 11;

/** Whose form it is, where, and for which command. */
const sealOf = (
  { seal }: Pick<Snapshot, 'seal'>,
  { actor, place }: Pick<Press, 'actor' | 'place'> | Pick<Request, 'actor' | 'place'>,
  what: string,
): string => seal.of('reason', { hash: `${actor.id} ${place.channel} ${what}`, place: {} }).slice(0, sealLength);

/**
 * The form that asks for the reason that the policy wants. Its id has the whole command, so that nothing need be kept;
 * undefined where that does not fit. Behind a button, what is submitted is the same press again.
 */
export function reasonForm(
  snapshot: Snapshot,
  { interaction, button, ...request }: Request,
  { command, servers, options }: Unexplained,
): Form | undefined {
  const id = invocationIdOf(interaction.id);
  // Ids are short, and stay those of the servers that the title names.
  const ids = servers.map((server) => server.id).join(',');
  const what = `${id}:${pagePayload(command, { options: { ...options, server: ids }, part: 0 })}`;
  const form: Form = {
    title: titleOf(nameOf(command), servers),
    label: 'Why? For the ledger and the card',
    longest: maxReasonLength,
    id: button ?? `reason:${sealOf(snapshot, request, what)}.${what}`,
  };
  return (form.id ?? '').length <= maxIdLength ? form : undefined;
}

/** A submitted form: the whole way again, with the roles of now. It keeps the typed command's id: taken once. */
export function explain(snapshot: Snapshot, press: Press): Decision {
  const { payload, typed = '' } = press;
  const what = payload.slice(sealLength + 1);
  if (payload !== `${sealOf(snapshot, press, what)}.${what}`) return lost(typed);
  const [id = ''] = what.split(':', 1);
  const page = readPagePayload(snapshot.commands, what.slice(id.length + 1));
  const of = interactionOf(id);
  if (page === undefined || snapshot.now() - madeAt(of) >= formTime) return lost(typed);
  if (snapshot.ledger.runs(id).length > 0) return answer(sentAlready('this form'));
  const { command, options } = page;
  return { kind: 'command', command: { command: command.id, options }, of, once: onceFor(id, 'this form') };
}

const lost = (typed: string): Answer =>
  notSent(
    'this form',
    trusted('This form is too old, or not yours. Nothing was sent now.'),
    trusted('Type the command again. Your reason:'),
    block(typed),
  );
