import { type Card, md, trusted } from '../../card.ts';
import { defined } from '../../defined.ts';
import { isUnknown, mayStillRun } from '../../runs/state.ts';
import type { Known } from './known.ts';
import { saidBy } from './outcome.ts';
import { base, cardLink } from './parts.ts';

/**
 * The message that pings people about an outcome: the fact, and where its card is, which has the rest and the buttons.
 * `shown` is that card.
 */
export function outcomePing(known: Known, shown: Card): Card {
  const { states, invocationId } = known;
  const [first, second] = states;
  const fact = second === undefined && first?.resolved !== undefined ? saidBy(first.resolved) : shown.fact;
  const isOpen = states.some((state) => isUnknown(state) || mayStillRun(state));
  const link = (text: string) => (first === undefined ? trusted(text) : cardLink(text, first));
  return {
    ...base(known),
    state: shown.state,
    ...defined({ fact }),
    body: [],
    next: [
      isOpen
        ? md`Look at the server in the panel, then press on ${link('its card')} what you saw.`
        : md`${link('Its card')} has the rest.`,
    ],
    run: `${invocationId} · outcome`,
  };
}
