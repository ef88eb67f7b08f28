import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { InventoryTools, ListRefreshed } from '../command.ts';
import type { ListState } from '../health/vitals.ts';
import type { Actor, Log } from '../outcome.ts';
import type { PanelFields } from '../policy/source.ts';
import { regularly } from '../waits.ts';
import { inSlices, jsonOf, type Steps } from '../walk.ts';
import { type Listed, nextList, type Odd, type ServerList } from './list.ts';
import { type ReadPanel, Unreadable, walkServers } from './panel.ts';

/** The list in force. */
export interface ListInForce {
  list(): ServerList | undefined;
  /** Prepares a list, while others go on, and puts it in force. */
  take(list: ServerList): Promise<void>;
}

/** Where the last good list is, so that a start without the panel knows the same names. */
export interface ListStore {
  read(): Promise<string | undefined>;
  /** In pieces: a long text that is put together holds up everybody. */
  write(pieces: readonly string[]): Promise<void>;
}

export interface RefreshParts {
  inForce: ListInForce;
  store: ListStore;
  read: ReadPanel;
  /** How the panel lists its servers; undefined: the policy does not take them from there. */
  fields(): PanelFields | undefined;
  /** Whether it is certain that no other process acts. */
  isHeld(): boolean;
  /** Tells the trail. */
  record(difference: readonly string[]): void;
  now(): number;
  /** How often, in ms. */
  every: number;
  log: Log;
}

/** `accept`: the digest of a list that is taken on as it is; `as`: who says so, for the trail. */
interface Accepting {
  accept: string;
  as: string;
}

export interface Refresh extends InventoryTools {
  /** Reads the list of the panel. */
  now(accepting?: Accepting): Promise<ListRefreshed>;
  /** The list that the bot has, and why the last one was not taken; undefined: the policy wants none. */
  state(): ListState | undefined;
  /** What people should know: that a list waits for their word, or is old. */
  troubles(): readonly string[];
  close(): Promise<void>;
}

/** Knows the last good list at once, and refreshes it from time to time. */
export async function openRefresh(parts: RefreshParts): Promise<Refresh> {
  const { inForce, store, log, every, isHeld } = parts;
  const known = await stored(store, log);
  if (known !== undefined) await inForce.take(known);
  let odd: Odd | undefined;
  let failure: string | undefined;
  let closed = false;
  let writing: Promise<unknown> = Promise.resolve();

  /** A walk ends with the bot. */
  const read: ReadPanel = async (...ask) => {
    if (closed) throw new Unreadable('The bot stops.');
    return await parts.read(...ask);
  };

  /** It is said once, however often it is read. */
  function waits(found: Odd): ListRefreshed {
    log.warn(found, 'the list of servers waits until somebody accepts it');
    if (odd?.digest !== found.digest) parts.record([`${found.digest} waits: ${found.words}`]);
    odd = found;
    return { kind: 'odd', ...found, since: inForce.list()?.at };
  }

  async function refresh(accepting?: Accepting): Promise<ListRefreshed> {
    const fields = parts.fields();
    if (closed || fields === undefined || !isHeld()) return { kind: 'off' };
    const servers = await walkServers(read, fields, inForce.list()?.servers);
    const came = await inSlices(nextList(inForce.list(), { servers, at: parts.now() }, accepting?.accept));
    if (closed || !isHeld()) return { kind: 'off' };
    if (JSON.stringify(parts.fields()) !== JSON.stringify(fields))
      throw new Unreadable('The policy changed while it was read.');
    failure = undefined;
    if ('odd' in came) return waits(came.odd);
    odd = undefined;
    const { list } = came;
    const difference = accepting?.accept === list.digest ? [accepting.as, ...came.difference] : came.difference;
    await inForce.take(list);
    if (!isHeld()) return { kind: 'off' };
    if (difference.length > 0) parts.record(difference);
    writing = keep(list, store, log);
    await writing;
    log.info({ servers: servers.length, digest: list.digest, difference }, 'the list of servers is fresh');
    const changed = list.servers.filter(({ was, gone }) => was !== undefined && gone === undefined).length;
    return { kind: 'taken', servers: servers.length, difference, changed, digest: list.digest };
  }

  function failed(error: unknown): ListRefreshed {
    if (closed) return { kind: 'off' };
    const isKnown = error instanceof Unreadable;
    failure = isKnown ? error.message : 'It could not be used; the log says why.';
    if (isKnown) log.warn({ problem: failure }, 'the list of servers stays as it is');
    else log.error({ problem: String(error) }, 'the list of servers: a bug');
    return { kind: 'failed', words: failure, since: inForce.list()?.at };
  }

  const { now, end } = regularly<Accepting, ListRefreshed>(every, (accepting) => refresh(accepting).catch(failed));

  return {
    now,
    refresh: (actor, accepting) => now(accepting && { accept: accepting.accept, as: acceptance(actor, accepting) }),
    state: () => parts.fields() && stateOf(inForce.list(), odd, failure),
    troubles: () => (parts.fields() === undefined ? [] : troublesOf(odd, failure, inForce.list()?.at)),
    async close() {
      closed = true;
      void end();
      await writing;
    },
  };
}

function stateOf(list: ServerList | undefined, odd: Odd | undefined, failure: string | undefined): ListState {
  const servers = list?.servers.filter(({ gone }) => gone === undefined).length ?? 0;
  return { servers, at: list?.at, refused: odd !== undefined ? 'odd' : failure !== undefined ? 'failed' : undefined };
}

function troublesOf(odd: Odd | undefined, failure: string | undefined, at: number | undefined): string[] {
  const names = at === undefined ? 'No names are known.' : `The names are of ${new Date(at).toISOString()}.`;
  return [
    ...(odd === undefined
      ? []
      : [
          `The panel's list of servers waits: ${odd.words}. If that is right, type /panel refresh accept:${odd.digest} with a reason.`,
        ]),
    ...(failure === undefined ? [] : [`The panel's list of servers: ${failure} ${names}`]),
  ];
}

const acceptance = ({ id, name }: Actor, { accept, why }: { accept: string; why: string }): string =>
  `${accept} accepted by ${name} (${id}): ${why}`;

async function keep(list: ServerList, store: ListStore, log: Log): Promise<void> {
  try {
    await store.write(await inSlices(linesOf(list)));
  } catch (error) {
    log.warn({ problem: String(error) }, 'cannot store the list of servers');
  }
}

/** What cannot be read is as if it were not there: then servers have no names until the panel answers. */
async function stored(store: ListStore, log: Log): Promise<ServerList | undefined> {
  try {
    const text = await store.read();
    return text === undefined ? undefined : await inSlices(listIn(text));
  } catch (error) {
    log.warn({ problem: error instanceof Error ? error.name : 'unknown' }, 'the stored list of servers cannot be read');
    return undefined;
  }
}

/** The first line of a stored list. `sum`: of the others, which are as the bot wrote them, or not read at all. */
const head = z.object({
  form: z.literal(1),
  at: z.number(),
  digest: z.string(),
  accepted: z.number(),
  sum: z.string(),
});

/** A line about the list, then lines of servers, each behind a line break. */
export function* linesOf({ servers, ...about }: ServerList): Steps<string[]> {
  const hash = createHash('sha256');
  const lines: string[] = [];
  yield* jsonOf(servers, (text) => {
    hash.update(text);
    lines.push(`\n${text}`);
  });
  return [JSON.stringify({ form: 1, ...about, sum: hash.digest('hex') }), ...lines];
}

/** Throws where it is anything else than what `linesOf` made. */
function* listIn(text: string): Steps<ServerList> {
  const [first = '', ...lines] = text.split('\n');
  const { sum, form: _, ...about } = head.parse(JSON.parse(first));
  const hash = createHash('sha256');
  const servers: Listed[] = [];
  for (const line of lines) {
    hash.update(line);
    // The sum will say that the bot wrote it, and the form that it wrote this.
    servers.push(...(JSON.parse(line) as Listed[]));
    yield;
  }
  if (hash.digest('hex') !== sum) throw new Error('it is not as it was written');
  return { ...about, servers };
}
