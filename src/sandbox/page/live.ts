import type { ServerResponse } from 'node:http';

/** In ms: between two events of one connection, and between two signs of life. */
export interface Pace {
  events: number;
  heartbeat: number;
}

/** What one connection is sent: the event's name, and its whole data as it is now. */
export type Shown = readonly [event: string, data: () => unknown];

export interface Live {
  /** Keeps this response open, and sends what there is now and after each change. */
  connect(raw: ServerResponse, shown: readonly Shown[]): void;
  /** Whether somebody is sent this event. */
  isWatched(event: string): boolean;
  /** Something may be different: whoever is connected is sent what is. */
  changed(): void;
  close(): void;
}

/** The connections of open pages (server-sent events). Data goes out whole, so that no page can miss a part of it. */
export function createLive(pace: Pace): Live {
  const streams = new Set<ReturnType<typeof openStream>>();
  return {
    connect(raw, shown) {
      const stream = openStream(raw, shown, pace);
      streams.add(stream);
      raw.once('close', () => {
        stream.end();
        streams.delete(stream);
      });
    },
    isWatched: (event) => [...streams].some(({ events }) => events.includes(event)),
    changed() {
      for (const stream of streams) stream.changed();
    },
    close() {
      for (const stream of streams) stream.end();
    },
  };
}

function openStream(raw: ServerResponse, shown: readonly Shown[], pace: Pace) {
  const sent = new Map<string, string>();
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    // A page that does not keep up gets the newest state when it has read the one before.
    if (raw.writableNeedDrain) return;
    sentAt = performance.now();
    for (const [event, data] of shown) {
      const text = JSON.stringify(data());
      if (sent.get(event) === text) continue;
      sent.set(event, text);
      raw.write(`event: ${event}\ndata: ${text}\n\n`);
    }
  };
  const changed = (): void => {
    if (raw.destroyed || raw.writableEnded) return;
    timer ??= setTimeout(send, Math.max(0, sentAt + pace.events - performance.now()));
  };
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), pace.heartbeat);

  raw.on('drain', changed);
  raw.on('error', () => raw.destroy());
  raw.write('retry: 500\n\n');
  send();
  return {
    events: shown.map(([event]) => event),
    changed,
    end() {
      clearTimeout(timer);
      clearInterval(heartbeat);
      raw.end();
    },
  };
}
