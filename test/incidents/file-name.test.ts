import { expect, it } from 'vitest';
import { fileName } from '../../src/incidents/index.ts';

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
