import type { Records } from '../runs/book.ts';
import type { Effect, OpenEffect } from '../runs/effects.ts';
import type { Kind, RunEntry, Step } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import { invocationOf } from '../runs/ids.ts';
import { type FollowUpState, isOpenQuestion, type RunState } from '../runs/state.ts';

/** What can be open, in display order. */
export const groups = [
  'restores',
  'unfollowed',
  'unknown',
  'firewalls',
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

/** Something the next person on call needs to know. */
export type OpenItem = Item &
  (
    | { group: 'restores'; job?: number | undefined }
    | { group: 'unfollowed'; ended: Step<'ended'> }
    | { group: 'unknown' | 'questions' }
    | { group: Exclude<Group, 'restores' | 'unfollowed' | 'unknown' | 'questions'>; effect: Effect }
  );

/** Everything open on servers that this person may see, by group, oldest first. `now` in ms. */
export function gather(
  records: Pick<Records, 'open' | 'following' | 'unfollowed' | 'unknown' | 'effects'>,
  may: (server: Server) => boolean,
  now: number,
): OpenItem[] {
  const all = [
    ...records.following().flatMap(restore),
    ...records.unfollowed().flatMap(unfollowed),
    ...records.unknown().flatMap(unknown),
    ...records.effects().flatMap(left),
    ...questions(records.open(), now),
  ];
  const seen = all.flatMap((item) => {
    const servers = item.servers.filter(may);
    return servers.length === 0 ? [] : [{ ...item, servers }];
  });
  return groups.flatMap((group) => seen.filter((item) => item.group === group).sort((a, b) => a.since - b.since));
}

const serversOf = ({ server }: RunEntry): Server[] => (server === undefined ? [] : [server]);

/** The current place of the card. */
function placeOf({ place }: RunEntry, { followUp }: RunState): RunEntry['place'] {
  return followUp?.card === undefined ? place : { ...place, message: followUp.card };
}

function restore(state: RunState): OpenItem[] {
  const { followUp } = state;
  if (followUp === undefined || followUp.started.follow !== 'restore' || followUp.ended !== undefined) return [];
  return [{ group: 'restores', ...begunBy(state, followUp), job: followUp.started.job }];
}

function unfollowed(state: RunState): OpenItem[] {
  const { followUp } = state;
  if (followUp?.ended === undefined) return [];
  return [{ group: 'unfollowed', ...begunBy(state, followUp), ended: followUp.ended }];
}

const begunBy = (state: RunState, { started }: FollowUpState): Item => ({
  ...{ servers: serversOf(started), entry: started },
  ...{ since: begunAt(state, started), place: placeOf(started, state) },
});

function unknown(state: RunState): OpenItem[] {
  const { outcome } = state;
  if (outcome === undefined) return [];
  const since = Date.parse(outcome.time);
  return [{ group: 'unknown', servers: serversOf(outcome), entry: outcome, since, place: placeOf(outcome, state) }];
}

const groupOf = {
  'firewall-off': 'firewalls',
  down: 'down',
  throttle: 'throttles',
  unapplied: 'unapplied',
  whitelist: 'whitelisted',
} as const satisfies Record<Effect['kind'], Group>;

function left({ effect, server, since, remind }: OpenEffect): OpenItem[] {
  // Whitelisting a network may be permanent, unless somebody set a reminder.
  if (effect.kind === 'whitelist' && remind === undefined) return [];
  const { time, place } = since;
  return [{ group: groupOf[effect.kind], servers: [server], entry: since, effect, since: Date.parse(time), place }];
}

/** One item per question that can still be confirmed, however many servers it covers. */
function questions(open: readonly RunState[], now: number): OpenItem[] {
  const byInvocation = new Map<string, Kind<'asked'>[]>();
  for (const state of open) {
    const { run, asked } = state;
    if (asked === undefined || !isOpenQuestion(state) || Date.parse(asked.expires) <= now) continue;
    const id = invocationOf(run);
    byInvocation.set(id, [...(byInvocation.get(id) ?? []), asked]);
  }
  return [...byInvocation.values()].flatMap((asked): OpenItem[] => {
    const [entry] = asked;
    if (entry === undefined) return [];
    const servers = asked.flatMap(serversOf);
    return [{ group: 'questions', servers, entry, since: Date.parse(entry.time), place: entry.place }];
  });
}
