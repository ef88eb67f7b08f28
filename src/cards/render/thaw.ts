import { type Button, type Card, list, type Markup, md, moment, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { freezesOf } from '../../runs/freezes.ts';
import type { RunState } from '../../runs/state.ts';
import { stopLine, thawLine } from '../../view/words.ts';
import { button } from '../buttons.ts';
import { base, cardLink, type Drawing, type Known, labelOf, signature } from './parts.ts';

/** The way out for whom a freeze stopped: who may end it, and asking them. */

const stopped = (states: readonly RunState[]): RunState[] =>
  states.filter(({ outcome }) => outcome?.reason === 'frozen');

/** The freezes that stopped these runs, as long as nobody has ended them. */
function freezesThat(states: readonly RunState[], { records }: Drawing): Kind<'frozen'>[] {
  const all = stopped(states).flatMap(({ outcome }) =>
    outcome === undefined ? [] : freezesOf(records, outcome.server, Date.parse(outcome.time)),
  );
  return [...new Map(all.map((each) => [each.seq, each])).values()];
}

/** Whether somebody has asked for its end. */
const pleaOf = ({ called, outcome }: RunState): Kind<'called'> | undefined =>
  called !== undefined && called.seq > (outcome?.seq ?? 0) ? called : undefined;

/** Who may end the freeze that stopped it, and how; and whether they were asked. */
export function thawing(states: readonly RunState[], drawing: Drawing): Markup[] {
  const lines = freezesThat(states, drawing).map(({ tier }) => md`${thawLine(tier)}`);
  if (lines.length === 0) return [];
  const roles = drawing.thawers();
  if (roles.length === 0) return [trusted('No role may end the freeze early.')];
  const [asked] = stopped(states).flatMap((state) => pleaOf(state) ?? []);
  const when = asked === undefined ? trusted('') : md` They were asked ${moment(Date.parse(asked.time))}.`;
  return [md`${list(roles.map((id) => trusted(`<@&${id}>`)))} may end the freeze: ${list(lines)}.${when}`];
}

/** "Ask a lead to thaw": for whom the freeze stopped, unless they may end it themselves, and once. */
export function pleaButtons({ actor, invocationId }: Known, left: readonly RunState[], drawing: Drawing): Button[] {
  if (freezesThat(left, drawing).length === 0 || stopped(left).some(pleaOf)) return [];
  const names = drawing.thawersToAsk();
  const isTheirs = drawing.thawers().some((role) => actor.roles.includes(role));
  return names.length === 0 || isTheirs ? [] : [button(askLabel(names, ' to thaw'), 'plead', invocationId)];
}

/** "Ask a lead", "Ask an on-call or a lead" */
export const askLabel = (names: readonly string[], what = ''): string =>
  `Ask ${names.map((name) => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`).join(' or ')}`.slice(
    0,
    80 - what.length,
  ) + what;

/** The message that asks those who may end the freeze. Its button does that. */
export function pleaCard(known: Known, drawing: Drawing): Card | undefined {
  const [first] = stopped(known.states);
  if (first === undefined) return undefined;
  const freezes = freezesThat(known.states, drawing);
  const label = labelOf(drawing.prepare(known), known);
  return {
    ...base(known),
    state: 'alert',
    fact: md`<@${trusted(known.actor.id)}> asks you to end the freeze, for: ${label}.`,
    body:
      freezes.length === 0 ? [trusted('Nothing is frozen there now.')] : freezes.map((each) => md`${stopLine(each)}.`),
    next: [md`Nothing was sent. Once it is over, ${cardLink('its card', first)} has Ask again.`],
    small: signature(known),
    run: `${known.invocationId} · thaw`,
    buttons: freezes.length === 0 ? [] : [button('End the freeze', 'end-freeze', known.invocationId)],
  };
}
