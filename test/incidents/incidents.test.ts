import { expect, it } from 'vitest';
import { createIncidents, fileName } from '../../src/incidents/index.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';

const alice = { id: '1100000000000000001', name: 'alice', roles: [] };
const place = { guild: '1000000000000000001', channel: '1500000000000000010' };

it('a read goes on without the ledger, and the log says that the timeline lacks it', async () => {
  const warned: unknown[] = [];
  const incidents = createIncidents({
    ledger: {
      append: () => Promise.reject(new LedgerUnavailable()),
      settle: () => Promise.resolve(),
      incidents: () => [],
      entries: () => [],
    },
    threads: {
      open: () => Promise.resolve('done'),
      post: () => Promise.resolve('done'),
      postInChannel: () => Promise.resolve('done'),
      lines: () => Promise.resolve(new Set<string>()),
      isBot: () => false,
    },
    log: { debug: () => undefined, info: () => undefined, warn: (facts) => warned.push(facts), error: () => undefined },
  });
  await incidents.recordRead(place.channel, { command: 'firewall.show', options: {} }, alice, place);
  expect(warned).toMatchObject([{ incident: '1500000000000000010', command: 'firewall.show' }]);
});

it.each([
  ['db-1 is down', 'incident-2026-11-20-db-1-is-down.md'],
  ['Störung in Köln: „web-1“', 'incident-2026-11-20-storung-in-koln-web-1.md'],
  ['../../etc/passwd', 'incident-2026-11-20-etc-passwd.md'],
  ['авария', 'incident-2026-11-20.md'],
  ['a'.repeat(200), `incident-2026-11-20-${'a'.repeat(60)}.md`],
  ['', 'incident-2026-11-20.md'],
])('the timeline of %j is a file that people find again', (title, name) => {
  expect(fileName(title, '2026-11-20T08:15:30.000Z')).toBe(name);
});
