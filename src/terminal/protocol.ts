import { z } from 'zod';
import { jsonIn } from '../json.ts';

/** What client and bot say to each other over the socket: a JSON object a line. */

/** What somebody wants, once they are known. */
const ask = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('do'),
    line: z.string().max(4000),
    reason: z.string().max(1000).exactOptional(),
    dryRun: z.literal(true).exactOptional(),
  }),
  z.object({ what: z.literal('status') }),
  z.object({ what: z.enum(['approve', 'cancel']), run: z.string().max(40) }),
]);
export type Ask = z.infer<typeof ask>;

export const fromClient = z.discriminatedUnion('kind', [
  /** The nonce is in its file. `sudo`: who used sudo, as the client says. `isTerminal`: somebody reads and types there. */
  z.object({ kind: z.literal('here'), ask, isTerminal: z.boolean(), sudo: z.string().max(64).exactOptional() }),
  z.object({ kind: z.literal('press'), button: z.string().max(100) }),
  z.object({ kind: z.literal('fill'), form: z.string().max(100), text: z.string().max(1000) }),
]);
export type FromClient = z.infer<typeof fromClient>;

const button = z.object({ label: z.string(), id: z.string() });

export const fromBot = z.discriminatedUnion('kind', [
  /** Write the nonce into that file, which is yours alone. Nothing else is written for whoever listens at a socket. */
  z.object({
    kind: z.literal('prove'),
    nonce: z.string().regex(/^[0-9a-f]{64}$/),
    file: z.string().regex(/^(?:\/[\w.-]+)+\/panelops-[0-9a-f]{32}$/),
  }),
  /** `code`: how it ended; left out: it has not, or the text is beside a card that goes on. */
  z.object({
    kind: z.literal('card'),
    state: z.string(),
    text: z.string(),
    buttons: z.array(button),
    code: z.int().exactOptional(),
  }),
  /** One line of text is asked for. */
  z.object({ kind: z.literal('form'), id: z.string(), title: z.string(), label: z.string() }),
]);
export type FromBot = z.infer<typeof fromBot>;

/** How the client ends. docs/shell.md has the table. */
export const codes = { done: 0, failed: 1, nothing: 2, unknown: 3, unreachable: 69, notYou: 77, usage: 78 } as const;

/** The longest line that either side takes, in bytes. */
const longest = { client: 16_384, bot: 4_194_304 };

/** Hands over each whole line that is valid. `broken` is called once, where one is none, or never ends. */
export function readLines<T>(
  socket: NodeJS.ReadableStream,
  schema: z.ZodType<T>,
  from: keyof typeof longest,
  take: (message: T) => void,
  broken: () => void,
): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = schema.safeParse(jsonIn(line));
      if (!message.success) return broken();
      take(message.data);
    }
    if (rest.length > longest[from]) broken();
  });
}

export const written = (message: FromBot | FromClient): string => `${JSON.stringify(message)}\n`;
