import {
  type Button,
  list,
  type Markup,
  md,
  moment,
  serverName,
  shortName,
  trusted,
  uncapitalized,
} from '../../card.ts';
import type { PreparedChange } from '../../command.ts';
import { applied, doneSince, isStored, leftInTurn, replaced, takenBack } from '../../runs/history.ts';
import {
  awaitsReminder,
  awaitsReview,
  isBehindTrail,
  isDone,
  isPending,
  isRetryable,
  isSettled,
  isUnknown,
  mayBeDone,
  mayStillRun,
  type RunState,
  undoStep,
} from '../../runs/state.ts';
import { button, glassButton } from '../buttons.ts';
import { resolution } from './outcome.ts';
import { cardLink, type Drawing, type Known, type Offer, type Offers } from './parts.ts';
import { pleaButtons } from './thaw.ts';

type Records = Drawing['records'];

/** What can still be done about a card's runs, and what happened to them since. */
export function offersOf(known: Known, drawing: Drawing): Offers {
  const { invocationId, states, command, options } = known;
  const { records } = drawing;
  const prepared = drawing.prepare({ command, options });
  const made = pairsOf(records, states, doneSince);
  const left = without(states, made);
  const undo = toUndo(drawing, known, states);
  const resolve = toResolve(states, prepared, drawing);
  const offers: Offer[] = [
    // To know comes before to ask again.
    { buttons: resolve.buttons },
    { buttons: pleaButtons(known, left, drawing) },
    {
      body: since('Done since', made, states),
      buttons: [
        ...(left.some(isRetryable) ? [button('Ask again', 'again', invocationId)] : []),
        ...glassButtons(known, left, drawing),
      ],
    },
    toGoOn(known, drawing),
    toApply(records, invocationId, states, prepared),
    toLookAt(records, states, prepared),
    undo,
    { next: resolve.next },
    { body: since('Any effect of it was ended since', pairsOf(records, states.filter(isUnknown), takenBack), states) },
    { body: reminders(records, states) },
    toReview(known),
  ];
  return {
    left,
    body: offers.flatMap(({ body = [] }) => body).filter((line) => line !== undo.undone),
    undone: undo.undone,
    next: offers.flatMap(({ next = [] }) => next),
    buttons: offers.flatMap(({ buttons = [] }) => buttons),
  };
}

/** Where changes wait for the audit channel, and the policy lets the requester go on without. */
function glassButtons(
  { actor, command, servers, invocationId }: Known,
  left: readonly RunState[],
  { mayBreakGlass }: Drawing,
): Button[] {
  const may = left.some(isBehindTrail) && mayBreakGlass(actor.roles, command, servers);
  return may ? [glassButton(invocationId)] : [];
}

/** Until somebody else has said what they found: once it is known how it ended. */
function toReview({ states }: Known): Offer {
  const open = states.filter(awaitsReview);
  const [first] = open;
  if (first === undefined) return {};
  const isKnown = open.every(isSettled);
  const does = isKnown ? 'must review this and press Close the review' : 'reviews this once it is known how it ended';
  return {
    next: [trusted(`Break-glass: somebody else who may approve ${does}.`)],
    buttons: isKnown ? [button('Close the review', 'review', first.run)] : [],
  };
}

/** A run, and the later run that changed its effect. */
interface Pair {
  state: RunState;
  by: RunState;
}

const pairsOf = (
  records: Records,
  states: readonly RunState[],
  since: (records: Records, state: RunState) => RunState | undefined,
): Pair[] =>
  states.flatMap((state) => {
    const by = since(records, state);
    return by === undefined ? [] : [{ state, by }];
  });

const without = (states: readonly RunState[], pairs: readonly Pair[]): RunState[] =>
  states.filter((state) => pairs.every((pair) => pair.state !== state));

/** "Undone since, by @bob: see the newer card.", with a link to it. Names the servers if it concerns only some. */
function since(words: string, pairs: readonly Pair[], of: readonly RunState[]): Markup[] {
  const actors = new Set(pairs.map(({ by }) => by.outcome?.actor.id ?? ''));
  return [...actors].map((id) => {
    const mine = pairs.filter(({ by }) => by.outcome?.actor.id === id);
    const names = mine.flatMap(({ state }) => state.outcome?.server ?? []).map(serverName);
    const which = mine.length < of.length ? md` for ${list(names)}` : trusted('');
    const [newer] = mine.flatMap(({ by }) => by).toReversed();
    const card = newer === undefined ? trusted('the newer card') : cardLink('the newer card', newer);
    return md`${trusted(words)}${which}, by <@${trusted(id)}>: see ${card}.`;
  });
}

/** One after the other: the next, once a person has seen that this one is up. */
function toGoOn({ invocationId, states: [state], command, options, servers }: Known, drawing: Drawing): Offer {
  const left = state === undefined ? [] : leftInTurn(drawing.records, state);
  const label = left[0] && drawing.prepare({ command, options: { ...options, server: left[0] } })?.label;
  if (!label) return {};
  const more = left.length > 1 ? ` of ${left.length}` : '';
  return {
    next: [trusted(`Check that ${servers.map(shortName).join()} is back up before the next${more}.`)],
    buttons: [button(`Next: ${uncapitalized(label)}`, 'turn', invocationId)],
  };
}

function toApply(
  records: Records,
  id: string,
  states: readonly RunState[],
  prepared: PreparedChange | undefined,
): Offer {
  if (prepared?.apply === undefined) return {};
  const left = states.filter((state) => isStored(records, state));
  const done = pairsOf(records, left, applied);
  return {
    body: since('Applied since', done, states),
    buttons: done.length < left.length ? [button('Apply now', 'apply', id)] : [],
  };
}

/** What a yes left, until it was undone or something else was set there. */
function toLookAt(records: Records, states: readonly RunState[], prepared: PreparedChange | undefined): Offer {
  const isLeft = (state: RunState): boolean =>
    isDone(state) && takenBack(records, state) === undefined && replaced(records, state) === undefined;
  const found = states.filter(isLeft).flatMap(({ asked: { facts } = {} }) => (facts === undefined ? [] : [facts]));
  const next = prepared?.leaves?.(found);
  return next === undefined ? {} : { next: [next] };
}

/** The Undo button while there is something to undo; else what was undone since, or that there is no undo. */
export function toUndo(
  { records, prepare }: Drawing,
  { invocationId: id, command, options }: Pick<Known, 'invocationId' | 'command' | 'options'>,
  states: readonly RunState[],
) {
  const prepared = prepare({ command, options });
  const done = states.filter(isDone);
  const back = pairsOf(records, done, takenBack);
  const other = pairsOf(records, without(done, back), replaced);
  const open = without(done, [...back, ...other]);
  const final = open.filter(({ undo }) => undo === undefined);
  const servers = final.flatMap(({ outcome }) => outcome?.server ?? []);
  // If this concerns only some servers, the button is for the rest.
  const which =
    servers.length > 0 && servers.length < done.length ? md`${list(servers.map(serverName))}: ` : trusted('');
  const kept = final.flatMap(({ intent }) => intent?.kept ?? []);
  const never = servers.length === 0 ? undefined : prepared?.noUndo?.(servers, kept);
  const [accepted, undone] = [back.filter(({ by }) => isPending(by)), back.filter(({ by }) => !isPending(by))];
  const words = since('Undone since', undone, states);
  const [whole, more] = undone.length === states.length ? words : [];
  return {
    undone: more === undefined ? whole : undefined,
    body: [
      ...words,
      ...since('Undo accepted', accepted, states),
      ...since(
        other.some(({ state }) => state.intent?.kept !== undefined) ? 'Changed again since' : 'Set again since',
        other,
        states,
      ),
      ...(never === undefined ? [] : [md`${which}${never}`]),
    ],
    buttons: final.length < open.length ? [button(undoLabel(open, prepare), 'undo', id)] : [],
  };
}

/** "Undo: boot web-1" */
function undoLabel(states: readonly RunState[], prepare: Drawing['prepare']): string {
  const step = undoStep(states.filter(({ undo }) => undo !== undefined));
  const label = step === undefined ? undefined : prepare(step)?.label;
  return label === undefined ? 'Undo' : `Undo: ${uncapitalized(label)}`;
}

/** On a phone: when one of them was told, the next has its buttons. */
const maxToResolve = 3;

/** The buttons name their servers, where the card is about several. */
function toResolve(
  states: readonly RunState[],
  prepared: PreparedChange | undefined,
  drawing: Drawing,
): Required<Pick<Offer, 'next' | 'buttons'>> {
  const unresolved = states.filter((state) => isUnknown(state) || mayStillRun(state));
  return {
    next: [
      ...looks(unresolved, prepared, drawing),
      ...(unresolved.some(mayStillRun)
        ? [trusted('It stays in /handover until somebody presses Finished or Failed.')]
        : []),
    ],
    buttons: unresolved
      .slice(0, maxToResolve)
      .flatMap((state) => sayButtons(state, prepared, drawing, states.length > 1)),
  };
}

const pressCheck = trusted('Press Check now, or look at the server in the panel.');

/** How to find out: Check now where the panel can be asked, which reads what a person would; else where to look. */
function looks(states: readonly RunState[], prepared: PreparedChange | undefined, drawing: Drawing): Markup[] {
  if (states.length === 0) return [];
  if (states.every((state) => isReadable(state, prepared, drawing))) return [pressCheck];
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  return prepared === undefined
    ? [trusted('Look at the server in the panel.')]
    : servers.map((each) => prepared.manualCheck(each));
}

function sayButtons(
  state: RunState,
  prepared: PreparedChange | undefined,
  drawing: Drawing,
  isOfSeveral: boolean,
): Button[] {
  const { run, outcome } = state;
  const of = isOfSeveral && outcome?.server !== undefined ? `: ${shortName(outcome.server)}` : '';
  const check = isReadable(state, prepared, drawing) ? [button(`Check now${of}`, 'check', run)] : [];
  if (!isUnknown(state)) return [...check, ...endButtons(state, of)];
  return [...check, button(`Say what happened${of}`, 'say', run)];
}

/** Whether a read of the panel tells how it ended. */
function isReadable(state: RunState, prepared: PreparedChange | undefined, { canLook }: Drawing): boolean {
  const { job, follow } = state.followUp?.started ?? {};
  if (isUnknown(state)) return prepared?.checkNow !== undefined;
  return job !== undefined && follow !== undefined && canLook(follow);
}

/** The buttons with which a person says how a job ended. */
export const endButtons = ({ run }: RunState, of = ''): Button[] => [
  button(`Finished${of}`, 'follow', `${run}:finished`),
  button(`Failed${of}`, 'follow', `${run}:failed`),
];

/** What people said of followed runs. Other cards tell it as how it ended. */
export const resolutions = (states: readonly RunState[]): Markup[] =>
  states.flatMap(({ resolved }) => {
    if (resolved === undefined || states.every(({ followUp }) => followUp === undefined)) return [];
    const { server } = resolved;
    const which = states.length > 1 && server !== undefined ? md`${serverName(server)}: ` : trusted('');
    return [md`${which}${resolution(resolved)}`];
  });

/** When the actor will be reminded: once for all servers of the card. */
function reminders(records: Records, states: readonly RunState[]): Markup[] {
  const due = states.filter(
    (state) => awaitsReminder(state) && mayBeDone(state) && takenBack(records, state) === undefined,
  );
  const [first] = due;
  if (first?.outcome === undefined) return [];
  const at = Math.max(...due.map(({ remind }) => Date.parse(remind ?? '')));
  return [md`Reminds <@${trusted(first.outcome.actor.id)}> ${moment(at)}.`];
}
