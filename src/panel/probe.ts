import type { CallResult } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { Caller } from './budget.ts';
import { createPanel, type Panel, type PanelOptions } from './client.ts';
import type { PanelFacts } from './wire.ts';

/** How the panel answers the bot. In any state but `ok`, neither reads nor changes work. */
export type PanelState =
  | 'ok'
  /** The panel refuses the token. */
  | 'unauthorized'
  /** The panel knows the token, but the token lacks permissions. */
  | 'forbidden'
  | 'unreachable'
  /** The certificate is not trusted. */
  | 'untrusted'
  /** Something else answers at PANEL_URL. */
  | 'not-a-panel'
  /** The token's requests are used up, or the address is locked out for a while. */
  | 'limited'
  /** The panel answers with an error of its own. */
  | 'unavailable';

export interface PanelFound extends PanelFacts {
  state: PanelState;
  /** Whether /connect succeeded, which needs no permission. */
  connected: boolean;
  /** How many hypervisor groups the panel lists. Missing if that read failed. */
  groups?: number;
  /** Why the state is not ok: one sentence for people. */
  why?: string;
}

type Failed = Exclude<CallResult<never>, { kind: 'yes' }>;

/** Sentences for OpenSSL's verification codes. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The panel's certificate has expired.",
  CERT_NOT_YET_VALID: "The panel's certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The panel's certificate is for another host name.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The panel's certificate is signed by itself.",
  SELF_SIGNED_CERT_IN_CHAIN: "The panel's certificate comes from a CA that is not trusted here.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The panel's certificate comes from a CA that is not trusted here.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The panel's certificate comes from a CA that is not trusted here.",
};

/** The results of the two reads. `failed`: the first answer that was not a yes. */
export interface PanelAnswers {
  connected: boolean;
  groups?: number;
  failed?: Failed;
}

/** Combines the two reads with the facts that came beside them. */
export function panelFound({ failed, ...answers }: PanelAnswers, seen: PanelFacts): PanelFound {
  return { ...seen, ...answers, ...(failed === undefined ? { state: 'ok' } : failedAs(failed, seen)) };
}

/** Calls /connect and then lists hypervisor groups, because /connect tests no permissions. */
export async function probePanel(panel: Pick<Panel, 'call' | 'facts'>, caller: Caller): Promise<PanelFound> {
  const connect = await panel.call('connect', {}, caller);
  if (connect.kind !== 'yes') return panelFound({ connected: false, failed: connect }, panel.facts());
  const groups = await panel.call('groups', { results: 1 }, caller);
  if (groups.kind !== 'yes') return panelFound({ connected: true, failed: groups }, panel.facts());
  return panelFound({ connected: true, groups: groups.data.total }, panel.facts());
}

/** Options of a client that only probes: somebody waits, so it sends each request once and waits half a second to send. */
export const atOnce = {
  attempts: 1,
  patienceMs: 500,
  timeouts: { connectMs: 3_000, answerMs: 4_000, syncMs: 4_000 },
};

/** Like `probePanel`, without a running bot. */
export async function probePanelAt(place: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'now'>): Promise<PanelFound> {
  const panel = createPanel({ ...place, ...atOnce });
  try {
    return await probePanel(panel, { kind: 'person', id: 'check' });
  } finally {
    await panel.close();
  }
}

function failedAs(failed: Failed, { code = '' }: PanelFacts): Pick<PanelFound, 'state' | 'why'> {
  const state = troubleOf(failed);
  return { state, why: (state === 'untrusted' ? certificateProblems[code] : undefined) ?? reasons[failed.reason].why };
}

type Trouble = Exclude<PanelState, 'ok'>;

const states: Partial<Record<Reason, Trouble>> = {
  'token-refused': 'unauthorized',
  'circuit-open': 'unauthorized',
  'token-lacks-permission': 'forbidden',
  'connection-refused': 'unreachable',
  'proxy-failed': 'unreachable',
  'name-not-resolved': 'unreachable',
  'connect-timeout': 'unreachable',
  'connection-lost': 'unreachable',
  timeout: 'unreachable',
  certificate: 'untrusted',
  'not-found': 'not-a-panel',
  'not-json': 'not-a-panel',
  'not-understood': 'not-a-panel',
  'answer-too-large': 'not-a-panel',
  redirected: 'not-a-panel',
  'not-the-panel': 'not-a-panel',
  'no-success': 'not-a-panel',
  'refused-before': 'not-a-panel',
  'requests-limited': 'limited',
  'rate-limited': 'limited',
  'authentication-limited': 'limited',
  'read-limit': 'limited',
  'kept-for-confirmed': 'limited',
  'waited-too-long': 'limited',
};

/** The state behind an answer that is not a yes. An HTML page with 5xx comes from a proxy that cannot reach the panel. */
function troubleOf({ reason, status = 0 }: { reason: Reason; status?: number }): Trouble {
  if (status >= 500) return 'unavailable';
  // Whoever says so, the panel or a proxy before it.
  if (reason === 'not-the-panel' && status === 401) return 'unauthorized';
  if (reason === 'not-the-panel' && status === 403) return 'forbidden';
  return states[reason] ?? 'unavailable';
}
