import type { WebSocket } from 'ws';
import type { Sent } from './protocol.ts';

/** In ms: between two events of one connection, and between two signs of life. */
export interface Pace {
  events: number;
  heartbeat: number;
}

/** What one connection is sent: the event's name, and its whole data as it is now. */
type Shown = readonly [event: Sent['event'], data: () => Sent['data']];

export interface Live {
  /** Sends what there is now and after each change, until the socket closes. */
  connect(socket: WebSocket, shown: readonly Shown[]): void;
  /** Whether somebody is sent this event. */
  isWatched(event: Sent['event']): boolean;
  /** Something may be different: whoever is connected is sent what is. */
  changed(): void;
  close(): void;
}

/**
 * The connections of open pages. WebSockets, because a browser has few connections to a host for anything else. Data goes out
 * whole, so that no page can miss a part of it.
 */
export function createLive(pace: Pace): Live {
  const streams = new Set<ReturnType<typeof openStream>>();
  let closed = false;
  return {
    connect(socket, shown) {
      // A page that comes back while the server ends would keep it from ending.
      if (closed) return socket.terminate();
      const stream = openStream(socket, shown, pace);
      streams.add(stream);
      socket.once('close', () => {
        stream.end();
        streams.delete(stream);
      });
    },
    isWatched: (event) => [...streams].some(({ events }) => events.includes(event)),
    changed() {
      for (const stream of streams) stream.changed();
    },
    close() {
      closed = true;
      for (const stream of streams) stream.end();
    },
  };
}

function openStream(socket: WebSocket, shown: readonly Shown[], pace: Pace) {
  const sent = new Map<string, string>();
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let underWay = false;
  let missed = false;

  const send = (): void => {
    timer = undefined;
    // A page that does not keep up gets the newest state when it has read the one before: otherwise megabytes of old ones wait
    // in the buffers between.
    missed = underWay;
    if (missed) return;
    sentAt = performance.now();
    for (const [event, data] of shown) {
      const text = JSON.stringify({ event, data: data() });
      if (sent.get(event) === text) continue;
      sent.set(event, text);
      underWay = true;
      socket.send(text);
    }
    // A pong comes when all before it was read.
    if (underWay) socket.ping();
  };
  const changed = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    timer ??= setTimeout(send, Math.max(0, sentAt + pace.events - performance.now()));
  };
  const heartbeat = setInterval(() => socket.ping(), pace.heartbeat);

  socket.on('pong', () => {
    underWay = false;
    if (missed) changed();
  });
  socket.on('error', () => socket.terminate());
  send();
  return {
    events: shown.map(([event]) => event),
    changed,
    end() {
      clearTimeout(timer);
      clearInterval(heartbeat);
      socket.terminate();
    },
  };
}
