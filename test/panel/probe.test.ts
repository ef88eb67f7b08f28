import { describe, expect, it, onTestFinished } from 'vitest';
import { probePanelAt } from '../../src/panel/probe.ts';
import { type Fault, type PanelOptions, startPanel } from '../../src/sandbox/panel/index.ts';
import { serve } from '../helpers/panel/server.ts';

async function panelWith(options: PanelOptions = {}) {
  const panel = await startPanel(options);
  onTestFinished(() => panel.close());
  return panel;
}

const pathsOf = (panel: { requests: readonly { path: string }[] }): string[] => panel.requests.map(({ path }) => path);

describe('a probe of a panel', () => {
  it('sends /connect and one read, and tells what the panel said beside', async () => {
    const panel = await panelWith({ tls: true, requestsPerMinute: 60 });
    const found = await probePanelAt({ url: panel.url, token: panel.token, ca: panel.ca ?? '' });
    expect(found).toMatchObject({ state: 'ok', connected: true, budget: { limit: 60, remaining: 58 } });
    expect(found.groups).toBeGreaterThan(0);
    expect(found.certificateEnd).toBe(Date.parse('2049-12-31T23:59:59Z'));
    expect(Math.abs(found.skew ?? Number.NaN)).toBeLessThan(1_500);
    expect(pathsOf(panel)).toEqual(['/connect', '/compute/hypervisors/groups?results=1']);
  });

  it('sends nothing more after a 401: ten of them lock the address out', async () => {
    const panel = await panelWith();
    const found = await probePanelAt({ url: panel.url, token: 'another' });
    expect(found).toMatchObject({ state: 'unauthorized', connected: false });
    expect(pathsOf(panel)).toEqual(['/connect']);
  });

  it.each<[string, Fault, object]>([
    [
      'a token that connects and may not read',
      { kind: 'status-before', status: 403, match: { path: '/groups' } },
      { state: 'forbidden', connected: true },
    ],
    [
      'nobody who listens',
      { kind: 'refuse' },
      { state: 'unreachable', why: 'The panel could not be reached: it refused the connection.' },
    ],
    [
      'another certificate',
      { kind: 'wrong-certificate' },
      { state: 'untrusted', why: "The panel's certificate comes from a CA that is not trusted here." },
    ],
  ])('finds %s', async (_what, fault, found) => {
    const panel = await panelWith({ tls: true });
    panel.order(fault);
    expect(await probePanelAt({ ...panel, ca: panel.ca ?? '' })).toMatchObject(found);
  });

  it('sends once where the panel meets an error', async () => {
    const panel = await panelWith();
    panel.order({ kind: 'status-before', status: 500, times: 0 });
    expect(await probePanelAt(panel)).toMatchObject({ state: 'unavailable' });
    expect(pathsOf(panel)).toEqual(['/connect']);
  });

  it('does not wait where the requests are used up', async () => {
    const panel = await panelWith();
    panel.exhaust();
    expect(await probePanelAt(panel)).toMatchObject({ state: 'limited', budget: { limit: 600, remaining: 0 } });
  });

  it.each([
    ['another JSON', { status: 200, body: [] }],
    ['an unknown path', { status: 404, body: { errors: ['no route'] } }],
    ['a redirect', { status: 302, headers: { location: '/login' } }],
  ])('recognizes that %s is not a panel', async (_what, said) => {
    const { url } = await serve(said);
    expect(await probePanelAt({ url, token: 'any' })).toMatchObject({ state: 'not-a-panel' });
  });

  it.each([
    [
      'a proxy without its panel',
      'unavailable',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<p>' },
    ],
    ['maintenance', 'unavailable', { status: 503, body: { msg: 'maintenance' } }],
    ['a lock-out', 'limited', { status: 429, body: { retry_after_seconds: 60 } }],
    ['a token that may not connect', 'forbidden', { status: 403, body: { errors: [] } }],
  ])('recognizes %s', async (_what, state, said) => {
    const { url } = await serve(said);
    expect(await probePanelAt({ url, token: 'any' })).toMatchObject({ state, connected: false });
  });
});
