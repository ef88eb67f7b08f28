import type { Behind, Sent, View } from '../protocol.ts';

export interface Live {
  view(view: View): void;
  behind(behind: Behind): void;
  connected(is: boolean): void;
  /** The server does not know this person, but that one. */
  refused(somebody: string): void;
}

/** The delay before reconnecting: doubles each time, up to the maximum. */
const retryMs = { first: 500, most: 5000 };

/** The close code for an unknown person. */
const nobody = 4400;

/** Receives this person's state until `close`. Reconnects after a loss: each message carries the whole state. */
export function connect(as: string, behind: boolean, live: Live): { close(): void } {
  const address = `ws://${location.host}/events?as=${encodeURIComponent(as)}${behind ? '&behind=1' : ''}`;
  const newest = new Map<string, string>();
  let socket: WebSocket;
  let wait = retryMs.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const show = oncePerFrame(() => {
    // The server is part of this project and shares these types.
    const all = [...newest.values()].map((text) => JSON.parse(text) as Sent);
    newest.clear();
    if (closed) return;
    for (const sent of all) {
      if (sent.event === 'view') live.view(sent.data);
      else live.behind(sent.data);
    }
  });
  const open = (): void => {
    socket = new WebSocket(address);
    socket.addEventListener('message', ({ data }) => {
      if (closed) return;
      wait = retryMs.first;
      live.connected(true);
      // Parsing a message is expensive, and in a burst most are outdated. The beginning of each says which earlier one
      // it replaces.
      newest.set(String(data).slice(0, '{"event":"behind"'.length), String(data));
      show();
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (closed) return;
      live.connected(false);
      if (code === nobody) live.refused(reason);
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, retryMs.most);
    });
  };
  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      // Browsers log an error for a socket that is closed before it is open.
      if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close());
      else socket.close();
    },
  };
}

/** A hidden window has no animation frames. This timer keeps its title from going stale. */
const hiddenMs = 1000;

/** Runs this with the next frame, once, however often it was requested. */
function oncePerFrame(draw: () => void): () => void {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    draw();
  };
  return () => {
    if (frame !== undefined) return;
    frame = requestAnimationFrame(now);
    timer = setTimeout(now, hiddenMs);
  };
}
