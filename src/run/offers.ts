import { type Button, list, type Markup, md, moment, own, serverName } from '../card.ts';
import type { PreparedChange, Step } from '../command.ts';
import type { Records, RunState } from '../ledger/ledger.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import { resolution } from './cards.ts';
import { button, type Parts } from './parts.ts';
import { applied, isDone, isDoubtful, isPending, mayBeDone, replaced, takenBack } from './since.ts';

/** What can still be done about a card's runs, and what became of them since. */
export interface Offers {
  body: readonly Markup[];
  buttons: readonly Button[];
}

type Asked = Pick<Records, 'outcomes' | 'closed' | 'runs'>;

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

/** What became of a run since, and by which other. */
interface Pair {
  state: RunState;
  by: RunState;
}

const pairsOf = (
  records: Asked,
  states: readonly RunState[],
  since: (records: Asked, state: RunState) => RunState | undefined,
): Pair[] =>
  states.flatMap((state) => {
    const by = since(records, state);
    return by === undefined ? [] : [{ state, by }];
  });

const without = (states: readonly RunState[], pairs: readonly Pair[]): RunState[] =>
  states.filter((state) => pairs.every((pair) => pair.state !== state));

/** "Undone since, by @bob: see the newer card." For a part of the servers, with their names. */
function since(words: string, pairs: readonly Pair[], of: readonly RunState[]): Markup[] {
  const actors = new Set(pairs.map(({ by }) => by.outcome?.actor.id ?? ''));
  return [...actors].map((id) => {
    const mine = pairs.filter(({ by }) => by.outcome?.actor.id === id);
    const names = mine.flatMap(({ state }) => state.outcome?.server ?? []).map(serverName);
    const which = mine.length < of.length ? md` for ${list(names)}` : own('');
    return md`${own(words)}${which}, by <@${own(id)}>: see the newer card.`;
  });
}

/** What was only stored, and is still what is to be applied. */
export const stored = (records: Asked, states: readonly RunState[]): RunState[] =>
  states.filter(
    (state) =>
      state.outcome?.outcome === 'accepted' &&
      takenBack(records, state) === undefined &&
      replaced(records, state) === undefined,
  );

function toApply(records: Asked, states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  if (prepared?.apply === undefined) return nothing;
  const left = stored(records, states);
  const done = pairsOf(records, left, applied);
  return {
    body: since('Applied since', done, states),
    buttons: done.length < left.length ? [button('Apply now', 'apply', stemOf(states))] : [],
  };
}

/** The button as long as there is something that it does; what was done since; or that there is no undo. */
export function toUndo(records: Asked, states: readonly RunState[], prepared: PreparedChange | undefined): Offers {
  const done = states.filter(isDone);
  const back = pairsOf(records, done, takenBack);
  const anew = pairsOf(records, without(done, back), replaced);
  const open = without(done, [...back, ...anew]);
  const final = open.filter(({ undo }) => undo === undefined);
  const servers = final.flatMap(({ outcome }) => outcome?.server ?? []);
  // Where it is so for a part of the servers, the button is about the others.
  const which = servers.length > 0 && servers.length < done.length ? md`${list(servers.map(serverName))}: ` : own('');
  const never = servers.length === 0 ? undefined : prepared?.noUndo?.(servers);
  return {
    body: [
      ...since(
        'Undone since',
        back.filter(({ by }) => !isPending(by)),
        states,
      ),
      ...since(
        'Undo accepted',
        back.filter(({ by }) => isPending(by)),
        states,
      ),
      ...since('Set anew since', anew, states),
      ...(never === undefined ? [] : [md`${which}${never}`]),
    ],
    buttons: final.length < open.length ? [button('Undo', 'undo', stemOf(states))] : [],
  };
}

/** What undoes the first of a card's runs that is not undone, and with it all others for which it is the same but for the server. */
export function undoOf(records: Asked, states: readonly RunState[]): Step | undefined {
  const open = states.filter(
    (state) =>
      isDone(state) &&
      state.undo !== undefined &&
      takenBack(records, state) === undefined &&
      replaced(records, state) === undefined,
  );
  const undo = open[0]?.undo;
  if (undo === undefined) return undefined;
  const face = (step: Step): string => JSON.stringify({ ...step, options: { ...step.options, server: '' } });
  const same = open.filter((state) => state.undo !== undefined && face(state.undo) === face(undo));
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

/** What people said of what nobody saw the end of. Cards of runs that are not followed say it themselves. */
const resolutions = (states: readonly RunState[]): Markup[] =>
  states.flatMap(({ resolved }) => {
    if (resolved === undefined || states.every(({ followUp }) => followUp === undefined)) return [];
    const { happened, actor, why = '', server } = resolved;
    const which = states.length > 1 && server !== undefined ? md`${serverName(server)}: ` : own('');
    return [md`${which}${resolution({ happened: happened === true, by: actor, why }, [])}`];
  });

/** When the actor will be reminded: once for all servers of the card. */
function reminders(records: Asked, states: readonly RunState[]): Markup[] {
  const due = states.filter(
    (state) =>
      state.remind !== undefined &&
      state.reminded === undefined &&
      mayBeDone(state) &&
      takenBack(records, state) === undefined,
  );
  const [first] = due;
  if (first?.outcome === undefined) return [];
  const at = Math.max(...due.map(({ remind }) => Date.parse(remind ?? '')));
  return [md`Reminds <@${own(first.outcome.actor.id)}> ${moment(at)}.`];
}
