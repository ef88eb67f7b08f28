import type { Kind } from './entry.ts';

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
