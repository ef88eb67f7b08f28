import { createInterface } from 'node:readline';
import { makeFeed } from './console/feed.ts';
import { readLine } from './console/line.ts';
import { type Pace, perform } from './console/perform.ts';
import { placesOf } from './console/places.ts';
import { makeWatch } from './console/watch.ts';
import { greeting, harmless } from './console/words.ts';
import type { SandboxDiscord } from './discord/index.ts';

export type { Pace } from './console/perform.ts';

const PACE: Pace = { button: 5000, answer: 5000, quiet: 100 };

/** Executes one line after the other on the sandbox's Discord and prints what is new, also later. */
export function startConsole(
  discord: SandboxDiscord,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  pace: Pace = PACE,
): { close(): void } {
  const closed = new AbortController();
  const print = (block: string) => {
    if (!closed.signal.aborted) output.write(`${harmless(block)}\n\n`);
  };
  const watch = makeWatch((listener) => discord.changed(listener), closed.signal);
  const feed = makeFeed(discord, print);

  let busy = false;
  let later: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(later);
    later = undefined;
    if (!busy) feed.flush();
  };
  const stop = discord.changed(() => {
    later ??= setTimeout(flush, pace.quiet);
  });

  const take = async (text: string) => {
    if (closed.signal.aborted) return;
    // Echo lines from a pipe; typed ones are already on the screen.
    if (!('isTTY' in input && input.isTTY) && text.trim() !== '') print(`> ${text.trim()}`);
    busy = true;
    try {
      const places = placesOf(discord).map(({ name }) => name);
      const line = readLine(text, Object.keys(discord.people), places);
      await perform(line, { discord, feed, watch, pace, print });
    } catch (error) {
      print(error instanceof Error ? error.message : String(error));
    }
    busy = false;
    if (!closed.signal.aborted) flush();
  };

  print(greeting(discord));
  const lines = createInterface({ input, terminal: false });
  // A terminal that is closed cannot be read, and sends SIGHUP, which ends the bot in order.
  lines.on('error', () => undefined);
  let queue = Promise.resolve();
  lines.on('line', (text) => {
    queue = queue.then(() => take(text));
  });

  return {
    close() {
      closed.abort();
      clearTimeout(later);
      stop();
      lines.close();
    },
  };
}
