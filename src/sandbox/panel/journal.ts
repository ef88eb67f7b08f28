/** A request as received, and how it ended. */
export interface RecordedRequest {
  at: Date;
  method: string;
  /** Below /api/v1, with the query. */
  path: string;
  /** Parsed if it is JSON, otherwise text. */
  body: unknown;
  /** The status of the answer; undefined while it is open, and if the connection was reset. */
  status: number | undefined;
  /** From receipt to answer or reset. */
  ms: number | undefined;
  /** What it changed, in words; missing: nothing. */
  effect?: string;
}

/** A change that took effect. */
export interface Effect {
  at: Date;
  serverId: number;
  what: string;
  method: string;
  path: string;
  body: unknown;
}

/** Records requests and effects, and lets callers wait for either. */
export interface Journal {
  requests: RecordedRequest[];
  effects: Effect[];
  /** Notifies all listeners. */
  notify(): void;
  /** Calls `listener` at every request received or answered and at every effect. Returns a function that stops it. */
  changed(listener: () => void): () => void;
  /** What `look` returns once it is truthy; looks at every change. Rejects after `ms`, naming the requests. */
  until<T>(look: () => T | undefined | false, ms?: number): Promise<T>;
}

function summary(requests: RecordedRequest[]): string {
  const lines = requests.slice(-10).map(({ method, path, status }) => `${method} ${path} ${status ?? 'unanswered'}`);
  return lines.length === 0 ? 'no request came' : `last requests: ${lines.join('; ')}`;
}

/** Starts empty. */
export function createJournal(): Journal {
  const listeners = new Set<() => void>();
  const requests: RecordedRequest[] = [];
  const changed = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    requests,
    effects: [],
    changed,
    notify() {
      for (const listener of [...listeners]) listener();
    },
    until(look, ms = 30_000) {
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer);
          stop();
        };
        const attempt = () => {
          try {
            const seen = look();
            if (!seen) return;
            end();
            resolve(seen);
          } catch (error) {
            end();
            reject(error);
          }
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`waited ${ms} ms in vain for ${look}; ${summary(requests)}`));
        }, ms);
        const stop = changed(attempt);
        attempt();
      });
    },
  };
}
