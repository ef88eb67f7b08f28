import type { WebSocket } from 'ws';
import type { Sent } from './protocol.ts';

/** In ms: between two events of one connection, and between two pings. */
export interface Pace {
  events: number;
  heartbeat: number;
}

/** An event of a connection: its name, and its current data. */
type Shown = readonly [event: Sent['event'], data: () => Sent['data']];

export interface Live {
  /** Sends the current data, and again after each change, until the socket closes. */
  connect(socket: WebSocket, shown: readonly Shown[]): void;
  isWatched(event: Sent['event']): boolean;
  /** Call after a change: sends every connection its current data. */
  changed(): void;
  close(): void;
}

/** The connections of open pages: WebSockets, because browsers allow few HTTP ones. Data is sent whole. */
export function createLive(pace: Pace): Live {
  const streams = new Set<ReturnType<typeof openStream>>();
  let closed = false;
  return {
    connect(socket, shown) {
      // A page that reconnects during shutdown would block it.
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
    // A slow page gets only the newest state once it has read the previous one; otherwise megabytes of old states
    // pile up in the buffers.
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
    // The pong arrives after everything before it was read.
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
