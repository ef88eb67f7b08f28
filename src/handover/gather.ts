import type { NewRunEntry, RunEntry } from '../ledger/entry.ts';
import type { Loose, Records, RunState } from '../ledger/ledger.ts';

/** What can be loose, in the order in which it is shown. */
export const groups = [
  'restores',
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

/** Something that whoever comes next has to know of. */
export interface LooseEnd {
  group: Group;
  servers: readonly Server[];
  /** What was typed: the command, its options, and who did it. */
  entry: RunEntry;
  /** The interface, the network or the job, in few words. */
  what?: string;
  /** In ms. */
  since: number;
  /** Its card. */
  place: NewRunEntry['place'];
}

/** All that is loose on servers that this person may see, group by group, the oldest first. `now` in ms. */
export function gather(
  records: Pick<Records, 'open' | 'following' | 'unknown' | 'loose'>,
  may: (server: Server) => boolean,
  now: number,
): LooseEnd[] {
  const all = [
    ...records.following().flatMap(restore),
    ...records.unknown().flatMap(unknown),
    ...records.loose().flatMap(left),
    ...questions(records.open(), now),
  ];
  const seen = all.flatMap((end) => {
    const servers = end.servers.filter(may);
    return servers.length === 0 ? [] : [{ ...end, servers }];
  });
  return groups.flatMap((group) => seen.filter((end) => end.group === group).sort((a, b) => a.since - b.since));
}

const serversOf = ({ server }: RunEntry): Server[] => (server === undefined ? [] : [server]);

function restore({ followUp }: RunState): LooseEnd[] {
  if (followUp === undefined || followUp.started.follow !== 'restore' || followUp.ended !== undefined) return [];
  const { started, card } = followUp;
  const place = { ...started.place, message: card };
  const what = `job ${started.job ?? 0}`;
  return [
    { group: 'restores', servers: serversOf(started), entry: started, what, since: Date.parse(started.time), place },
  ];
}

function unknown({ outcome, followUp }: RunState): LooseEnd[] {
  if (outcome === undefined) return [];
  const place = followUp === undefined ? outcome.place : { ...outcome.place, message: followUp.card };
  const since = Date.parse((followUp?.ended ?? outcome).time);
  return [{ group: 'unknown', servers: serversOf(outcome), entry: outcome, since, place }];
}

const firsts: Readonly<Record<string, Group>> = {
  'firewall-off': 'firewalls',
  down: 'down',
  throttle: 'throttles',
  unapplied: 'unapplied',
  whitelist: 'whitelisted',
};

/** What an intent opened, by the first word of what it called it. */
function left({ what, server, since, remind }: Loose): LooseEnd[] {
  const [first = '', ...rest] = what.split(' ');
  const group = firsts[first];
  // A network may be whitelisted for good; one that somebody wanted to be reminded of was not meant to be.
  if (group === undefined || (group === 'whitelisted' && remind === undefined)) return [];
  const end = { group, servers: [server], entry: since, since: Date.parse(since.time), place: since.place };
  return [rest.length === 0 ? end : { ...end, what: rest.join(' ') }];
}

/** One for each question that can still be confirmed, however many servers it is about. */
function questions(open: readonly RunState[], now: number): LooseEnd[] {
  const asked = open.flatMap(({ asked: entry, intent }) =>
    entry?.expires === undefined || intent !== undefined || Date.parse(entry.expires) <= now ? [] : [entry],
  );
  const ids = [...new Set(asked.map(({ question }) => question))];
  return ids.flatMap((id): LooseEnd[] => {
    const mine = asked.filter(({ question }) => question === id);
    const [entry] = mine;
    if (entry === undefined) return [];
    const servers = mine.flatMap(serversOf);
    return [{ group: 'questions', servers, entry, since: Date.parse(entry.time), place: entry.place }];
  });
}
