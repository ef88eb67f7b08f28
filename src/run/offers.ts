import { type Button, joined, list, type Markup, md, moment, own, serverName } from '../card.ts';
import type { PreparedChange, Step } from '../command.ts';
import type { Records, RunState } from '../ledger/ledger.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import { button, type Parts } from './parts.ts';
import { applied, isDone, isDoubtful, takenBack } from './since.ts';

/** What can still be done about a card's runs, and what became of them since. */
export interface Offers {
  body: readonly Markup[];
  buttons: readonly Button[];
}

type Asked = Pick<Records, 'entries' | 'runs'>;

const nothing: Offers = { body: [], buttons: [] };

/** As the ledger has it now. `prepared`: the command of the runs, where the policy still lets it be read. */
export function offersOf(records: Asked, states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  const offers = [
    toApply(records, states, prepared),
    toUndo(records, states, prepared),
    toResolve(states, prepared),
    { body: [...resolutions(states), ...reminders(records, states)], buttons: [] },
  ];
  return { body: offers.flatMap(({ body }) => body), buttons: offers.flatMap(({ buttons }) => buttons) };
}

const stemOf = ([first]: readonly RunState[]): string => first?.run.slice(0, first.run.lastIndexOf('.')) ?? '';

/** The command of a run as it was then; undefined where the policy or the command does not let it be read any more. */
export function preparedOf(
  { commands, rules, now }: Pick<Parts, 'commands' | 'now'> & { rules: Pick<Parts['rules'], 'find'> },
  of: { command: string; options: RawOptions } | undefined,
): PreparedChange | undefined {
  const command = commands.find(({ id }) => id === of?.command);
  if (command === undefined || of === undefined) return undefined;
  try {
    const prepared = command.prepare(of.options, { now: now(), find: rules.find });
    return prepared.kind === 'change' ? prepared : undefined;
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
}

/** "Undone since, by @bob: see the newer card." For a part of the servers, with their names. */
function since(word: string, pairs: readonly { state: RunState; by: RunState }[], of: readonly RunState[]): Markup[] {
  const actors = new Set(pairs.map(({ by }) => by.outcome?.actor.id ?? ''));
  return [...actors].map((id) => {
    const mine = pairs.filter(({ by }) => by.outcome?.actor.id === id);
    const names = mine.flatMap(({ state }) => state.outcome?.server ?? []).map(serverName);
    const which = mine.length < of.length ? md` for ${list(names)}` : own('');
    return md`${own(word)} since${which}, by <@${own(id)}>: see the newer card.`;
  });
}

function toApply(records: Asked, states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  if (prepared?.apply === undefined) return nothing;
  const stored = states.filter(
    (state) => state.outcome?.outcome === 'accepted' && takenBack(records, state) === undefined,
  );
  const pairs = stored.map((state) => ({ state, by: applied(records, state) }));
  const done = pairs.flatMap(({ state, by }) => (by === undefined ? [] : [{ state, by }]));
  return {
    body: since('Applied', done, states),
    buttons: done.length < stored.length ? [button('Apply now', 'apply', stemOf(states))] : [],
  };
}

/** The button as long as there is something that it does; what was done since; or that there is no undo. */
export function toUndo(records: Asked, states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  const done = states.filter((state) => isDone(state) && state.outcome?.outcome !== 'unknown');
  const known = done.filter(({ outcome }) => outcome?.undo !== undefined);
  const back = known.flatMap((state) => {
    const by = takenBack(records, state);
    return by === undefined ? [] : [{ state, by }];
  });
  const without = done.filter((state) => state.outcome?.undo === undefined && !isDoubtful(state));
  const names = without.flatMap(({ outcome }) => (outcome?.server === undefined ? [] : [serverName(outcome.server)]));
  // Where it is so for a part of the servers, the button is about the others.
  const which = known.length > 0 && names.length > 0 ? md`${list(names)}: ` : own('');
  const never = without.length > 0 && prepared?.noUndo !== undefined ? [md`${which}${prepared.noUndo}`] : [];
  return {
    body: [...since('Undone', back, states), ...never],
    buttons: back.length < known.length ? [button('Undo', 'undo', stemOf(states))] : [],
  };
}

/** What undoes the first of a card's runs that is not undone, and with it all others for which it is the same but for the server. */
export function undoOf(records: Asked, states: readonly RunState[]): Step | undefined {
  const open = states.filter(
    (state) => isDone(state) && state.outcome?.undo !== undefined && takenBack(records, state) === undefined,
  );
  const undo = open[0]?.outcome?.undo;
  if (undo === undefined) return undefined;
  const face = (step: Step): string => JSON.stringify({ ...step, options: { ...step.options, server: '' } });
  const same = open.filter(({ outcome }) => outcome?.undo !== undefined && face(outcome.undo) === face(undo));
  const servers = same.flatMap(({ outcome }) => outcome?.server?.id ?? []).join(',');
  return { command: undo.command, options: { ...undo.options, server: servers } };
}

/** The buttons are about one run: the first of which nobody has said how it ended. */
function toResolve(states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  const doubtful = states.filter(isDoubtful);
  const [first] = doubtful;
  if (first === undefined) return nothing;
  const servers = doubtful.flatMap(({ outcome }) => outcome?.server ?? []);
  const [server] = servers;
  return {
    body: [
      ...(prepared === undefined ? [] : servers.map((each) => prepared.byHand(each))),
      ...(doubtful.length > 1 && server !== undefined ? [md`The buttons are about ${serverName(server)}.`] : []),
    ],
    buttons: [button('It happened', 'happened', first.run), button('It did not', 'not-happened', first.run)],
  };
}

/** "It happened, says @bob: `reason`" */
const resolutions = (states: readonly RunState[]): Markup[] =>
  states.flatMap(({ resolved }) => {
    if (resolved === undefined) return [];
    const { happened, actor, why = '', server } = resolved;
    const which = states.length > 1 && server !== undefined ? md`${serverName(server)}: ` : own('');
    return [
      joined(
        [which, own(happened ? '**It happened**' : '**It did not happen**'), md`, says <@${own(actor.id)}>: ${why}`],
        '',
      ),
    ];
  });

/** When the actor will be reminded: once for all servers of the card. */
function reminders(records: Asked, states: readonly RunState[]): Markup[] {
  const due = states.filter(
    (state) =>
      state.outcome?.remind !== undefined && state.reminded === undefined && takenBack(records, state) === undefined,
  );
  const [first] = due;
  if (first?.outcome === undefined) return [];
  const at = Math.max(...due.map(({ outcome }) => Date.parse(outcome?.remind ?? '')));
  return [md`Reminds <@${own(first.outcome.actor.id)}> ${moment(at)}.`];
}
