import { randomBytes } from 'node:crypto';
import type { Dispatch } from './world.ts';

/** How long a lost connection can be resumed, and how many events are kept for it. */
const RESUME_MS = 5 * 60_000;
const KEPT_EVENTS = 1000;

interface Packet {
  op: 0;
  t: string;
  s: number;
  d: unknown;
}

/** The events sent to one bot connection; it outlives the connection, so that it can be resumed. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  seq: number;
  readonly sent: Packet[];
  send: ((packet: Packet) => void) | undefined;
  lostAt: number;
}

export interface Sessions {
  readonly open: (intents: number, send: (packet: Packet) => void) => Session;
  readonly send: (session: Session, t: string, d: unknown) => void;
  /** Sends an event to every session that asked for it. False if there are no sessions. */
  readonly dispatch: (event: Dispatch) => boolean;
  /** Finds a session that can resume after `seq`. */
  readonly resumable: (id: string, seq: number) => Session | undefined;
  readonly lose: (session: Session) => void;
  readonly online: () => boolean;
  readonly end: (session: Session) => void;
  readonly endAll: () => void;
}

/** The gateway sessions of all connections. Several with one token each get every event. */
export function makeSessions(now: () => number): Sessions {
  const sessions = new Map<string, Session>();

  const send = (session: Session, t: string, d: unknown): void => {
    session.seq += 1;
    const packet: Packet = { op: 0, t, s: session.seq, d };
    session.sent.push(packet);
    if (session.sent.length > KEPT_EVENTS) session.sent.shift();
    session.send?.(packet);
  };

  const forgetOld = (): void => {
    for (const session of sessions.values()) {
      if (!session.send && now() - session.lostAt > RESUME_MS) sessions.delete(session.id);
    }
  };

  return {
    send,
    open(intents, send) {
      const session: Session = { id: randomBytes(16).toString('hex'), intents, seq: 0, sent: [], send, lostAt: 0 };
      sessions.set(session.id, session);
      return session;
    },
    dispatch({ t, intent, data }) {
      forgetOld();
      for (const session of sessions.values()) {
        if (intent === 0 || (session.intents & intent) !== 0) send(session, t, structuredClone(data(session.intents)));
      }
      return sessions.size > 0;
    },
    resumable(id, seq) {
      forgetOld();
      const session = sessions.get(id);
      const oldest = session?.sent[0]?.s ?? 1;
      return session && seq >= oldest - 1 ? session : undefined;
    },
    lose(session) {
      session.send = undefined;
      session.lostAt = now();
    },
    online: () => [...sessions.values()].some((session) => session.send !== undefined),
    end: (session) => void sessions.delete(session.id),
    endAll: () => sessions.clear(),
  };
}
