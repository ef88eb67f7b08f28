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

export type ToDiscord = { typed: Typed[] } | { ask: 'trail' };
export type FromDiscord = { ready: { url: string } } | { answers: Answer[] } | { trail: Trail };
/** How many messages the audit channel has. */
export interface Trail {
  messages: number;
}

export type FromPanel = { ready: { url: string } } | { looks: Look[] };
export type ToPanel = { ask: 'looks' };
/** A look at a job: when, in ms, and at which. */
export type Look = [at: number, job: number];

export const guild = '1100000000000000001';
export const application = '1000000000000000001';
export const channels = { ops: '1300000000000000001', audit: '1300000000000000002' };
export const lead = '1200000000000000003';
export const tokens = {
  discord: 'MTAwMDAwMDAwMDAwMDAwMDAwMQ.bench0.not-a-real-token-of-anybody00',
  panel: 'bench-panel-token',
};

export const personId = (n: number): string => String(1_400_000_000_000_000_000n + BigInt(n));
