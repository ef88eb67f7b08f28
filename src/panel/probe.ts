import type { Answer } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import type { Caller } from './budget.ts';
import { createPanel, type Panel, type PanelOptions } from './client.ts';
import type { Seen } from './seen.ts';
import { type PanelState, troubleOf } from './state.ts';

export interface PanelFound extends Seen {
  state: PanelState;
  /** Whether /connect succeeded: it does without any permission. */
  connected: boolean;
  /** How many hypervisor groups the panel lists; left out when that was not read. */
  groups?: number;
  /** Why it is not ok: a sentence of ours. */
  why?: string;
}

type Failed = Exclude<Answer<never>, { kind: 'yes' }>;

/** OpenSSL's codes of a certificate that is not trusted, in words. */
const distrust: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The panel's certificate has expired.",
  CERT_NOT_YET_VALID: "The panel's certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The panel's certificate is for another host name.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The panel's certificate is signed by itself.",
  SELF_SIGNED_CERT_IN_CHAIN: "The panel's certificate comes from a CA that is not trusted here.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The panel's certificate comes from a CA that is not trusted here.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The panel's certificate comes from a CA that is not trusted here.",
};

/** What the panel said to the two reads. `failed`: the answer of the first that was not a yes. */
export interface PanelTold {
  connected: boolean;
  groups?: number;
  failed?: Failed;
}

/** The two reads, with what came beside their answers. */
export function panelFound({ failed, ...told }: PanelTold, seen: Seen): PanelFound {
  return { ...seen, ...told, ...(failed === undefined ? { state: 'ok' } : failedAs(failed, seen)) };
}

/** Asks for /connect, and if that succeeds for the hypervisor groups: /connect says nothing of permissions. */
export async function probePanel(panel: Pick<Panel, 'call' | 'seen'>, caller: Caller): Promise<PanelFound> {
  const connect = understood(await panel.call('connect', {}, caller));
  if (connect.kind !== 'yes') return panelFound({ connected: false, failed: connect }, panel.seen());
  const groups = understood(await panel.call('groups', { results: 1 }, caller));
  if (groups.kind !== 'yes') return panelFound({ connected: true, failed: groups }, panel.seen());
  return panelFound({ connected: true, groups: groups.data.total }, panel.seen());
}

/** For a client that only probes: each request is sent once, in half a second or not at all, and somebody waits. */
export const atOnce = {
  attempts: 1,
  patienceMs: 500,
  timeouts: { connectMs: 3_000, answerMs: 4_000, syncMs: 4_000 },
};

/** The same without a running bot. */
export async function probePanelAt(place: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'now'>): Promise<PanelFound> {
  const panel = createPanel({ ...place, ...atOnce });
  try {
    return await probePanel(panel, { kind: 'person', id: 'check' });
  } finally {
    await panel.close();
  }
}

/** A yes without data that can be read comes from something else than a panel. */
function understood<T>(answer: Answer<T>): { kind: 'yes'; data: T } | Failed {
  if (answer.kind !== 'yes') return answer;
  const { data } = answer;
  return data === undefined ? { kind: 'unknown', reason: 'not-understood' } : { kind: 'yes', data };
}

function failedAs(failed: Failed, { code = '' }: Seen): Pick<PanelFound, 'state' | 'why'> {
  const state = troubleOf(failed);
  return { state, why: (state === 'untrusted' ? distrust[code] : undefined) ?? reasons[failed.reason].why };
}
