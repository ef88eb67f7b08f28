import { createHash } from 'node:crypto';
import { isServerName } from '../policy/server.ts';
import { jsonOf, type Steps, strides } from '../walk.ts';

/** A server as one walk over the panel's list found it: what is taken of a record that also carries secrets. */
export interface Found {
  id: number;
  name?: string;
  /** Its hypervisor group. */
  group?: number;
  suspended?: true;
  protected?: true;
  /** Where the list has them. */
  ips?: readonly string[];
}

export interface Listed extends Found {
  /** What it was when somebody last accepted that, where it is another by now: its tier of then still holds it. */
  was?: Pick<Found, 'name' | 'group'>;
  /** When it was new, in ms; left out: before the list of a day ago, or before somebody accepted one. */
  since?: number;
  /** The last walk did not find it: it is gone if the next one does not, either. */
  missed?: true;
  /** Since when the panel lists it no more, in ms. */
  gone?: number;
}

/**
 * The servers of the panel as the bot knows them, by their ids. `at`: when it saw them last, in ms; `digest`: of what was found
 * then; `accepted`: since when each is what it was when somebody accepted that, but for `was` and `gone`.
 */
export interface ServerList {
  at: number;
  digest: string;
  accepted: number;
  servers: readonly Listed[];
}

/** A list that is so different that a person must accept it first. */
export interface Odd {
  digest: string;
  /** What is odd: "40 of 100 servers are gone". */
  words: string;
}

/** What a walk makes of the list: another one, with a line for each difference that people should know; or it waits. */
export type Next = { list: ServerList; difference: readonly string[] } | { odd: Odd };

/** Whether it is found as it was, and nothing else is known of it. */
export const isAsBefore = (before: Listed, now: Found): boolean =>
  (before.was ?? before.since ?? before.missed ?? before.gone) === undefined &&
  before.name === now.name &&
  before.group === now.group &&
  before.suspended === now.suspended &&
  before.protected === now.protected &&
  String(before.ips) === String(now.ips);

/** Of what was found, by id. */
export function* digestOf(servers: readonly Found[]): Steps<string> {
  const hash = createHash('sha256');
  yield* jsonOf(servers, (text) => hash.update(text));
  return hash.digest('hex').slice(0, 12);
}

/** The most that may be gone, renamed or moved without somebody's word. */
const share = 1 / 3;

/** Servers that are gone count for a day, so that they are not lost little by little: some go in any panel. */
const day = 86_400_000;

/** How long a server that is gone is still named, in ms: what was left open there is told. */
const kept = 90 * day;

/** A server before and now: at least one of them is there. */
type Pair = { before: Listed; now: undefined } | { before: Listed | undefined; now: Found };

/** Each server of the two lists, which are by id. */
function* pairsOf(list: readonly Listed[], servers: readonly Found[]): Generator<Pair> {
  let at = 0;
  for (const now of servers) {
    let before = list[at];
    for (; before !== undefined && before.id < now.id; before = list[at]) {
      yield { before, now: undefined };
      at += 1;
    }
    if (before?.id === now.id) at += 1;
    else before = undefined;
    yield { before, now };
  }
  for (const before of list.slice(at)) yield { before, now: undefined };
}

/** `servers`: by id. `accepted`: the digest of a list that somebody accepted as it is. */
export function* nextList(
  before: ServerList | undefined,
  { servers, at }: { servers: readonly Found[]; at: number },
  accepted?: string,
): Steps<Next> {
  const digest = yield* digestOf(servers);
  const isAccepted = accepted === digest;
  const isFirst = before === undefined;
  const since = Math.max(before?.accepted ?? 0, at - day);
  // What is new counts as well, but a panel that creates many may not therefore lose more of the others.
  const [all, older] = [changes(), changes()];
  let lost = 0;
  const next: Listed[] = [];
  const lines = [line('+'), line('-'), line('renamed'), line('moved')] as const;
  const moment = { at, since, isAccepted, isFirst };
  yield* strides(pairsOf(before?.servers ?? [], servers), (pair) => {
    const one = nextOf(pair, moment);
    if (one !== undefined) next.push(one);
    if (!isFirst) tell(lines, pair, one);
    if (pair.before === undefined || hasLongGone(pair, since)) return;
    if (pair.now === undefined && pair.before.gone === undefined) lost += 1;
    add(all, pair.before, pair.now);
    if (!isNew(pair.before, since)) add(older, pair.before, pair.now);
  });
  // The servers stay the same objects, so that nothing has to be prepared again.
  if (before?.digest === digest && lost === 0 && !isAccepted) return { list: { ...before, at }, difference: [] };
  const words = oddWords(all) || oddWords(older);
  if (words !== '' && !isAccepted) return { odd: { digest, words } };
  return {
    list: { at, digest, accepted: isFirst || isAccepted ? at : before.accepted, servers: next },
    difference: isFirst ? [`+ ${servers.length} servers`] : lines.flatMap(told),
  };
}

interface Moment {
  at: number;
  since: number;
  isAccepted: boolean;
  isFirst: boolean;
}

/** What the next list has of a server. */
function nextOf({ before, now }: Pair, { at, since, isAccepted, isFirst }: Moment): Listed | undefined {
  if (now === undefined) {
    if (before.gone !== undefined) return at - before.gone < kept ? before : undefined;
    return before.missed || isAccepted ? { ...before, gone: at } : { ...before, missed: true };
  }
  if (isFirst || isAccepted) return now;
  if (before === undefined) return { ...now, since: at };
  // What was accepted of it stays known until the next word, also of one that was away for a while.
  const { name, group } = before.was ?? before;
  const next: Listed = isNew(before, since) ? { ...now, since: before.since } : now;
  return name === now.name && group === now.group ? next : { ...next, was: { name, group } };
}

const hasLongGone = ({ before, now }: Pair, since: number): boolean =>
  now === undefined && before.gone !== undefined && before.gone <= since;

const isNew = (server: Listed, since: number): boolean => server.since !== undefined && server.since > since;

/** How many servers there were, and what became of them. */
const changes = () => ({ all: 0, gone: 0, renamed: 0, moved: 0 });
type Changes = ReturnType<typeof changes>;

function add(to: Changes, before: Listed, now: Found | undefined): void {
  const { name, group } = before.was ?? before;
  to.all += 1;
  if (now === undefined) to.gone += 1;
  else if (now.name !== name) to.renamed += 1;
  if (now !== undefined && now.group !== group) to.moved += 1;
}

const oddWords = ({ all, gone, renamed, moved }: Changes): string =>
  Object.entries({ 'are gone': gone, 'are renamed': renamed, 'are in another group': moved })
    .filter(([, those]) => those > all * share)
    .map(([what, those]) => `${those} of ${all} servers ${what}`)
    .join(', ');

/** As long as a name that can be typed; in quotes where it is none, so that it passes for no more than one name. */
const short = (name: string): string =>
  isServerName(name) ? name : JSON.stringify(name.length > 63 ? `${name.slice(0, 62)}…` : name);

const labelOf = ({ id, name }: Found): string => (name === undefined ? `server ${id}` : `${short(name)} (${id})`);

/** The most servers that the trail names of one refresh. */
const mostNamed = 10;

/** "+ 2: web-9 (301), web-10 (302)" */
const line = (what: string) => ({ what, count: 0, labels: [] as string[] });
type Line = ReturnType<typeof line>;

function say(to: Line, label: () => string): void {
  to.count += 1;
  if (to.count <= mostNamed) to.labels.push(label());
}

const told = ({ what, count, labels }: Line): string[] =>
  count === 0 ? [] : [`${what} ${count}: ${labels.join(', ')}${count > mostNamed ? ' …' : ''}`];

function tell(
  [came, went, renamed, moved]: readonly [Line, Line, Line, Line],
  { before, now }: Pair,
  next: Listed | undefined,
): void {
  if (now === undefined) {
    if (before.gone === undefined && next?.gone !== undefined) say(went, () => labelOf(before));
    return;
  }
  if (before?.gone !== undefined || before === undefined) say(came, () => labelOf(now));
  if (before === undefined) return;
  if (now.name !== before.name)
    say(renamed, () => `${before.name === undefined ? '?' : short(before.name)} to ${labelOf(now)}`);
  if (now.group !== before.group)
    say(moved, () => `${labelOf(now)} from group ${before.group ?? '?'} to ${now.group ?? '?'}`);
}
