import type { Answer } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';

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

export interface PanelJudgement {
  state: PanelState;
  /** The cause and the next step, in whole sentences; left out when the state is ok. */
  words?: string;
}

type Trouble = Exclude<PanelState, 'ok'>;

const next: Readonly<Record<Trouble, string>> = {
  unauthorized: 'Create a new token in the panel, and replace the old one in PANEL_TOKEN or PANEL_TOKEN_FILE.',
  forbidden: 'In the panel, give this token the permissions of the commands that the policy allows.',
  unreachable: 'Check PANEL_URL, and the name service and firewalls between the bot and the panel.',
  untrusted:
    "If the panel uses a private CA, name that CA's file in PANEL_CA_FILE. Otherwise check the certificate's names and end date, and who answers in the panel's place.",
  'not-a-panel':
    'Check PANEL_URL: it is the address that the panel opens at in a browser. If it is right, a proxy or firewall in front of the panel answers instead.',
  limited: 'Find out what else uses this token or this address. /panel check tries again.',
  unavailable: 'Look at the panel itself. /panel check tries again.',
};

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
export function troubleOf({ reason, status = 0 }: { reason: Reason; status?: number }): Trouble {
  if (status >= 500) return 'unavailable';
  // Whoever says so, the panel or a proxy before it.
  if (reason === 'not-the-panel' && status === 401) return 'unauthorized';
  if (reason === 'not-the-panel' && status === 403) return 'forbidden';
  return states[reason] ?? 'unavailable';
}

/** Judges the panel by its answer to endpoint 1, a JSON object. Anything else does not come from a panel. */
export function judgePanel(answer: Answer<unknown>): PanelJudgement {
  if (answer.kind === 'yes') return { state: 'ok' };
  const { reason, status = 0 } = { status: 0, ...answer };
  const state = troubleOf({ reason, status });
  return { state, words: `${causeOf(state, reason, status)} ${next[state]}` };
}

/** The sentences of two states differ from those in `reasons`, which speak of a server. */
function causeOf(state: Trouble, reason: Reason, status: number): string {
  const statusText = status === 0 ? '' : ` (${status})`;
  if (state === 'not-a-panel') return `What answers at PANEL_URL is not the panel's API${statusText}.`;
  return state === 'unavailable' ? `The panel answers, but cannot serve${statusText}.` : reasons[reason].why;
}

/** The judgement if no answer came in time. */
export const unresponsivePanel = (seconds: number): PanelJudgement => ({
  state: 'unreachable',
  words: `The panel has not answered within ${seconds} seconds. ${next.unreachable}`,
});
