import type { Behind, View } from '../protocol.ts';

/** What one live connection tells. */
export interface Live {
  view(view: View): void;
  behind(behind: Behind): void;
  connected(is: boolean): void;
  /** The server does not know this person. */
  refused(): void;
}

/** The server sends a comment every 15 s, which nobody sees; a browser tells a cut at once, so only its own retries are too patient. */
const retryMs = 1000;

/** Listens as this person until `close`. What was lost is asked for again: each event is the whole state. */
export function connect(as: string, behind: boolean, live: Live): { close(): void } {
  const address = `/events?as=${encodeURIComponent(as)}${behind ? '&behind=1' : ''}`;
  let source: EventSource;
  let opened = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      opened = true;
      live.connected(true);
    });
    // The server is ours, and the types are shared with it.
    source.addEventListener('view', (event) => live.view(JSON.parse(event.data) as View));
    source.addEventListener('behind', (event) => live.behind(JSON.parse(event.data) as Behind));
    source.addEventListener('error', () => {
      live.connected(false);
      // A browser gives up for good where it was answered something else; it is asked again by hand.
      if (source.readyState !== EventSource.CLOSED) return;
      if (!opened) live.refused();
      clearTimeout(timer);
      timer = setTimeout(open, retryMs);
    });
  };
  open();
  return {
    close() {
      clearTimeout(timer);
      source.close();
    },
  };
}
