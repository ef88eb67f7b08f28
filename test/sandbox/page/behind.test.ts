import { expect, it } from 'vitest';
import { entryRows, followUpRows, requestRows } from '../../../src/sandbox/page/behind.ts';

const at = new Date('2026-11-20T03:00:00.250Z');
const request = { at, method: 'POST', path: '/servers/101/power/boot', body: undefined, status: 200, ms: 3.6 };

it('shows a request with its time, its answer and what it did', () => {
  expect(requestRows([{ ...request, effect: 'boot of web-1 (101) queued' }])).toEqual([
    {
      at: 1795143600250,
      ms: 4,
      method: 'POST',
      path: '/servers/101/power/boot',
      status: 200,
      note: 'boot of web-1 (101) queued',
    },
  ]);
});

it('tells a pending request from one that ended without an answer', () => {
  const [open, cut] = requestRows([
    { ...request, status: undefined, ms: undefined },
    { ...request, status: undefined, effect: 'boot of web-1 (101) queued' },
  ]);
  expect(open).toEqual({ at: 1795143600250, method: 'POST', path: '/servers/101/power/boot' });
  expect(cut).toMatchObject({ ms: 4, note: 'boot of web-1 (101) queued; no answer was sent' });
});

it('shortens bodies, whatever they are', () => {
  const bodies = [{ rulesets: [1, 2] }, 'no JSON', 'x'.repeat(501)];
  const shown = requestRows(bodies.map((body) => ({ ...request, body }))).map(({ body }) => body);
  expect(shown).toEqual(['{"rulesets":[1,2]}', 'no JSON', `${'x'.repeat(499)}…`]);
});

it('shows the newest hundred', () => {
  const rows = requestRows(Array.from({ length: 130 }, (_, n) => ({ ...request, path: `/${n}` })));
  expect([rows.length, rows[0]?.path, rows.at(-1)?.path]).toEqual([100, '/30', '/129']);
});

it.each([
  [{ kind: 'intent', command: 'firewall.flush', server: { id: 101, name: 'web-1' } }, '/firewall flush web-1 (101)'],
  [
    {
      kind: 'outcome',
      command: 'firewall.flush',
      server: { id: 101, name: 'web-1' },
      outcome: 'rejected',
      reason: 'conflict',
    },
    '/firewall flush web-1 (101): rejected (conflict)',
  ],
  [{ kind: 'denied', command: 'panel.check', outcome: 'denied', reason: 'denied' }, '/panel check: denied'],
  [
    { kind: 'follow-up', command: 'backup.restore', server: { id: 7 }, step: 'ended', end: 'finished' },
    '/backup restore 7: ended finished',
  ],
  [
    { kind: 'follow-up', command: 'backup.restore', server: { id: 7 }, step: 'handed-over', to: { name: 'bob' } },
    '/backup restore 7: handed-over to bob',
  ],
  [
    { kind: 'resolved', command: 'firewall.flush', server: { id: 7 }, happened: true, why: 'I looked' },
    '/firewall flush 7: it happened (I looked)',
  ],
  [
    { kind: 'resolved', command: 'firewall.flush', server: { id: 7 }, happened: false, why: 'rules are there' },
    '/firewall flush 7: it did not happen (rules are there)',
  ],
  [{ kind: 'reminded', command: 'firewall.disable', server: { id: 7, name: 'web-9' } }, '/firewall disable web-9 (7)'],
  [{ kind: 'started', owner: 'a1b2', facts: { version: '0.1.0', panel: 'c3' } }, 'version 0.1.0, process a1b2'],
  [{ kind: 'started', owner: 'a1b2', facts: { panel: 'c3' } }, 'process a1b2'],
  [{ kind: 'stopped', owner: 'a1b2' }, 'process a1b2'],
  [{ kind: 'configured', changed: ['panel', 'policy.roles'] }, 'changed since the last start: panel, policy.roles'],
  [{ kind: 'configured', owner: 'ab', changed: ['policy.roles'] }, 'read again: policy.roles'],
  [
    { kind: 'configured', owner: 'ab', changed: [], problems: ['unlistd (line 14): Unknown key.'] },
    'refused; the previous one stays in force: unlistd (line 14): Unknown key.',
  ],
  [{ kind: 'tampered', finding: 'deleted', from: 3, to: 5 }, 'the trail in #audit: deleted #3 to #5'],
  [{ kind: 'tampered', finding: 'changed', from: 3, to: 3 }, 'the trail in #audit: changed #3'],
  [{ kind: 'tampered', finding: 'strange' }, 'the trail in #audit: strange'],
  [
    { kind: 'tampered', finding: 'edited', from: 4, to: 4, unsaid: true as const },
    'the trail in #audit: edited #4; Discord does not say by whom',
  ],
  [{ kind: 'incident', step: 'opened', title: 'web-1 is slow' }, 'opened: web-1 is slow'],
  [
    { kind: 'incident', step: 'noted', note: { author: { name: 'bob' }, text: 'disk is full' } },
    'noted: bob wrote "disk is full"',
  ],
  [
    { kind: 'incident', step: 'looked', look: { command: 'firewall.show', server: { id: 101, name: 'web-1' } } },
    'looked: /firewall show web-1 (101)',
  ],
  [{ kind: 'incident', step: 'ended' }, 'ended'],
  [{ kind: 'not known yet' }, ''],
])('puts an entry into words: %o', (entry, words) => {
  const whole = { seq: 3, time: '2026-11-20T03:00:00.250Z', hash: 'ab12', ...entry };
  expect(entryRows([{ ...whole, actor: { name: 'alice' } }])).toEqual([
    { seq: 3, time: '2026-11-20T03:00:00.250Z', kind: entry.kind, who: 'alice', words, hash: 'ab12' },
  ]);
  expect(entryRows([whole])[0]?.who).toBe('');
});

const followUp = {
  id: 'restore-101-9001',
  command: 'backup.restore',
  server: { id: 101, name: 'web-1' },
  notify: { name: 'alice' },
};

it.each([
  [{}, 'not read yet'],
  [{ seen: { word: 'queued' } }, 'queued'],
  [{ seen: { word: 'running', progress: 45.4 } }, 'running, 45 %'],
  [{ seen: { word: 'running' }, blindSince: 1 }, 'it cannot be read now'],
  [{ unreadable: true as const }, 'the panel offers no way to read it'],
])('puts what is followed into words: %o', (more, state) => {
  expect(followUpRows([{ ...followUp, ...more }])).toEqual([
    { id: 'restore-101-9001', words: `/backup restore web-1 (101): ${state}; alice is pinged at its end` },
  ]);
});
