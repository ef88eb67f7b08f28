import { isOfTier } from '../outcome.ts';
import type { Entry, EntryServer, Finding, IncidentRead, Kind } from './entry.ts';

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

type IncidentEntry = Kind<'incident'>;

/** `id` is its thread's id. */
export interface Incident {
  id: string;
  title: string;
  opened: IncidentEntry;
  notes: readonly IncidentEntry[];
  looks: readonly IncidentEntry[];
  ended?: IncidentEntry;
}

/** An incident after one more step; undefined if it was never opened. */
export function proceed(incident: Incident | undefined, entry: IncidentEntry): Incident | undefined {
  if (entry.step === 'opened')
    return { id: entry.incident, title: entry.title ?? '', opened: entry, notes: [], looks: [] };
  if (incident === undefined) return undefined;
  switch (entry.step) {
    case 'ended':
      return { ...incident, ended: entry };
    case 'looked':
      return { ...incident, looks: [...incident.looks, entry] };
    default:
      return { ...incident, notes: [...incident.notes, entry] };
  }
}

/** All incidents by id, in the order they were opened. */
export function openIncidents() {
  const incidents = new Map<string, Incident>();
  return {
    take(entry: IncidentEntry): void {
      const incident = proceed(incidents.get(entry.incident), entry);
      if (incident !== undefined) incidents.set(entry.incident, incident);
    },
    all: (): Incident[] => [...incidents.values()],
    get: (id: string): Incident | undefined => incidents.get(id),
  };
}

/** " · part 2 · unknown": which part of a longer answer was read, and how, if that is to be said. */
export const lookEnd = ({ part, outcome }: Pick<IncidentRead, 'part' | 'outcome'>): string =>
  [...(part === undefined ? [] : [` · part ${part}`]), ...(outcome === undefined ? [] : [` · ${outcome}`])].join('');

/** A finding: something in the trail that is not as posted, until an authorized person acknowledges it. */
export interface FindingState {
  found: Kind<'tampered'>;
  acknowledged?: Kind<'acknowledged'>;
}

/** Whether the channel shows something this ledger never held: the ledger was truncated, rewritten or replaced. */
export const contradicts = ({ finding }: { finding: Finding }): boolean => finding === 'ahead' || finding === 'strange';

/** Up to which finding people were pinged: none that came later. */
export const toldUpTo = (alerted: Kind<'alerted'> | undefined): number =>
  alerted === undefined ? 0 : Math.min(alerted.upTo, alerted.seq);

/** What is asked of findings by the `seq` of their entries. */
export interface FindingHeads {
  finding(seq: number): FindingState | undefined;
  /** The last alert to people. */
  alerted(): Kind<'alerted'> | undefined;
}

/** Collects findings, on top of those `below`. */
export function openFindings(below?: FindingHeads) {
  const all = new Map<number, FindingState>();
  let alerted: Kind<'alerted'> | undefined;
  const heads: FindingHeads = {
    finding: (seq) => all.get(seq) ?? below?.finding(seq),
    alerted: () => alerted ?? below?.alerted(),
  };
  /** What nobody vouches for settled nothing. */
  function reopen({ from = 0, to = from }: Kind<'tampered'>): void {
    for (const [seq, { found, acknowledged: by }] of all)
      if (by !== undefined && from <= by.seq && by.seq <= to) all.set(seq, { found });
  }
  return {
    ...heads,
    take(entry: Entry): void {
      if (entry.kind === 'tampered') all.set(entry.seq, { found: entry });
      if (entry.kind === 'tampered' && entry.finding === 'unvouched') reopen(entry);
      if (entry.kind === 'alerted') alerted = entry;
      if (entry.kind !== 'acknowledged') return;
      for (const seq of entry.findings) {
        const state = heads.finding(seq);
        if (state !== undefined) all.set(seq, { ...state, acknowledged: entry });
      }
    },
    all: (): FindingState[] => [...all.values()],
  };
}

/** The findings in a ledger's entries. */
export function findingsIn(entries: readonly Entry[]): FindingState[] {
  const findings = openFindings();
  for (const entry of entries) findings.take(entry);
  return findings.all();
}
