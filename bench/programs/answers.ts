import type { Answer, Typed } from '../protocol.ts';

/** An interaction that was sent. */
interface Sent extends Typed {
  id: string;
  token: string;
  at: number;
  /** Of its first answer. */
  message?: string;
  isPrivate?: boolean;
}

export type Answers = ReturnType<typeof createAnswers>;

/** When each interaction was acknowledged, and when its card said what is expected. Told in batches. */
export function createAnswers(tell: (answers: Answer[]) => void) {
  const byToken = new Map<string, Sent>();
  const byMessage = new Map<string, Sent>();
  let batch: Answer[] = [];

  function note(sent: Sent, what: Answer[1], text?: string): void {
    if (batch.length === 0) setImmediate(flush);
    const ms = performance.now() - sent.at;
    batch.push(text === undefined ? [sent.n, what, ms] : [sent.n, what, ms, text]);
  }
  function flush(): void {
    const all = batch;
    batch = [];
    tell(all);
  }
  /** A card's text; the first that is not under way is the final one. */
  function shows(sent: Sent, text: string): void {
    const { expects } = sent;
    if (expects === undefined || text.includes('WORKING')) return;
    delete sent.expects;
    note(sent, text.includes(expects) ? 'final' : 'wrong', text.includes(expects) ? undefined : text.slice(0, 600));
  }

  return {
    begin(typed: Typed & { id: string; token: string }): void {
      byToken.set(typed.token, { ...typed, at: performance.now() });
    },
    /** The first answer, which shows nothing yet without a text; undefined if there was one already. */
    first(token: string, message: string, text: string | undefined, isPrivate: boolean): Sent | undefined {
      const sent = byToken.get(token);
      if (sent === undefined || sent.message !== undefined) return undefined;
      Object.assign(sent, { message, isPrivate });
      byMessage.set(message, sent);
      note(sent, 'acknowledged');
      if (text !== undefined) shows(sent, text);
      return sent;
    },
    /** The first answer's message. */
    messageOf: (token: string): string | undefined => byToken.get(token)?.message,
    /** An edit by token or by message. Returns what it answers. */
    edited(where: { token: string } | { message: string }, text: string): Pick<Sent, 'message' | 'isPrivate'> {
      const sent = 'token' in where ? byToken.get(where.token) : byMessage.get(where.message);
      if (sent !== undefined) shows(sent, text);
      return sent ?? {};
    },
  };
}
