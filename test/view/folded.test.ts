import { expect, it } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import { isOfRun, type NewRunEntry } from '../../src/runs/entry.ts';
import { markdown } from '../../src/view/file.ts';
import { entriesOf, summary } from '../../src/view/incident.ts';
import { timeline } from '../../src/view/timeline.ts';
import { chain } from '../helpers/record/entries.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const mallory = { id: '1400000000000000004', name: 'mallory', roles: [] };
const thread = '1500000000000000001';
const place = { guild: '1100000000000000001', channel: thread };
const denied: NewRunEntry = {
  ...{ run: 'abc.1', kind: 'denied', actor: mallory, command: 'power.boot', options: { server: 'web-1' }, place },
  ...{ outcome: 'denied', reason: 'denied' },
};
/** Seven denials, of which the last were not named any more. */
const folded: NewRunEntry = {
  ...{ ...denied, run: 'abd.1', options: {} },
  folded: {
    ...{ count: 7, digest: 'ab', first: '2026-11-20T08:00:01.000Z', last: '2026-11-20T08:09:59.000Z' },
    commands: [
      { command: 'power.boot', server: 'web-1', count: 4 },
      { command: 'handover', count: 1 },
    ],
  },
};
const entries = chain([
  { kind: 'incident', actor: alice, incident: thread, step: 'opened', place, title: 'web-1 is down' },
  denied,
  folded,
]);
const runs = entries.filter(isOfRun);

function incidentOf() {
  const book = openBook();
  for (const entry of entries) book.add(entry);
  const [incident] = book.records.incidents();
  if (incident === undefined) throw new Error('no incident');
  return incident;
}

it('an incident tells how often somebody was denied, of what and until when', () => {
  const text = timeline(incidentOf(), { by: alice, at: Date.parse('2026-11-20T09:00:00Z') }, runs);
  expect(text).toContain('- Runs: 8 (8 denied)');
  expect(text).toContain(
    '- **2026-11-20 08:00:01 UTC** `mallory` `/power boot` with `server:web-1` ×4, `/handover` ×1 and others: **denied** ×7, until 2026-11-20 08:09:59 UTC. Not allowed.',
  );
});

it('the summary of an incident, and of a record to be read, counts each of them', () => {
  expect(summary(entriesOf(incidentOf(), entries))).toBe('8 runs: 8 denied.');
  const text = [...markdown(entries, () => undefined)].join('');
  expect(text).toContain('- Runs: 8 (8 denied)');
  expect(text).toContain('**DENIED ×7** `/power boot` `server:web-1` and others');
  expect(text).toContain(
    '  - Counted together, 2026-11-20 08:00:01 UTC to 2026-11-20 08:09:59 UTC: `/power boot server:web-1` ×4, `/handover` ×1 and others ×2.',
  );
});
