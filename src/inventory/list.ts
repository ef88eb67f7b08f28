import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What is taken of a server that the panel lists: its records also carry secrets. */
const ofPanel = {
  id: z.int().positive(),
  name: z.string().exactOptional(),
  /** Its hypervisor group. */
  group: z.int().exactOptional(),
  suspended: z.literal(true).exactOptional(),
  protected: z.literal(true).exactOptional(),
  /** Where the list has them. */
  ips: z.array(z.string()).readonly().exactOptional(),
};

const found = z.object(ofPanel);
/** A server as one walk over the panel's list found it. */
export type Found = z.infer<typeof found>;

const listed = z.object({
  ...ofPanel,
  /** What it was when somebody last accepted that, where it is another by now: its tier of then still holds it. */
  was: z.object({ name: z.string().exactOptional(), group: z.int().exactOptional() }).exactOptional(),
  /** The last walk did not find it: it is gone if the next one does not, either. */
  missed: z.literal(true).exactOptional(),
  /** Since when the panel lists it no more, in ms. */
  gone: z.number().exactOptional(),
});

/**
 * The servers of the panel as the bot knows them. `at`: when it saw them last, in ms; `digest`: of what was found then;
 * `accepted`: since when each is what it was when somebody accepted that, but for `was` and `gone`.
 */
export const serverList = z.object({
  at: z.number(),
  digest: z.string(),
  accepted: z.number().default(0),
  servers: z.array(listed).readonly(),
});
export type ServerList = z.infer<typeof serverList>;
type Listed = ServerList['servers'][number];

/** A list that is so different that a person must accept it first. */
export interface Odd {
  digest: string;
  /** What is odd: "40 of 100 servers are gone". */
  words: string;
}

/** What a walk makes of the list: another one, with a line for each difference that people should know; or it waits. */
export type Next = { list: ServerList; difference: readonly string[] } | { odd: Odd };

export const digestOf = (servers: readonly Found[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...servers].sort((a, b) => a.id - b.id).map((each) => found.parse(each))))
    .digest('hex')
    .slice(0, 12);

/** The most that may be gone, renamed or moved without somebody's word. */
const share = 1 / 3;

/** Servers that are gone count for a day, so that they are not lost little by little: some go in any panel. */
const day = 86_400_000;

/** How long a server that is gone is still named, in ms: what was left open there is told. */
const kept = 90 * day;

/** `accepted`: the digest of a list that somebody accepted as it is. */
export function nextList(
  before: ServerList | undefined,
  { servers, at }: { servers: readonly Found[]; at: number },
  accepted?: string,
): Next {
  const digest = digestOf(servers);
  const isAccepted = accepted === digest;
  const seen = new Set(servers.map(({ id }) => id));
  const known = new Map(before?.servers.map((each) => [each.id, each]));
  const missing = [...known.values()].filter(({ id }) => !seen.has(id));
  const lost = missing.filter(({ gone }) => gone === undefined);
  // The servers stay the same objects, so that nothing has to be prepared again.
  if (before?.digest === digest && lost.length === 0 && !isAccepted) return { list: { ...before, at }, difference: [] };
  const pairs = servers.flatMap((now) => {
    const then = known.get(now.id);
    return then === undefined ? [] : [{ now, then, first: then.was ?? then }];
  });
  const since = Math.max(before?.accepted ?? 0, at - day);
  const lately = missing.filter(({ gone }) => gone === undefined || gone > since);
  const words = oddWords(pairs.length + lately.length, {
    'are gone': lately,
    'are renamed': pairs.filter(({ now, first }) => now.name !== first.name),
    'are in another group': pairs.filter(({ now, first }) => now.group !== first.group),
  });
  if (words !== '' && !isAccepted) return { odd: { digest, words } };
  const gone = lost.filter(({ missed }) => missed || isAccepted);
  const others = missing.filter((each) => each.gone === undefined || at - each.gone < kept);
  return {
    list: {
      at,
      digest,
      accepted: before === undefined || isAccepted ? at : before.accepted,
      servers: [
        ...servers.map((now) => after(known.get(now.id), now, isAccepted)),
        ...others.map((each): Listed => {
          if (each.gone !== undefined) return each;
          return gone.includes(each) ? { ...each, gone: at } : { ...each, missed: true };
        }),
      ],
    },
    difference: before === undefined ? [`+ ${servers.length} servers`] : differenceOf(servers, known, gone, pairs),
  };
}

function differenceOf(
  servers: readonly Found[],
  known: ReadonlyMap<number, Listed>,
  gone: readonly Listed[],
  pairs: readonly { now: Found; then: Listed }[],
): string[] {
  const isThere = (each: Listed | undefined): boolean => each !== undefined && each.gone === undefined;
  const renamed = pairs.filter(({ now, then }) => now.name !== then.name);
  const moved = pairs.filter(({ now, then }) => now.group !== then.group);
  return [
    ...named('+', servers.filter(({ id }) => !isThere(known.get(id))).map(labelOf)),
    ...named('-', gone.map(labelOf)),
    ...named(
      'renamed',
      renamed.map(({ now, then }) => `${short(then.name ?? '?')} to ${labelOf(now)}`),
    ),
    ...named(
      'moved',
      moved.map(({ now, then }) => `${labelOf(now)} from group ${then.group ?? '?'} to ${now.group ?? '?'}`),
    ),
  ];
}

/** What was accepted of it stays known until the next word, also of one that was away for a while. */
function after(then: Listed | undefined, now: Found, isAccepted: boolean): Listed {
  if (then === undefined || isAccepted) return now;
  const was = then.was ?? { name: then.name, group: then.group };
  return was.name === now.name && was.group === now.group ? now : { ...now, was };
}

const oddWords = (all: number, changes: Readonly<Record<string, readonly unknown[]>>): string =>
  Object.entries(changes)
    .filter(([, those]) => those.length > all * share)
    .map(([what, those]) => `${those.length} of ${all} servers ${what}`)
    .join(', ');

/** As long as a name that can be typed. */
const short = (name: string): string => (name.length > 63 ? `${name.slice(0, 62)}…` : name);

const labelOf = ({ id, name }: Found): string => (name === undefined ? `server ${id}` : `${short(name)} (${id})`);

/** The most servers that the trail names of one refresh. */
const mostNamed = 10;

/** "+ 2: web-9 (301), web-10 (302)" */
const named = (what: string, labels: readonly string[]): string[] => {
  if (labels.length === 0) return [];
  const more = labels.length > mostNamed ? ' …' : '';
  return [`${what} ${labels.length}: ${labels.slice(0, mostNamed).join(', ')}${more}`];
};
