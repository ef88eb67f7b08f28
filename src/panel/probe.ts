import type { Answer } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import type { Caller } from './budget.ts';
import { createPanel, type Panel, type PanelOptions } from './client.ts';
import type { PanelFacts } from './facts.ts';
import { type PanelState, troubleOf } from './state.ts';

export interface PanelFound extends PanelFacts {
  state: PanelState;
  /** Whether /connect succeeded, which needs no permission. */
  connected: boolean;
  /** How many hypervisor groups the panel lists. Missing if that read failed. */
  groups?: number;
  /** Why the state is not ok: one sentence for people. */
  why?: string;
}

type Failed = Exclude<Answer<never>, { kind: 'yes' }>;

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
