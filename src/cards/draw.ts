import type { Card } from '../card.ts';
import { defined } from '../defined.ts';
import type { Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { NewRunEntry, RunEntry } from '../runs/entry.ts';
import { advance, type RunState } from '../runs/state.ts';
import type { Opened } from './record.ts';
import { type Drawing, type JobLook, type Known, reminderCard, render, workingCard } from './render/index.ts';

/** What drawing asks of the rest of the bot. */
export interface DrawParts extends Omit<Drawing, 'records'> {
  records: Records;
  /** What the ledger could not take yet of an invocation: a fact of this process. */
  unrecorded(invocationId: string): readonly NewRunEntry[];
  /** The server of that id, as the policy names it now. */
  find(text: string): Server | undefined;
  /** The last look at the job of a run. */
  lookOf(run: string): Promise<JobLook | undefined>;
}

/** Where a card is. */
export interface Place {
  channel: string;
  guild: string;
  /** The message that shows it; undefined while that is not known. */
  message?: string;
}

/** A card as it is to be, and where. */
export interface Drawn extends Place {
  card: Card;
  /** Nothing is known of it but that it was typed. */
  blank: boolean;
  /** Nothing is under way: it changes only if something else changes what it offers. */
  terminal: boolean;
  /** The message that reminded of it, as it is to be. */
  reminder?: { message: string; card: Card; pings: readonly string[] };
  /** The newest entry that people have to hear of; undefined where a message of its own says it, or will. */
  news?: RunEntry;
  /** A run that is followed, or was: where its card moves to is recorded. */
  followed?: RunState;
}

/** All that is known of an invocation; undefined where nothing is, or where it was denied: that has no card. */
export function knownOf(
  { records, unrecorded, find }: Pick<DrawParts, 'records' | 'unrecorded' | 'find'>,
  invocationId: string,
  opened?: Opened,
  looks: ReadonlyMap<string, JobLook> = new Map(),
): Known | undefined {
  const states = overlaid(records.runs(invocationId), unrecorded(invocationId));
  const [state] = states;
  const first = state?.asked ?? state?.intent ?? state?.outcome;
  if (first?.kind === 'denied') return undefined;
  const of = first ?? opened;
  if (of === undefined) return undefined;
  const { command, actor, options } = of;
  const servers = opened?.servers ?? serversOf(states, first?.options['server'], find);
  return { invocationId, command, actor, options, servers, states, looks };
}

/** Those that have runs, as they were named then; the others by what was typed. */
function serversOf(states: readonly RunState[], typed: unknown, find: DrawParts['find']): Server[] {
  const known = states.flatMap(({ asked, intent, outcome }) => (asked ?? intent ?? outcome)?.server ?? []);
  const ids = String(typed ?? '')
    .split(',')
    .filter((id) => /^\d+$/.test(id));
  if (ids.length <= known.length) return known;
  return ids.map((id) => known.find((server) => String(server.id) === id) ?? find(id) ?? { id: Number(id) });
}

/** Runs as they would be if the ledger had taken these entries. */
function overlaid(states: readonly RunState[], entries: readonly NewRunEntry[]): RunState[] {
  const runs = new Map(states.map((state) => [state.run, state]));
  for (const entry of entries) {
    const link = { seq: Number.MAX_SAFE_INTEGER, time: new Date().toISOString(), prev: '', hash: '' };
    // A member of the union with the members of a link is an entry.
    runs.set(entry.run, advance(runs.get(entry.run), { ...entry, ...link } as RunEntry));
  }
  return [...runs.values()];
}

/** The first card of a command, before anything is known of it. */
export function firstCard(id: string, opened: Opened): Card {
  const { command, actor, options, servers } = opened;
  const known: Known = { invocationId: id, command, actor, options, servers, states: [], looks: new Map() };
  return workingCard(known, opened.asks ? 'The question is being prepared; nothing is sent yet.' : undefined);
}

/** Where the card of an invocation is; undefined where it has none. */
export function placeOf(
  { records, unrecorded }: Pick<DrawParts, 'records' | 'unrecorded'>,
  id: string,
  opened?: Opened,
): Place | undefined {
  const states = overlaid(records.runs(id), unrecorded(id));
  const first = states[0]?.asked ?? states[0]?.intent ?? states[0]?.outcome;
  const place = first?.place ?? opened?.place;
  if (place === undefined) return undefined;
  const followed = states.find(({ followUp }) => followUp !== undefined);
  const message = followed?.followUp?.card ?? opened?.place.message ?? place.message;
  return { channel: place.channel, guild: place.guild, ...defined({ message }) };
}

/** The card of an invocation as it is to be now; undefined where there is nothing to show. */
export async function draw(parts: DrawParts, id: string, opened?: Opened): Promise<Drawn | undefined> {
  const looks = await looksOf(parts, id);
  // From here on nothing is waited for: what is drawn is what is known now.
  const known = knownOf(parts, id, opened, looks);
  const place = placeOf(parts, id, opened);
  if (known === undefined || place === undefined) return undefined;
  const { states } = known;
  const followed = states.find(({ followUp }) => followUp !== undefined);
  const reminder = reminderOf(known, parts);
  return {
    card: states.length === 0 && opened !== undefined ? firstCard(id, opened) : render(known, parts),
    blank: states.length === 0,
    ...place,
    terminal: isTerminal(known),
    ...defined({ reminder, followed, news: parts.unrecorded(id).length === 0 ? newsOf(states) : undefined }),
  };
}

function newsOf(states: readonly RunState[]): RunEntry | undefined {
  const followed = states.flatMap(({ followUp }) => followUp ?? []);
  // Nobody is pinged about what nobody follows.
  if (
    followed.some(({ ended, announced }) => ended !== undefined && ended.end !== 'stopped' && announced === undefined)
  )
    return undefined;
  const said = followed.map(({ announced }) => (announced?.place.message === undefined ? 0 : announced.seq));
  return states
    .flatMap(({ asked, outcome, resolved, followUp }) => [asked, outcome, resolved, followUp?.started, followUp?.ended])
    .flatMap((entry) => entry ?? [])
    .filter(({ seq }) => seq > Math.max(0, ...said))
    .reduce<RunEntry | undefined>((newest, each) => (each.seq > (newest?.seq ?? 0) ? each : newest), undefined);
}

function reminderOf(known: Known, parts: DrawParts): Drawn['reminder'] {
  const message = known.states.flatMap(({ reminded }) => reminded?.place.message ?? [])[0];
  const card = message === undefined ? undefined : reminderCard(known, parts);
  return message === undefined || card === undefined ? undefined : { message, card, pings: [known.actor.id] };
}

const isTerminal = ({ states, servers }: Known): boolean =>
  states.length > 0 &&
  states.length >= servers.length &&
  states.every(
    ({ outcome, followUp }) => outcome !== undefined && (followUp === undefined || followUp.announced !== undefined),
  );

async function looksOf({ records, lookOf }: DrawParts, id: string): Promise<ReadonlyMap<string, JobLook>> {
  const running = records.runs(id).filter(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const looks = await Promise.all(running.map(async ({ run }) => [run, await lookOf(run)] as const));
  return new Map(looks.flatMap(([run, look]) => (look === undefined ? [] : [[run, look]])));
}
