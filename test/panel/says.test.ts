import { expect, test } from 'vitest';
import { verdictOf } from '../../src/panel/says.ts';

/** Said to a change whose answer no documentation shows. */
test.each([
  { status: false },
  { status: 'false', data: null },
  { status: -1 },
  { status: 'Server is suspended.' },
  { state: 'Server is suspended' },
  { code: 'SERVER_SUSPENDED' },
  { code: -1 },
  { result: -1 },
  { reason: 'suspended' },
  { description: 'The server is locked' },
  { title: 'Forbidden' },
  { info: 'The server is suspended' },
  { statusMessage: 'denied' },
  { msgs: ['suspended'] },
  { message: { en: 'Server is suspended' } },
  { messages: [{ text: 'suspended' }] },
  { data: ['Server is suspended.'] },
  { suspended: true },
  { queued: false },
  { applied: false },
  { errno: 13 },
  { errcode: 40_013 },
  { retcode: 1 },
])('%j says no', (body) => {
  expect(verdictOf(body)).toBe('no');
});

test.each([
  { code: 1001 },
  { status: 0 },
  { info: 'Serveur suspendu' },
  { message: 'OK, but the hypervisor is offline' },
  { message: 'Done with warnings' },
  { message: 'The firewall must be enabled first' },
  { message: 'The firewall is disabled' },
])('%j leaves open what happened', (body) => {
  expect(verdictOf(body)).toBe('words');
});

test.each([
  { message: 'Queued' },
  { message: 'Request accepted' },
  { msg: 'ok' },
  { message: 'Firewall enabled.' },
  { message: 'The firewall has been enabled.' },
  { message: 'Firewall disabled' },
  { message: 'Rules applied' },
  { message: 'IP added' },
  { message: 'Completed without errors' },
  { success: 'Firewall enabled' },
  { status: 'queued' },
  { status: 'pending' },
  'Created',
])('%j says yes', (body) => {
  expect(verdictOf(body)).toBe('yes');
});

test.each([
  {},
  { data: { id: 101, name: 'error 7', comment: 'not locked', suspended: true, enabled: false } },
  { data: ['192.0.2.7', '2001:db8::1'] },
  { data: null, request_id: '3f2a-bcde', timestamp: '2026-11-26T12:00:00Z', version: '7.1.0', interface: 'primary' },
  { code: 0, path: 'https://panel.example/no/api/v1' },
])('%j says nothing of how it went', (body) => {
  expect(verdictOf(body)).toBeUndefined();
});
