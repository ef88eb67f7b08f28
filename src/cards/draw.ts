import { type Button, type Card, linkTo, md } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { NewRunEntry, RunEntry } from '../runs/entry.ts';
import { isOfOutcome, type Ping, pingsOf, pressedOn } from '../runs/pings.ts';
import { advance, orderOf, type RunState } from '../runs/state.ts';
import { moved } from './messages.ts';
import type { Opened } from './record.ts';
import { type Beside, beside, type Drawing, type JobLook, type Known, render, workingCard } from './render/index.ts';

export interface DrawParts extends Omit<Drawing, 'records'> {
  records: Records;
  /** Entries of an invocation that wait in this process's outbox. */
  unrecorded(invocationId: string): readonly NewRunEntry[];
  find(text: string): Server | undefined;
  lookOf(run: string): JobLook | undefined;
}

export interface Place {
  channel: string;
  guild: string;
  /** The message of the card; undefined while unknown. */
  message?: string;
}

/** A message beside the card, as it should be. The text keeps the mentions of `pings`. */
export interface Other {
  channel: string;
  message: string;
  card: Card;
  pings: readonly string[];
  /** It has the buttons instead of the card. */
  isPressed: boolean;
}

export interface Drawn extends Place, Pick<ReturnType<typeof messagesOf>, 'others'> {
  card: Card;
  /** Whom its message pinged: the text keeps their mentions. */
  pings?: readonly string[] | undefined;
  /** The card once another message has its buttons. */
  elsewhere?: Card | undefined;
  /** Nothing is known but the typed command. */
  blank: boolean;
  /** Nothing is in progress: the card changes only if another invocation changes its offers. */
  terminal: boolean;
  /** The newest entry that people must hear about. Undefined if another message announces it. */
  news?: RunEntry;
  /** A run with a follow-up, whose entries record where its card moves. */
  followed?: RunState;
}

/** All that is known of an invocation. Undefined if nothing is, or if it was denied: a denial has no card. */
export function knownOf(
  { records, unrecorded, find }: Pick<DrawParts, 'records' | 'unrecorded' | 'find'>,
  invocationId: string,
  opened?: Opened,
  looks: ReadonlyMap<string, JobLook> = new Map(),
): Known | undefined {
  const states = withEntries(records.runs(invocationId), unrecorded(invocationId));
  const [state] = states;
  const first = state && orderOf(state);
  if (first?.kind === 'denied') return undefined;
  const of = first ?? opened;
  if (of === undefined) return undefined;
  const { command, actor, options } = of;
  const servers = opened?.servers ?? serversOf(states, first?.options['server'], find);
  return { invocationId, command, actor, options, servers, states, looks };
}

/** The servers of the runs as recorded, and the others as typed. */
function serversOf(states: readonly RunState[], typed: unknown, find: DrawParts['find']): Server[] {
  const known = states.flatMap((state) => orderOf(state)?.server ?? []);
  const ids = String(typed ?? '')
    .split(',')
    .filter((id) => /^\d+$/.test(id));
  if (ids.length <= known.length) return known;
  return ids.map((id) => known.find((server) => String(server.id) === id) ?? find(id) ?? { id: Number(id) });
}

/** The runs as if the ledger had these entries. */
function withEntries(states: readonly RunState[], entries: readonly NewRunEntry[]): RunState[] {
  const runs = new Map(states.map((state) => [state.run, state]));
  for (const entry of entries) {
    const link = { seq: Number.MAX_SAFE_INTEGER, time: new Date().toISOString(), prev: '', hash: '' };
    // A member of the union with the members of a link is an entry.
    runs.set(entry.run, advance(runs.get(entry.run), { ...entry, ...link } as RunEntry));
  }
  return [...runs.values()];
}

/** The first card of a command, before anything is known of it. */
export function firstCard(id: string, opened: Opened, prepared: Pick<PreparedChange, 'fullLabel'> | undefined): Card {
  const { command, actor, options, servers } = opened;
  const known: Known = { invocationId: id, command, actor, options, servers, states: [], looks: new Map() };
  return workingCard(known, prepared, opened.asks ? 'The question is being prepared; nothing is sent yet.' : undefined);
}

/** The place of an invocation's card; undefined if it has none. */
export function placeOf(
  { records, unrecorded }: Pick<DrawParts, 'records' | 'unrecorded'>,
  id: string,
  opened?: Opened,
): Place | undefined {
  const states = withEntries(records.runs(id), unrecorded(id));
  const first = states[0] && orderOf(states[0]);
  const place = first?.place ?? opened?.place;
  if (place === undefined) return undefined;
  const followed = states.find(({ followUp }) => followUp !== undefined);
  const message = followed?.followUp?.card ?? opened?.place.message ?? place.message;
  return { channel: place.channel, guild: place.guild, message };
}

/** The card of an invocation as it should be now. Undefined if there is nothing to show. */
export function draw(parts: DrawParts, id: string, opened?: Opened): Drawn | undefined {
  const known = knownOf(parts, id, opened, looksOf(parts, id));
  const place = placeOf(parts, id, opened);
  if (known === undefined || place === undefined) return undefined;
  const { states } = known;
  const followed = states.find(({ followUp }) => followUp !== undefined);
  const drawn = messagesOf(known, parts, place);
  return {
    ...drawn,
    card: states.length === 0 && opened !== undefined ? firstCard(id, opened, parts.prepare(opened)) : drawn.card,
    blank: states.length === 0,
    ...place,
    terminal: isTerminal(known),
    followed,
    news: parts.unrecorded(id).length === 0 ? newsOf(states) : undefined,
  };
}

function newsOf(states: readonly RunState[]): RunEntry | undefined {
  const followed = states.flatMap(({ followUp }) => followUp ?? []);
  // A stopped follow-up pings nobody.
  if (
    followed.some(({ ended, announced }) => ended !== undefined && ended.end !== 'stopped' && announced === undefined)
  )
    return undefined;
  const said = states
    .flatMap(({ followUp, pinged }) => [followUp?.announced, pinged])
    .map((entry) => (entry?.place.message === undefined ? 0 : entry.seq));
  return states
    .flatMap(({ requested, asked, outcome, resolved, followUp }) => [
      requested,
      asked,
      outcome,
      resolved,
      followUp?.started,
      followUp?.ended,
    ])
    .flatMap((entry) => entry ?? [])
    .filter(({ seq }) => seq > Math.max(0, ...said))
    .reduce<RunEntry | undefined>((newest, each) => (each.seq > (newest?.seq ?? 0) ? each : newest), undefined);
}

/** The card of an invocation, and the messages beside it, of which one may have its buttons. */
export function messagesOf(known: Known, drawing: Drawing, place: Place) {
  const card = render(known, drawing);
  const others = othersOf(known, drawing, place);
  const pressed = others.find(({ isPressed }) => isPressed);
  return { card, others, elsewhere: pressed && pressedElsewhere(card, pressed, place) };
}

/** Its buttons, if any of them does something: Details alone stays where it is. */
const pressable = ({ buttons = [] }: Card): readonly Button[] =>
  buttons.some(({ id }) => !id.startsWith('details:')) ? buttons : [];

/** What stands beside the buttons stands there. */
function pressedElsewhere(card: Card, { channel, message, card: other }: Other, { guild }: Place): Card {
  if (pressable(card).length === 0) return card;
  const beside = (other.next ?? []).map(({ markup }) => markup);
  const next = (card.next ?? []).filter(({ markup }) => !beside.includes(markup));
  const where = linkTo('the message that pinged', { guild, channel, message });
  return { ...card, next: [...next, md`The buttons are on ${where}.`], buttons: [] };
}

function othersOf(known: Known, parts: Drawing, own: Place): Other[] {
  const { states, actor } = known;
  const pressed = pressedOn(states)?.entry;
  return pingsOf(states).flatMap(({ of, entry, place: { guild, channel, message } }): Other[] => {
    if (message === own.message) return [];
    const drawing: Drawing = {
      ...parts,
      seal: (kind, asked) => parts.seal(kind, { ...asked, place: { guild, channel, message } }),
    };
    const card = beside[of === 'outcome' && !isOfOutcome(states, entry) ? 'taken' : said[of]](known, drawing);
    if (card === undefined) return [];
    const isPressed = entry === pressed;
    const buttons = isPressed ? [...(card.buttons ?? []), ...pressable(render(known, drawing))] : [];
    return [
      {
        ...{ channel, message, isPressed },
        card: {
          ...card,
          body: channel === own.channel ? card.body : [...card.body, moved],
          buttons: [...new Map(buttons.map((each) => [each.id, each])).values()],
        },
        pings: entry.pings ?? (of === 'reminder' ? [actor.id] : []),
      },
    ];
  });
}

/** What it says now. */
const said: { [of in Ping['of']]: Beside } = { reminder: 'reminder', outcome: 'outcome', end: 'end', call: 'called' };

const isTerminal = ({ states, servers }: Known): boolean =>
  states.length > 0 &&
  states.length >= servers.length &&
  states.every(
    ({ outcome, followUp }) => outcome !== undefined && (followUp === undefined || followUp.announced !== undefined),
  );

const looksOf = ({ records, lookOf }: DrawParts, id: string): ReadonlyMap<string, JobLook> =>
  new Map(
    records.runs(id).flatMap(({ run }) => {
      const look = lookOf(run);
      return look === undefined ? [] : [[run, look]];
    }),
  );
