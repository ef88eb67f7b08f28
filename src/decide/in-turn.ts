import { trusted } from '../card.ts';
import { leftInTurn } from '../runs/history.ts';
import { isOnCardOrPing } from '../runs/pings.ts';
import { isOpenQuestion, type RunState } from '../runs/state.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { nothingLeft, notSent, typedName } from './notes.ts';
import { namesIn } from './reach.ts';

/**
 * One after the other: asks the same about the first server, and then about the next of those that are left, each as a
 * question of its own. Nothing goes on by itself: a person sees that the server before is up.
 */
export function inTurn({ ledger }: Snapshot, { actor, place, payload, offered }: Press): Decision {
  const states = ledger.runs(payload);
  const [first] = states;
  const asked = first?.asked;
  if (first === undefined || asked === undefined || !offered || !isOnCardOrPing(states, asked.place, place))
    return nothingLeft();
  const { command, options } = asked;
  const on = (servers: readonly string[], since: number, over?: string): Decision => {
    const [server = '', ...rest] = servers;
    const left = rest.length === 0 ? {} : { rest: rest.join(',') };
    return { kind: 'command', command: { command, options: { ...options, server }, since, inTurn: { ...left, over } } };
  };
  if (states.every(isUnconfirmed)) {
    if (actor.id === asked.actor.id) return on(namesIn(options['server']), asked.seq, payload);
    return notSent(typedName(command), trusted(`Only <@${asked.actor.id}> can continue this question.`));
  }
  const left = leftInTurn(ledger, first);
  return left.length === 0 ? { ...nothingLeft(), isOutdated: true } : on(left, first.outcome?.seq ?? asked.seq);
}

const isUnconfirmed = (state: RunState): boolean => state.confirmed === undefined && isOpenQuestion(state);
