import type { EventEntry } from './entry.ts';
import { type Incident, SecondOutcome } from './ledger.ts';

type Step = Extract<EventEntry, { kind: 'incident' }>;

/**
 * What an incident becomes with one more step. Throws SecondOutcome when it can take no such step: it is opened once and ended
 * once, takes a message once, and nothing before the one or after the other.
 */
export function proceed(incident: Incident | undefined, entry: Step): Incident {
  const { step, note } = entry;
  const refused = new SecondOutcome(entry.incident, `incident step ${step}`);
  if (step === 'opened') {
    if (incident !== undefined) throw refused;
    return { id: entry.incident, title: entry.title ?? '', opened: entry, notes: [] };
  }
  if (incident === undefined || incident.ended !== undefined) throw refused;
  if (step === 'ended') return { ...incident, ended: entry };
  if (incident.notes.some((each) => each.note?.message === note?.message)) throw refused;
  return { ...incident, notes: [...incident.notes, entry] };
}
