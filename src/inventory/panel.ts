import { z } from 'zod';
import type { Answer } from '../outcome.ts';
import { resolvePointer } from '../pointer.ts';
import { addressIn } from '../policy/inventory.ts';
import type { PanelFields } from '../policy/source.ts';
import type { Found } from './list.ts';

/** One read of the panel: the document at these parts, or why there is none. */
export type ReadPanel = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number>>,
) => Promise<Answer<unknown>>;

/**
 * How many rows a page has, at each try: 200 is the most that the panel gives, and a list that changes meanwhile is read
 * again. Few are understood even if people gave their servers names of the greatest length.
 */
const sizes = [200, 200, 20];
/** More pages than any panel has. */
const mostPages = 5_000;

const page = z.object({ total: z.int().min(0), last_page: z.int(), data: z.array(z.unknown()) });
const withId = z.object({ id: z.int().positive() });
const resources = z.object({ hypervisor: withId });

/** Why the list could not be read, in a sentence. */
export class Unreadable extends Error {}

/** All servers of the panel. Throws Unreadable: whatever was read until then does not count. */
export async function walkServers(read: ReadPanel, fields: PanelFields): Promise<Found[]> {
  const { path, query } = pathOf(fields);
  const servers = await walk(
    read,
    path,
    query,
    (row) => serverIn(row, fields),
    ({ id }) => id,
  );
  if (fields.hypervisor === undefined) return servers.map(({ hypervisor: _, ...each }) => each);
  const groups = await walk(
    read,
    ['compute', 'hypervisors', 'groups'],
    {},
    (row) => withId.safeParse(row).data,
    ({ id }) => id,
  );
  const groupOf = new Map<number, number>();
  for (const { id } of groups) {
    const parts = ['compute', 'hypervisors', 'groups', id, 'resources'];
    const rows = await walk(
      read,
      parts,
      {},
      (row) => resources.safeParse(row).data,
      ({ hypervisor }) => hypervisor.id,
    );
    for (const { hypervisor } of rows) groupOf.set(hypervisor.id, id);
  }
  return servers.map(({ hypervisor, ...each }) => {
    const group = groupOf.get(Number(hypervisor));
    return group === undefined ? each : { ...each, group };
  });
}

/** "/servers?type=simple" */
function pathOf({ path }: PanelFields): { path: string[]; query: Record<string, string> } {
  const [before = '', after = ''] = path.split('?');
  return { path: before.split('/').slice(1), query: Object.fromEntries(new URLSearchParams(after)) };
}

type Row = Found & { hypervisor?: unknown };

/** Only the fields that are named: the panel's records carry secrets. Undefined: it is no server. */
function serverIn(row: unknown, fields: PanelFields): Row | undefined {
  const at = (pointer: string | undefined): unknown => pointer && resolvePointer(row, pointer);
  const [id, name] = [withId.safeParse({ id: at(fields.id) }).data?.id, at(fields.name) ?? undefined];
  if (id === undefined || (name !== undefined && typeof name !== 'string')) return undefined;
  const ips = [at(fields.addresses)]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? (addressIn(each) ?? []) : []));
  return {
    id,
    ...(name ? { name: name.slice(0, longestName) } : {}),
    ...(isSet(at(fields.suspended)) ? { suspended: true as const } : {}),
    ...(isSet(at(fields.protected)) ? { protected: true as const } : {}),
    ...(ips.length === 0 ? {} : { ips: [...new Set(ips)].slice(0, mostAddresses) }),
    hypervisor: at(fields.hypervisor),
  };
}

/** One of more than 63 characters is only shown. */
const longestName = 200;
const mostAddresses = 64;

/** Releases differ in how they write a boolean. */
const isSet = (value: unknown): boolean => value === true || value === 1 || value === '1';

/** All rows of a list. It counts only if there are as many as the panel says, and it says the same on each page. */
async function walk<T>(
  read: ReadPanel,
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string>>,
  rowIn: (row: unknown) => T | undefined,
  idOf: (row: T) => number,
): Promise<T[]> {
  for (const size of sizes) {
    const rows = await walkOnce(read, parts, { ...query, results: size }, rowIn, idOf);
    if (rows !== undefined) return rows;
  }
  throw new Unreadable(`/${parts.join('/')} changed each time while it was read.`);
}

/** Undefined: it changed on the way, or its pages are too long to be understood. */
async function walkOnce<T>(
  read: ReadPanel,
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number>>,
  rowIn: (row: unknown) => T | undefined,
  idOf: (row: T) => number,
): Promise<T[] | undefined> {
  const path = `/${parts.join('/')}`;
  const rows = new Map<number, T>();
  let total: number | undefined;
  for (let at = 1; at <= mostPages; at += 1) {
    const answer = await read(parts, { ...query, page: at });
    if (answer.kind === 'unknown' && answer.reason === 'not-understood' && query['results'] !== sizes.at(-1))
      return undefined;
    if (answer.kind !== 'yes') throw new Unreadable(`${path} cannot be read (${answer.reason}).`);
    const found = pageIn(path, answer.data, rowIn);
    const before = rows.size;
    for (const row of found.rows) rows.set(idOf(row), row);
    total ??= found.total;
    if (total !== found.total) return undefined;
    // A page that brings nothing new ends a list that would have no end.
    if (at >= found.last_page || rows.size === before) break;
  }
  return rows.size === total ? [...rows.values()] : undefined;
}

/** How many servers the panel lists, after a look at the first of them. Throws Unreadable. */
export async function countServers(read: ReadPanel, fields: PanelFields): Promise<number> {
  const { path, query } = pathOf(fields);
  const answer = await read(path, { ...query, results: 20, page: 1 });
  if (answer.kind !== 'yes') throw new Unreadable(`/${path.join('/')} cannot be read (${answer.reason}).`);
  return pageIn(`/${path.join('/')}`, answer.data, (row) => serverIn(row, fields)).total;
}

function pageIn<T>(path: string, data: unknown, rowIn: (row: unknown) => T | undefined) {
  const { data: rows, ...found } = page.safeParse(data).data ?? { data: [undefined], total: 0, last_page: 0 };
  return {
    ...found,
    rows: rows.map((each) => {
      const row = rowIn(each);
      if (row === undefined) throw new Unreadable(`${path} does not look as the policy says.`);
      return row;
    }),
  };
}
