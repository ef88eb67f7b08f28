import pino, { type DestinationStream, type Logger } from 'pino';

/** How much of the log waits at most while it cannot be written, in characters. */
const maxLength = 1024 ** 2;

/** How many lines of one kind a minute has: of warnings and errors, and of the others. */
const most = { trouble: 20, other: 600 };
/** In ms. */
const window = 60_000;
/** Kinds of which each line counts: the ledger has a digest over them. */
const whole: readonly string[] = ['denied again'];

/**
 * Opens the log on standard error. What cannot be written, as on a full disk, waits for the next line; beyond
 * `maxLength` it is lost. Trouble in a loop does not bury the rest: of one kind, which is its level and its message, a
 * minute has a few lines, and then the number of those left out.
 */
export function openLog(level: string, stream: DestinationStream = standardError()): Logger {
  const kinds = new Map<string, { of: number; message: string; count: number }>();
  const log = pino(
    {
      level,
      hooks: {
        logMethod(args, write, of) {
          const message = String(args.at(-1));
          const kind = kinds.get(`${of} ${message}`) ?? { of, message, count: 0 };
          kinds.set(`${of} ${message}`, { ...kind, count: kind.count + 1 });
          if (kind.count < mostOf(kind.of) || whole.includes(message)) write.apply(this, args);
        },
        streamWrite: escaped,
      },
    },
    stream,
  );
  setInterval(() => {
    const left = [...kinds.values()].filter(({ of, count, message }) => count > mostOf(of) && !whole.includes(message));
    kinds.clear();
    for (const { of, message, count } of left)
      log[of >= 50 ? 'error' : of >= 40 ? 'warn' : 'info']({}, `${count - mostOf(of)} more like it: ${message}`);
  }, window).unref();
  return log;
}

/** JSON leaves as they are what a terminal may take for an order (C1), and what hides or reorders text. */
const escaped = (line: string): string =>
  line.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (each) =>
    [...Array(each.length).keys()].map((at) => `\\u${each.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

const mostOf = (level: number): number => (level >= 40 ? most.trouble : most.other);

function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, maxLength });
  destination.on('error', () => undefined);
  return destination;
}

/** A terminal that is closed, or a reader that is gone, is no reason to stop. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
