import { z } from 'zod';
import type { Answer } from '../outcome.ts';
import type { Found } from './list.ts';

/** One read of the panel: the document at these parts, or why there is none. */
export type ReadPanel = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number>>,
) => Promise<Answer<unknown>>;

/** The largest page that the panel gives; and more pages than any panel has. */
const perPage = 200;
const mostPages = 5_000;
/** How often a list that changes while it is read is read again. */
const tries = 3;

const page = z.object({ total: z.int().min(0), last_page: z.int(), data: z.array(z.unknown()) });

/** The preset virtfusion: which fields of a server are taken, and no others. */
const server = z
  .object({
    id: z.int().positive(),
    name: z.string().max(500).nullish(),
    hypervisorId: z.int().nullish(),
    suspended: z.unknown(),
    protected: z.unknown(),
  })
  .partial({ name: true, hypervisorId: true, suspended: true, protected: true });
const withId = z.object({ id: z.int().positive() });
const resources = z.object({ hypervisor: withId });

/** Why the list could not be read, in a sentence. */
export class Unreadable extends Error {}

/** All servers of the panel. Throws Unreadable: whatever was read until then does not count. */
export async function walkServers(read: ReadPanel): Promise<Found[]> {
  const servers = await walk(read, ['servers'], { type: 'simple' }, server, ({ id }) => id);
  const groups = await walk(read, ['compute', 'hypervisors', 'groups'], {}, withId, ({ id }) => id);
  const groupOf = new Map<number, number>();
  for (const { id } of groups) {
    const parts = ['compute', 'hypervisors', 'groups', id, 'resources'];
    for (const { hypervisor } of await walk(read, parts, {}, resources, (each) => each.hypervisor.id))
      groupOf.set(hypervisor.id, id);
  }
  return servers.map((each) => ({
    id: each.id,
    ...(each.name ? { name: each.name } : {}),
    ...groupIn(groupOf.get(each.hypervisorId ?? Number.NaN)),
    ...(isSet(each.suspended) ? { suspended: true as const } : {}),
    ...(isSet(each.protected) ? { protected: true as const } : {}),
  }));
}

const groupIn = (group: number | undefined): { group?: number } => (group === undefined ? {} : { group });

/** Releases differ in how they write a boolean. */
const isSet = (value: unknown): boolean => value === true || value === 1 || value === '1';

/** All rows of a list. It counts only if there are as many as the panel says, and it says the same on each page. */
async function walk<T>(
  read: ReadPanel,
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string>>,
  row: z.ZodType<T>,
  idOf: (row: T) => number,
): Promise<T[]> {
  for (let n = 1; n <= tries; n += 1) {
    const rows = await walkOnce(read, parts, query, row, idOf);
    if (rows !== undefined) return rows;
  }
  throw new Unreadable(`/${parts.join('/')} changed each time while it was read.`);
}

/** Undefined: it changed on the way. */
async function walkOnce<T>(...[read, parts, query, row, idOf]: Parameters<typeof walk<T>>): Promise<T[] | undefined> {
  const rows = new Map<number, T>();
  let total: number | undefined;
  for (let at = 1; at <= mostPages; at += 1) {
    const answer = await read(parts, { ...query, results: perPage, page: at });
    if (answer.kind !== 'yes') throw new Unreadable(`/${parts.join('/')} cannot be read (${answer.reason}).`);
    const found = page.safeParse(answer.data);
    const data = found.data?.data.map((each) => row.safeParse(each));
    if (data === undefined || !data.every(({ success }) => success))
      throw new Unreadable(`/${parts.join('/')} does not look as that of the preset virtfusion.`);
    for (const { data: each } of data) if (each !== undefined) rows.set(idOf(each), each);
    total ??= found.data?.total;
    if (total !== found.data?.total) return undefined;
    if (at >= (found.data?.last_page ?? 0)) break;
  }
  return rows.size === total ? [...rows.values()] : undefined;
}
