import type { Behind, Sent, View } from '../protocol.ts';
import { onceAFrame } from './frame.ts';

/** What one live connection tells. */
export interface Live {
  view(view: View): void;
  behind(behind: Behind): void;
  connected(is: boolean): void;
  /** The server does not know this person. */
  refused(): void;
}

/** How long to wait before coming back: twice as long each time, up to the most. */
const retryMs = { first: 500, most: 5000 };

/** With this the server closes where it knows nobody of that name. */
const nobody = 4400;

/** Listens as this person until `close`. What was lost is asked for again: each message is the whole state. */
export function connect(as: string, behind: boolean, live: Live): { close(): void } {
  const address = `ws://${location.host}/events?as=${encodeURIComponent(as)}${behind ? '&behind=1' : ''}`;
  const newest = new Map<string, string>();
  let socket: WebSocket;
  let wait = retryMs.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const show = onceAFrame(() => {
    // The server is ours, and the types are shared with it.
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
      // Reading all of it is dear, and in a burst most of it is old by then: its beginning says what it replaces.
      newest.set(String(data).slice(0, '{"event":"behind"'.length), String(data));
      show();
    });
    socket.addEventListener('close', ({ code }) => {
      if (closed) return;
      live.connected(false);
      if (code === nobody) live.refused();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, retryMs.most);
    });
  };
  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      // A browser complains about one that is closed before it is open.
      if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close());
      else socket.close();
    },
  };
}
