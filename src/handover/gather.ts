import type { Records } from '../runs/book.ts';
import type { Effect, OpenEffect } from '../runs/effects.ts';
import type { RunEntry, Step } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import { type Freeze, freezesOf, type ServerHold } from '../runs/freezes.ts';
import { invocationOf } from '../runs/ids.ts';
import type { Incident } from '../runs/incident.ts';
import {
  awaitsApproval,
  expiryOf,
  type FollowUpState,
  isOpenQuestion,
  isOpenRequest,
  type RunState,
} from '../runs/state.ts';

/** What can be open, in display order. */
export const groups = [
  'incidents',
  'freezes',
  'holds',
  'restores',
  'powering',
  'unfollowed',
  'unknown',
  'reviews',
  'firewalls',
  'emptied',
  'down',
  'throttles',
  'unapplied',
  'whitelisted',
  'questions',
] as const;
export type Group = (typeof groups)[number];

type Server = NonNullable<RunEntry['server']>;

interface Item {
  servers: readonly Server[];
  /** The command with its options, and the actor. */
  entry: RunEntry;
  /** In ms. */
  since: number;
  /** Its card. */
  place: RunEntry['place'];
}

type EffectGroup = Exclude<
  Group,
  'incidents' | StopItem['group'] | 'restores' | 'powering' | 'unfollowed' | 'unknown' | 'questions' | 'reviews'
>;

/** A freeze concerns all servers, or those of a tier. `since` in ms. */
interface FreezeItem {
  group: 'freezes';
  stop: Freeze;
  since: number;
}

interface HoldItem {
  group: 'holds';
  stop: ServerHold;
  servers: readonly Server[];
  since: number;
}

export type StopItem = FreezeItem | HoldItem;

/** What a change left. */
export type LeftItem = Item &
  (
    | { group: 'restores' | 'powering'; job?: number | undefined }
    | { group: 'unfollowed'; ended: Step<'ended'> }
    | { group: 'unknown' }
    | { group: 'questions'; waitsFor: 'somebody' | 'confirm' | 'approval'; until: number }
    | { group: 'reviews'; why: string }
    | { group: EffectGroup; effect: Effect }
  );

/** Something open on one or more servers. */
export type ServerItem = LeftItem | HoldItem;

/** An incident concerns no server. */
interface IncidentItem {
  group: 'incidents';
  incident: Incident;
  since: number;
}

/** Something the next person on call needs to know. */
export type OpenItem = ServerItem | FreezeItem | IncidentItem;

/** Where to find what is open. */
export type OpenRecords = Pick<
  Records,
  'incidents' | 'freezes' | 'holds' | 'open' | 'following' | 'unfollowed' | 'unknown' | 'unreviewed' | 'effects'
>;

/** All open incidents and freezes, and what is open on servers that this person may see: by group, oldest first. `now` in ms. */
export function gather(records: OpenRecords, may: (server: Server) => boolean, now: number): OpenItem[] {
  return inOrder([
    ...records.incidents().flatMap(unended),
    ...records.freezes(now).map(freezeItem),
    ...gatherOnServers(records, may, now),
  ]);
}

/** What is open on one server, and the freezes that concern it: by group, oldest first. `now` in ms. */
export const gatherOnServer = (
  records: Omit<OpenRecords, 'incidents'>,
  server: Server,
  now: number,
): (ServerItem | FreezeItem)[] => [
  ...freezesOf(records, server, now).map(freezeItem),
  ...gatherOnServers(records, ({ id }) => id === server.id, now),
];

/** What is open on the servers that `may` accepts: by group, oldest first. `now` in ms. */
function gatherOnServers(
  records: Omit<OpenRecords, 'incidents' | 'freezes'>,
  may: (server: Server) => boolean,
  now: number,
): ServerItem[] {
  const all: ServerItem[] = [
    ...records.holds(now).map(holdItem),
    ...records.following().flatMap(restore),
    ...records.unfollowed().flatMap(unfollowed),
    ...records.unknown().flatMap(unknown),
    ...reviews(records.unreviewed()),
    ...records.effects().flatMap((effect) => left(effect, now)),
    ...questions(records.open(), now),
  ];
  return inOrder(
    all.flatMap((item) => {
      const servers = item.servers.filter(may);
      return servers.length === 0 ? [] : [{ ...item, servers }];
    }),
  );
}

const inOrder = <T extends OpenItem>(items: readonly T[]): T[] =>
  groups.flatMap((group) => items.filter((item) => item.group === group).sort((a, b) => a.since - b.since));

const unended = (incident: Incident): OpenItem[] =>
  incident.ended === undefined ? [{ group: 'incidents', incident, since: Date.parse(incident.opened.time) }] : [];

const freezeItem = (stop: Freeze): FreezeItem => ({ group: 'freezes', since: Date.parse(stop.time), stop });

const holdItem = (stop: ServerHold): HoldItem => ({
  ...{ group: 'holds', servers: [stop.server] },
  ...{ since: Date.parse(stop.time), stop },
});

const serversOf = ({ server }: RunEntry): Server[] => (server === undefined ? [] : [server]);

/** The current place of the card. */
function placeOf({ place }: RunEntry, { followUp }: RunState): RunEntry['place'] {
  return followUp?.card === undefined ? place : { ...place, message: followUp.card };
}

function restore(state: RunState): ServerItem[] {
  const { followUp } = state;
  if (followUp === undefined || followUp.ended !== undefined) return [];
  const { follow, job } = followUp.started;
  // The panel soon reports how a power action ended, unless a person had to say that it runs.
  if (follow === 'power' && state.resolved === undefined) return [];
  return [{ group: follow === 'restore' ? 'restores' : 'powering', ...begunBy(state, followUp), job }];
}

function unfollowed(state: RunState): ServerItem[] {
  const { followUp } = state;
  if (followUp?.ended === undefined) return [];
  return [{ group: 'unfollowed', ...begunBy(state, followUp), ended: followUp.ended }];
}

const begunBy = (state: RunState, { started }: FollowUpState): Item => ({
  ...{ servers: serversOf(started), entry: started },
  ...{ since: begunAt(state, started), place: placeOf(started, state) },
});

function unknown(state: RunState): ServerItem[] {
  const { outcome } = state;
  if (outcome === undefined) return [];
  const since = Date.parse(outcome.time);
  return [{ group: 'unknown', servers: serversOf(outcome), entry: outcome, since, place: placeOf(outcome, state) }];
}

/** One item per command, however many servers it covers. */
function reviews(states: readonly RunState[]): ServerItem[] {
  const ids = [...new Set(states.map(({ run }) => invocationOf(run)))];
  return ids.flatMap((id): ServerItem[] => {
    const all = states.filter(({ run }) => invocationOf(run) === id);
    const [state] = all;
    const { intent: entry, asked } = state ?? {};
    if (state === undefined || entry === undefined || asked?.glass === undefined) return [];
    const servers = all.flatMap(({ intent }) => intent?.server ?? []);
    const of = { entry, since: Date.parse(entry.time), place: placeOf(entry, state) };
    return [{ group: 'reviews', why: asked.glass, servers, ...of }];
  });
}

const groupOf = {
  'firewall-off': 'firewalls',
  'no-rules': 'emptied',
  down: 'down',
  throttle: 'throttles',
  unapplied: 'unapplied',
  whitelist: 'whitelisted',
} as const satisfies Record<Effect['kind'], Group>;

/** For how long a flush is listed, in ms: rules that somebody sets in the panel would not end it. */
const listedFor = 24 * 3_600_000;

function left({ effect, server, since, remind }: OpenEffect, now: number): ServerItem[] {
  // Whitelisting a network may be permanent, unless somebody set a reminder.
  if (effect.kind === 'whitelist' && remind === undefined) return [];
  const { time, place } = since;
  if (effect.kind === 'no-rules' && now - Date.parse(time) > listedFor) return [];
  return [{ group: groupOf[effect.kind], servers: [server], entry: since, effect, since: Date.parse(time), place }];
}

/** One item per question that can still be confirmed, however many servers it covers. */
function questions(open: readonly RunState[], now: number): ServerItem[] {
  const byInvocation = new Map<string, RunState[]>();
  for (const state of open) {
    if (!isOpenQuestion(state) || expiryOf(state) <= now) continue;
    const id = invocationOf(state.run);
    byInvocation.set(id, [...(byInvocation.get(id) ?? []), state]);
  }
  return [...byInvocation.values()].flatMap((states): ServerItem[] => {
    const asked = states.flatMap((state) => state.asked ?? state.requested ?? []);
    const [[state], [entry]] = [states, asked];
    if (state === undefined || entry === undefined) return [];
    const waits = { waitsFor: waitsFor(state), until: expiryOf(state) };
    const of = { servers: asked.flatMap(serversOf), entry, since: Date.parse(entry.time), place: entry.place };
    return [{ group: 'questions', ...waits, ...of }];
  });
}

const waitsFor = (state: RunState): 'somebody' | 'confirm' | 'approval' => {
  if (isOpenRequest(state)) return 'somebody';
  return awaitsApproval(state) ? 'approval' : 'confirm';
};
