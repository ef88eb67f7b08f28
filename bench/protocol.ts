/** What the load generator and the two fakes say to each other over IPC. */

/** An interaction, in short; the fake Discord makes the payload of it. */
export interface Typed {
  n: number;
  /** A command, or a keystroke in its last option. */
  kind: 'command' | 'keystroke';
  /** As `power boot`. */
  command: string;
  options: Readonly<Record<string, string>>;
  /** Number of the person. */
  person: number;
  /** What the final card says; left out: the first answer is the last. */
  expects?: string;
}

/** Milliseconds after the interaction was sent. `wrong`: the final card said something else. */
export type Answer = [n: number, what: 'acknowledged' | 'final' | 'wrong', ms: number, text?: string];

export interface ToDiscord {
  typed: Typed[];
}
export type FromDiscord = { ready: { url: string } } | { answers: Answer[] };

export interface FromPanel {
  ready: { url: string };
}

/** How often each job is looked at in the bench, in ms. */
export const interval = 5_000;
/** The panel takes what is changed of this server, and never answers. */
export const silentServer = 1_001;

/** What came of following for a while: how late each look was, in ms; how many there were; the ms of a processor; what the log complained of. */
export interface Followed {
  lags: number[];
  looks: number;
  cpu: number;
  troubles: string[];
}

export const guild = '1100000000000000001';
export const application = '1000000000000000001';
export const channels = { ops: '1300000000000000001', audit: '1300000000000000002' };
export const lead = '1200000000000000003';
export const tokens = {
  discord: 'MTAwMDAwMDAwMDAwMDAwMDAwMQ.bench0.not-a-real-token-of-anybody00',
  panel: 'bench-panel-token',
};

export const personId = (n: number): string => String(1_400_000_000_000_000_000n + BigInt(n));
