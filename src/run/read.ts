import { setTimeout as delay } from 'node:timers/promises';
import { type Card, subjectOf, trusted } from '../card.ts';
import { button } from '../cards/buttons.ts';
import {
  type Access,
  type Command,
  type Position,
  type Prepared,
  type PreparedLocal,
  type PreparedRead,
  type Read,
  ReadFailed,
  type Tools,
  type View,
} from '../command.ts';
import { defined } from '../defined.ts';
import { type Actor, type Decision, LedgerUnavailable, outcomeOf, type Place } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import { reasons } from '../reasons.ts';
import type { Note } from '../runs/entry.ts';
import type { Incident } from '../runs/incident.ts';
import { nameOf, readFailedBody, unavailable } from './notes.ts';
import type { Parts } from './parts.ts';
import { everyone, mayTouch } from './reach.ts';

/** Reads from the panel. */
export function reader(panel: Parts['panel'], caller: Caller): Read {
  return async (endpoint, input) => {
    const answer = await panel.call(endpoint, input, caller);
    if (answer.kind !== 'yes') throw new ReadFailed(answer);
    if (answer.data === undefined || answer.data === null)
      throw new ReadFailed({ kind: 'unknown', reason: 'not-understood' });
    return answer.data;
  };
}

/** What `help` and `can` may ask of the policy, for one actor. */
const accessOf = (
  {
    rules,
    commands,
    followUps,
    ...others
  }: Parameters<typeof holdsOf>[0] & Pick<Parts, 'rules' | 'commands' | 'followUps'>,
  actor: Actor,
): Access => ({
  actor,
  commands,
  find(text) {
    const server = rules.find(text);
    return server !== undefined && mayTouch({ rules, commands }, actor, server) ? server : undefined;
  },
  decide: (command, server) => rules.decide(actor.roles, command, server),
  requirements: rules.requirements,
  troubles: () => followUps.troubles(),
  holds: () => holdsOf(others),
  roleName: rules.roleName,
});

/** How long the ledger is tried, in ms: one that hangs takes nothing either. */
const tryTime = 3_000;

/** What holds all changes back now, each with what to do about it. */
async function holdsOf({ ledger, trail, isReachable }: Pick<Parts, 'ledger' | 'trail' | 'isReachable'>) {
  const stuck = delay(tryTime, undefined, { ref: false }).then(() => {
    throw new LedgerUnavailable();
  });
  const ledgerReason = isReachable()
    ? await Promise.race([ledger.probe(), stuck]).then(
        () => undefined,
        (error: unknown) => unavailable(error).reason,
      )
    : ('redis-unavailable' as const);
  return [
    ...(ledgerReason === undefined
      ? []
      : [
          {
            reason: ledgerReason,
            words: `${isReachable() ? 'The ledger cannot be written' : 'Redis cannot be reached'}.`,
          },
        ]),
    ...trail.troubles(),
  ].map(({ reason, words }) => `**Nothing may change.** ${words} ${reasons[reason].next}`);
}

/** Whether it changes something: then it is done by one process, or, where that cannot be told, by none. */
export const changesState = ({ danger }: Pick<Command, 'danger'>): boolean =>
  danger === 'write' || danger === 'destructive';

/** Whether the answer is for everybody: what is decided, and what is read where people look into an incident together. */
export function isPublic(command: Command, place: Place, incidents: readonly Incident[]): boolean {
  if (command.menu !== undefined) return false;
  const here = incidents.some(({ id, ended }) => id === place.channel && ended === undefined);
  return changesState(command) || (command.danger === 'read' && here);
}

type ReadParts = Pick<
  Parts,
  | 'rules'
  | 'commands'
  | 'panel'
  | 'followUps'
  | 'ledger'
  | 'trail'
  | 'incidents'
  | 'paint'
  | 'walks'
  | 'now'
  | 'isReachable'
>;

/** What a card answers: `card` is its message. */
interface About {
  place: Place;
  card?: string;
  message?: Note;
}

export const toolsOf = (
  { followUps, ledger, trail, incidents, now }: Pick<Parts, 'followUps' | 'ledger' | 'trail' | 'incidents' | 'now'>,
  { place, card, message }: About,
): Tools => ({
  followUps,
  records: ledger,
  trail,
  incidents,
  place,
  ...defined({ card, message }),
  now: now(),
});

/** What the first line of its card says beside how it ended. */
export function headOf(command: Pick<Command, 'id' | 'menu'>, prepared: Prepared): Pick<Card, 'command' | 'subject'> {
  const subject = 'subject' in prepared ? prepared.subject : subjectOf(prepared.servers);
  return { command: nameOf(command), ...defined({ subject }) };
}

/** Asks the panel, or the bot itself, and gives the card, whatever the answer. Rejects with LedgerUnavailable where that may have recorded it. */
export async function readCard(
  parts: ReadParts,
  asked: About & { actor: Actor; audience: 'private' | 'public' },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  part: number,
): Promise<Card> {
  const base = headOf(command, prepared);
  const { actor, audience } = asked;
  const access = accessOf(parts, actor);
  try {
    const view = await viewOf(parts, asked, command, prepared, { access, part });
    const state = view.outcome ?? 'succeeded';
    const files = await filesOf(parts, view);
    const body = audience === 'public' ? [...view.body, trusted(`By <@${actor.id}>.`)] : view.body;
    if (changesState(command)) return { ...base, state, body, ...files };
    const pages = [
      ...(view.previous === undefined ? [] : [button('Previous', 'page', pagePayload(command, view.previous))]),
      ...(view.next === undefined ? [] : [button('Next', 'page', pagePayload(command, view.next))]),
    ];
    const share =
      audience === 'private' && isShareable(command, access.decide(command))
        ? [button('Share', 'share', sharePayload(command, prepared))]
        : [];
    return { ...base, state, body, ...files, buttons: [...pages, ...share] };
  } catch (error) {
    if (changesState(command) && error instanceof LedgerUnavailable) throw error;
    if (!(error instanceof ReadFailed)) {
      const { outcome, reason } = unavailable(error);
      return { ...base, state: outcome, body: [trusted(reasons[reason].why), trusted(reasons[reason].next)] };
    }
    const again = button('Ask again', 'page', pagePayload(command, { options: prepared.options, part }));
    return {
      ...base,
      state: outcomeOf[error.answer.kind],
      body: readFailedBody(error),
      // A no stays a no; anything else may go well the next time, and a read does no harm.
      ...(error.answer.kind === 'no' ? {} : { buttons: [again] }),
    };
  }
}

async function viewOf(
  parts: ReadParts,
  asked: About & { actor: Actor },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  { access, part }: { access: Access; part: number },
): Promise<View> {
  if (prepared.kind === 'read')
    return prepared.view(reader(parts.panel, { kind: 'person', id: asked.actor.id }), access, part);
  const act = () => prepared.act(toolsOf(parts, asked), access, part);
  return command.walks === true ? ((await parts.walks(act)) ?? tooMany) : act();
}

const tooMany: View = {
  outcome: 'unavailable',
  body: [
    trusted('Others are looking into the ledger, and enough wait for their turn already. Nothing was looked up.'),
    trusted('Type this again in a minute.'),
  ],
};

async function filesOf({ paint }: Pick<Parts, 'paint'>, { files = [], chart }: View): Promise<Pick<Card, 'files'>> {
  const picture = chart === undefined ? undefined : await paint(chart);
  const all = picture === undefined ? files : [...files, picture];
  return all.length === 0 ? {} : { files: all };
}
/** What is read in the ledger is for whoever may look into it. Somebody without a role posts nothing, not even /help. */
export const isShareable = ({ danger }: Command, may: Decision): boolean =>
  danger !== 'audit' && may.allowed && may.role !== everyone;

const sharePayload = (command: Command, { servers }: PreparedRead | PreparedLocal): string =>
  `${command.id}:${servers.map(({ id }) => id).join(',')}`;

/**
 * Where a page button leads, in its id, in which there is little room: `hypervisors.resources?1&7`, the part and then the values
 * of the options in the command's order; of a choice, its number.
 */
function pagePayload(command: Command, { options, part }: Position): string {
  const values = Object.entries(command.options).map(([name, { choices }]) => {
    const value = options[name];
    if (value === undefined) return '';
    return choices === undefined
      ? encodeURIComponent(value)
      : String(choices.findIndex((each) => each.value === value));
  });
  return `${command.id}?${[part, ...values].join('&').replace(/&+$/, '')}`;
}

/** The command, options and part of a page button; undefined when it is none of ours. */
export function readPagePayload(
  commands: readonly Command[],
  payload: string,
): { command: Command; options: Record<string, string | number>; part: number } | undefined {
  const [id = '', query = ''] = payload.split('?');
  const command = commands.find((each) => each.id === id);
  if (command === undefined) return undefined;
  const [first = '', ...values] = query.split('&');
  if (!/^\d{1,9}$/.test(first) || values.length > Object.keys(command.options).length) return undefined;
  const options = Object.entries(command.options).flatMap(([name, { type, choices }], at) => {
    const text = values[at] ?? '';
    if (text === '') return [];
    const value = choices === undefined ? plainOf(text) : choices[Number(text)]?.value;
    return value === undefined ? [] : [[name, type === 'integer' ? Number(value) : value] as const];
  });
  return { command, options: Object.fromEntries(options), part: Number(first) };
}

/** Undefined when it is none of ours. */
function plainOf(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
