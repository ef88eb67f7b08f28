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

/** The servers of the panel as the bot knows them. `at`: when it saw them last, in ms; `digest`: of what was found then. */
export const serverList = z.object({ at: z.number(), digest: z.string(), servers: z.array(listed).readonly() });
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
    .update(JSON.stringify([...servers].sort((a, b) => a.id - b.id).map((each) => Object.values(found.parse(each)))))
    .digest('hex')
    .slice(0, 12);

/** The most that may be gone, renamed or moved at once without somebody's word. */
const share = 1 / 3;

/** How long a server that is gone is still named, in ms: what was left open there is told. */
const kept = 90 * 86_400_000;

/** `accepted`: the digest of a list that somebody accepted as it is. */
export function nextList(
  before: ServerList | undefined,
  { servers, at }: { servers: readonly Found[]; at: number },
  accepted?: string,
): Next {
  const digest = digestOf(servers);
  const isThere = ({ gone }: Listed): boolean => gone === undefined;
  const known = new Map(before?.servers.filter(isThere).map((each) => [each.id, each]));
  const isAccepted = accepted === digest;
  const seen = new Set(servers.map(({ id }) => id));
  const lost = [...known.values()].filter(({ id }) => !seen.has(id));
  // The servers stay the same objects, so that nothing has to be prepared again.
  if (before?.digest === digest && lost.length === 0 && !isAccepted) return { list: { ...before, at }, difference: [] };
  const pairs = servers.flatMap((now) => {
    const then = known.get(now.id);
    return then === undefined ? [] : [{ now, then }];
  });
  const renamed = pairs.filter(({ now, then }) => now.name !== then.name);
  const moved = pairs.filter(({ now, then }) => now.group !== then.group);
  const words = oddWords(known.size, { 'are gone': lost, 'are renamed': renamed, 'are in another group': moved });
  if (words !== '' && !isAccepted) return { odd: { digest, words } };
  const gone = lost.filter(({ missed }) => missed || isAccepted);
  const missing = lost.map((each): Listed => (gone.includes(each) ? { ...each, gone: at } : { ...each, missed: true }));
  const past = (before?.servers ?? []).filter(
    (each) => !isThere(each) && !seen.has(each.id) && at - (each.gone ?? 0) < kept,
  );
  return {
    list: {
      at,
      digest,
      servers: [...servers.map((now) => after(known.get(now.id), now, isAccepted)), ...missing, ...past],
    },
    difference:
      before === undefined
        ? [`+ ${servers.length} servers`]
        : [
            ...named('+', servers.filter(({ id }) => !known.has(id)).map(labelOf)),
            ...named('-', gone.map(labelOf)),
            ...named(
              'renamed',
              renamed.map(({ now, then }) => `${then.name ?? '?'} to ${labelOf(now)}`),
            ),
            ...named(
              'moved',
              moved.map(({ now, then }) => `${labelOf(now)} from group ${then.group} to ${now.group}`),
            ),
          ],
  };
}

/** What was accepted of it stays known until the next word. */
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

const labelOf = ({ id, name }: Found): string => (name === undefined ? `server ${id}` : `${name} (${id})`);

/** The most servers that the trail names of one refresh. */
const mostNamed = 10;

/** "+ 2: web-9 (301), web-10 (302)" */
const named = (what: string, labels: readonly string[]): string[] => {
  if (labels.length === 0) return [];
  const more = labels.length > mostNamed ? ' …' : '';
  return [`${what} ${labels.length}: ${labels.slice(0, mostNamed).join(', ')}${more}`];
};
