import { serverLabel, trusted } from '../card.ts';
import { detailLines } from '../cards/render/details.ts';
import { orderOf } from '../runs/state.ts';
import { preparedOf, refusedOn } from './authorize.ts';
import { answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { notHere, nothingLeft, typedName } from './notes.ts';

/** What explains a card, for who may read there what its command changes. Nothing of it is recorded. */
export function details(snapshot: Snapshot, { actor, place, payload, offered }: Press): Decision {
  const { commands, ledger, rules } = snapshot;
  const states = ledger.runs(payload);
  const order = states[0] && orderOf(states[0]);
  if (order === undefined || !offered) return nothingLeft();
  const command = commands.find(({ id }) => id === order.command);
  const by = commands.find(({ id }) => id === command?.checkedBy);
  if (!rules.answersIn(place)) return notHere(order.command);
  const servers = states.flatMap((state) => orderOf(state)?.server ?? []);
  const refused = by && refusedOn(snapshot, actor, by, servers, order.options, 'Nothing was shown.');
  if (refused !== undefined) return refused;
  const lines = detailLines(states, preparedOf(snapshot, order));
  if (lines.length === 0) return nothingLeft();
  const [only] = servers;
  return answer({
    state: 'succeeded',
    command: typedName(order.command),
    title: trusted(
      `Details: ${typedName(order.command)}${servers.length === 1 && only !== undefined ? ` · ${serverLabel(only).markup}` : ''}`,
    ),
    body: lines,
    run: payload,
  });
}
