import { type Card, type Markup, md, subjectOf, trusted } from '../../card.ts';
import { defined } from '../../defined.ts';
import type { Actor, Outcome } from '../../outcome.ts';
import type { Known } from './known.ts';

/** "/firewall flush" */
export const typedName = (id: string): string => `/${id.replace('.', ' ')}`;

/** A card without a run: why something was not done, privately. */
export const note = (state: Outcome, command: string, ...body: Markup[]): Card => ({ state, command, body });

/** The first line, and the run at the foot, of an invocation's card. */
export function base({ command, servers, invocationId }: Known): Pick<Card, 'command' | 'subject' | 'run'> {
  const subject = subjectOf(servers);
  return { command: typedName(command), run: invocationId, ...defined({ subject }) };
}

/** Why it is done, as the actor wrote it, and who did it. */
export function signature(known: Known, words = 'By'): Markup[] {
  const { reason } = known.options;
  return [
    ...(typeof reason === 'string' ? [md`Reason: ${reason}`] : []),
    trusted(`${words} ${person(known.actor)}${takenOver(known)}.`),
  ];
}

const person = ({ id }: Actor): string => `<@${id}>`;

/** Who is pinged at the end, where that is somebody else. */
function takenOver({ actor, states }: Known): string {
  const others = states.flatMap(({ followUp }) => followUp?.notify.id ?? []).filter((id) => id !== actor.id);
  return [...new Set(others)].map((id) => `, handed over to <@${id}>`).join('');
}
