import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { HEADERS, refusalOfUpgrade } from './guard.ts';

/** Accepts upgrades of `/events` from the page itself, and calls `connect` with each socket and its query. */
export function openEvents(server: Server, connect: (socket: WebSocket, asked: URLSearchParams) => void): void {
  const sockets = new WebSocketServer({
    noServer: true,
    path: '/events',
    clientTracking: false,
    // Pages only listen.
    maxPayload: 1024,
    verifyClient({ req }, answer) {
      const refused = refusalOfUpgrade(req);
      if (refused === undefined) return answer(true);
      const headers = { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' };
      answer(false, refused.status, JSON.stringify({ problem: refused.problem }), headers);
    },
  });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) =>
      connect(opened, new URL(request.url ?? '/', 'ws://page').searchParams),
    ),
  );
}
