import { isOfTier } from '../outcome.ts';
import type { Entry, EntryServer, Kind } from './entry.ts';

/** A freeze of all servers, or of those of a tier. */
export type Freeze = Kind<'frozen'>;
export type ServerHold = Kind<'held'>;
export type Stop = Freeze | ServerHold;
export type StopEntry = Stop | Kind<'thawed' | 'released'>;

export const isOfStop = (entry: Entry): entry is StopEntry =>
  entry.kind === 'frozen' || entry.kind === 'thawed' || entry.kind === 'held' || entry.kind === 'released';

export const isStop = (entry: Entry): entry is Stop => entry.kind === 'frozen' || entry.kind === 'held';

/** What is asked of freezes and holds at a time, in ms. What has run out is not there any more. */
export interface Stops {
  /** Freezes in force, oldest first. */
  freezes(at: number): readonly Freeze[];
  hold(server: number, at: number): ServerHold | undefined;
}

/** An end that cannot be read never comes. */
const lasts = ({ until }: Stop, at: number): boolean => !(Date.parse(until) <= at);

export const isSameScope = (a: Pick<Freeze, 'tier'>, b: Pick<Freeze, 'tier'>): boolean =>
  a.tier?.toLowerCase() === b.tier?.toLowerCase();

/** A scope has one freeze, a server one hold: the last. Those `below` count where nothing came since. */
export function openStops(below?: Stops) {
  const freezes = new Map<string, Freeze | Kind<'thawed'>>();
  const holds = new Map<number, ServerHold | Kind<'released'>>();
  const scopeOf = ({ tier }: Pick<Freeze, 'tier'>): string => (tier === undefined ? '' : `tier ${tier.toLowerCase()}`);
  return {
    freezes(at: number): Freeze[] {
      const earlier = (below?.freezes(at) ?? []).filter((each) => !freezes.has(scopeOf(each)));
      const own = [...freezes.values()].flatMap((each) => (each.kind === 'frozen' && lasts(each, at) ? [each] : []));
      return [...earlier, ...own].sort((a, b) => a.seq - b.seq);
    },
    hold(server: number, at: number): ServerHold | undefined {
      const own = holds.get(server);
      if (own === undefined) return below?.hold(server, at);
      return own.kind === 'held' && lasts(own, at) ? own : undefined;
    },
    /** All of them, oldest first. */
    holds: (at: number): ServerHold[] =>
      [...holds.values()]
        .flatMap((each) => (each.kind === 'held' && lasts(each, at) ? [each] : []))
        .sort((a, b) => a.seq - b.seq),
    take(entry: StopEntry): void {
      if (entry.kind === 'frozen' || entry.kind === 'thawed') freezes.set(scopeOf(entry), entry);
      else holds.set(entry.server.id, entry);
    },
  };
}

/** Which freezes are about this server. Those of a command without a server are those of all. */
export const freezesOf = (
  stops: Pick<Stops, 'freezes'>,
  server: EntryServer | undefined,
  at: number,
): readonly Freeze[] =>
  stops.freezes(at).filter(({ tier }) => tier === undefined || (server !== undefined && isOfTier(server, tier)));

/** Why this person may change nothing on a server: a freeze that is not among `despite`, or another's hold. */
export function stopOf(
  stops: Stops,
  { server, actor, despite = [] }: { server?: EntryServer; actor: { id: string }; despite?: readonly number[] },
  at: number,
): Stop | undefined {
  const freeze = freezesOf(stops, server, at).find(({ seq }) => !despite.includes(seq));
  const hold = server === undefined ? undefined : stops.hold(server.id, at);
  return freeze ?? (hold?.actor.id === actor.id ? undefined : hold);
}
