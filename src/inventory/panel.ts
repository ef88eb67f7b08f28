import { z } from 'zod';
import { pointerTo } from '../json.ts';
import type { CallResult } from '../outcome.ts';
import { addressIn } from '../policy/pattern.ts';
import type { PanelFields } from '../policy/source.ts';
import { type Found, isAsBefore, type Listed } from './list.ts';

/** One read of the panel: the document at these parts, or why there is none. */
export type ReadPanel = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number>>,
) => Promise<CallResult<unknown>>;

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

/**
 * All servers of the panel, by their ids. Throws Unreadable: whatever was read until then does not count. Of `known`, which are by
 * id, those that are found as they were are given again: what is made for a page then lives no longer than the page.
 */
export async function walkServers(
  read: ReadPanel,
  fields: PanelFields,
  known: readonly Listed[] = [],
): Promise<Found[]> {
  const { path, query } = pathOf(fields);
  const groups = fields.hypervisor === undefined ? undefined : await groupsOf(read);
  const rowIn = serverReader(fields, groups);
  const again = (row: unknown): Found | undefined => {
    const server = rowIn(row);
    const before = server && oneOf(known, server.id);
    return server !== undefined && before !== undefined && isAsBefore(before, server) ? before : server;
  };
  return walkPages(read, path, query, again, ({ id }) => id);
}

/** The one with this id. */
function oneOf(servers: readonly Listed[], id: number): Listed | undefined {
  let [low, high] = [0, servers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((servers[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return servers[low]?.id === id ? servers[low] : undefined;
}

/** The group of each hypervisor. */
async function groupsOf(read: ReadPanel): Promise<ReadonlyMap<number, number>> {
  const path = ['compute', 'hypervisors', 'groups'];
  const groups = await walkPages(
    read,
    path,
    {},
    (row) => withId.safeParse(row).data,
    ({ id }) => id,
  );
  const groupOf = new Map<number, number>();
  for (const { id } of groups) {
    const rows = await walkPages(
      read,
      [...path, id, 'resources'],
      {},
      (row) => resources.safeParse(row).data,
      ({ hypervisor }) => hypervisor.id,
    );
    for (const { hypervisor } of rows) groupOf.set(hypervisor.id, id);
  }
  return groupOf;
}

/** "/servers?type=simple" */
function pathOf({ path }: PanelFields): { path: string[]; query: Record<string, string> } {
  const [before = '', after = ''] = path.split('?');
  return { path: before.split('/').slice(1), query: Object.fromEntries(new URLSearchParams(after)) };
}

/** Takes only the fields that are named: the panel's records carry secrets. Undefined: the row is no server. */
function serverReader(fields: PanelFields, groups?: ReadonlyMap<unknown, number>): (row: unknown) => Found | undefined {
  const nothing = (): undefined => undefined;
  const at = (pointer: string | undefined) => (pointer === undefined ? nothing : pointerTo(pointer));
  const [idIn, nameIn, addressesIn] = [at(fields.id), at(fields.name), at(fields.addresses)];
  const [suspendedIn, protectedIn, hypervisorIn] = [at(fields.suspended), at(fields.protected), at(fields.hypervisor)];
  return (row) => {
    const [id, name] = [idIn(row), nameIn(row) ?? undefined];
    if (!isId(id) || (name !== undefined && typeof name !== 'string')) return undefined;
    const ips = addressesIn === nothing ? [] : ipsOf(addressesIn(row));
    const server: Found = { id };
    if (name) server.name = name.slice(0, longestName);
    if (isSet(suspendedIn(row))) server.suspended = true;
    if (isSet(protectedIn(row))) server.protected = true;
    if (ips.length > 0) server.ips = ips;
    const group = groups?.get(Number(hypervisorIn(row)));
    if (group !== undefined) server.group = group;
    return server;
  };
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const ipsOf = (value: unknown): string[] => {
  const ips = [value].flat().flatMap((each) => (typeof each === 'string' ? (addressIn(each) ?? []) : []));
  return [...new Set(ips)].slice(0, mostAddresses);
};

/** One of more than 63 characters is only shown. */
const longestName = 200;
const mostAddresses = 64;

/** Releases differ in how they write a boolean. */
const isSet = (value: unknown): boolean => value === true || value === 1 || value === '1';

/** All rows of a list, by their ids. It counts only if there are as many as the panel says, and it says the same on each page. */
async function walkPages<T>(
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
  if (rows.size !== total) return undefined;
  const all = [...rows.values()];
  // Most panels list by id: then nothing is sorted, which holds long where there are many.
  const isById = all.every((row, n) => n === 0 || idOf(all[n - 1] ?? row) < idOf(row));
  return isById ? all : all.sort((a, b) => idOf(a) - idOf(b));
}

/** How many servers the panel lists, after a look at the first of them. Throws Unreadable. */
export async function countServers(read: ReadPanel, fields: PanelFields): Promise<number> {
  const { path, query } = pathOf(fields);
  const answer = await read(path, { ...query, results: 20, page: 1 });
  if (answer.kind !== 'yes') throw new Unreadable(`/${path.join('/')} cannot be read (${answer.reason}).`);
  return pageIn(`/${path.join('/')}`, answer.data, serverReader(fields)).total;
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
