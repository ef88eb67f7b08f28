import { joined, type Markup, md, moment, serverName, trusted } from '../../card.ts';
import type { PreparedChange } from '../../command.ts';
import { isOpenQuestion, type RunState } from '../../runs/state.ts';
import { causesOf } from './outcome.ts';
import { askedFor } from './parts.ts';

/** What explains a card, behind its Details button: from what was typed and recorded, so the same after a restart. */
export function detailLines(
  states: readonly RunState[],
  prepared: (Parameters<typeof askedFor>[0] & Pick<PreparedChange, 'details'>) | undefined,
): Markup[] {
  // Where it is over and nothing was sent, there is nothing to explain.
  if (states.every(({ intent, outcome }) => intent === undefined && outcome !== undefined)) return [];
  const asked = states[0]?.asked;
  const found = states.flatMap(({ asked: { facts } = {} }) => (facts === undefined ? [] : [facts]));
  const isOpen = states.every(isOpenQuestion);
  const isBegun = states.some(({ intent }) => intent !== undefined);
  const question = isOpen ? [] : (asked?.says ?? []).map(trusted);
  return [
    ...askedFor(prepared),
    ...(asked === undefined || question.length === 0 ? [] : [md`**The question** ${moment(Date.parse(asked.time))}:`]),
    ...question,
    ...states.flatMap((state) => knownBy(state, states.length > 1)),
    ...(prepared?.details(found) ?? []),
    ...(asked === undefined || found.length === 0
      ? []
      : [
          md`The bot read what was set ${moment(Date.parse(asked.time))}, and ${trusted(isBegun ? 'again right before it began' : 'reads it again right before it sends')}.`,
        ]),
  ];
}

/** How a person knows what nobody had seen, and why it was unknown. */
function knownBy(state: RunState, isOfSeveral: boolean): Markup[] {
  const { resolved } = state;
  if (resolved === undefined) return [];
  const of = isOfSeveral && resolved.server !== undefined ? md`${serverName(resolved.server)}: ` : trusted('');
  const why = causesOf(state);
  return [
    md`${of}How <@${trusted(resolved.actor.id)}> knows: ${resolved.why}`,
    ...(why.length === 0 ? [] : [md`${of}Why it was unknown: ${joined(why, ' ')}`]),
  ];
}
