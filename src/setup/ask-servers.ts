import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { readText } from '../config/file.ts';
import type { Found } from '../inventory/list.ts';
import { listedOf } from '../inventory/names.ts';
import { Unreadable } from '../inventory/panel.ts';
import type { Policy } from '../policy/schema.ts';
import { isServerName, type ListedServer, serversOf } from '../policy/server.ts';
import { atOnce } from '../walk.ts';
import { ask } from './ask.ts';
import { type PolicyDraft, plain, type ServerRow } from './draft.ts';

/** Asks which servers have names; others are nothing, or all that the roles allow. `text`: `servers` until now. */
export async function askServers(
  before: Policy | undefined,
  text: string | undefined,
  { cwd, list }: { cwd: string; list: ListServers },
): Promise<Pick<PolicyDraft, 'servers' | 'unlisted'> & { listed?: readonly Found[] }> {
  const known = before?.servers.length ?? 0;
  const how = await ask.one<'keep' | 'none' | 'list' | 'panel'>('Which servers can people type by name?', [
    ...(known === 0 ? [] : [{ value: 'keep' as const, label: `Those in the policy (${known})` }]),
    { value: 'list', label: 'I type or paste them, or give a CSV file' },
    { value: 'panel', label: "Those in the panel's own list", hint: 'for VirtFusion; setup tries it now' },
    { value: 'none', label: 'None yet', hint: 'people type ids' },
  ]);
  if (how === 'panel') {
    const listed = await tryList(list);
    if (listed === undefined) return await askServers(before, text, { cwd, list });
    return { servers: text ?? [], unlisted: before?.unlisted ?? 'nothing', listed };
  }
  const servers = how === 'keep' && text !== undefined ? text : how === 'list' ? await askList(cwd) : [];
  return { servers, unlisted: before?.unlisted ?? (servers.length > 0 ? 'nothing' : 'all') };
}

async function askList(cwd: string): Promise<Exclude<PolicyDraft['servers'], string>> {
  const listOf = (text: string) => {
    const path = resolve(cwd, text.trim());
    if (text.includes('\n') || !existsSync(path) || !statSync(path).isFile()) return serversIn(text);
    const file = readText(path);
    return 'rule' in file ? file : serversIn(file.value);
  };
  const text = await ask.lines({
    message: "Servers: id, name, tier; or a CSV file's path.",
    example: '101 web-1 production',
    rule: (typed) => {
      const list = listOf(typed);
      return 'rule' in list ? list.rule : undefined;
    },
  });
  const list = listOf(text);
  return 'servers' in list ? list.servers : [];
}

/** The servers in a text that somebody typed, pasted or exported; or the rule that it breaks. */
export function serversIn(text: string): { servers: readonly ServerRow[] } | { rule: string } {
  const rows = rowsIn(text.trim());
  const servers: ServerRow[] = [];
  for (const words of rows) {
    const server = serverOf(words);
    if (typeof server === 'string') return { rule: server };
    if (servers.some(({ id }) => id === server.id)) return { rule: `${server.id} is listed twice.` };
    const name = server.name.toLowerCase();
    if (servers.some((each) => each.name.toLowerCase() === name)) return { rule: `${server.name} is listed twice.` };
    servers.push(server);
  }
  return servers.length === 0 ? { rule } : { servers };
}

const rule = 'Write an id and a name for each server, such as 101 web-1.';

/** The words of each server: a row of CSV with a header, else a line; of several in a line, each begins or ends with its id. */
function rowsIn(text: string): string[][] {
  const [head = ''] = text.split('\n', 1);
  if (/\bid\b/i.test(head) && /\bname\b/i.test(head)) return csvRows(text);
  return text.split('\n').flatMap((line) => {
    const words = line.split(between).filter((word) => word !== '');
    if (words.filter(isId).length === 1) return [words];
    const pairs = words.flatMap((_, at) => (at % 2 === 0 ? [words.slice(at, at + 2)] : []));
    if (pairs.every((pair) => pair.filter(isId).length === 1)) return pairs;
    const edges = words.flatMap((word, at) => (isId(word) ? [isId(words[0] ?? '') ? at : at + 1] : []));
    return [0, ...edges, words.length].flatMap((from, at, all) => {
      const row = words.slice(from, all[at + 1] ?? from);
      return row.length === 0 ? [] : [row];
    });
  });
}

/** Also a colon after an id, but none of an IPv6 address. */
const between = /(?:[\s,;="'|>]|-(?=>))+|(?<=\b\d{1,15}):\s*(?=[a-z][\w.-]*(?:[\s,;]|$))/i;

const columns = ['id', 'name', 'tier', 'ip', 'ips', 'group'];

/** The columns that say something, in their order here; `group` and addresses keep their names. */
function csvRows(text: string): string[][] {
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  return rows.map((row) =>
    columns.flatMap((column) => {
      const value = row[column] ?? '';
      if (value === '') return [];
      return column === 'group' ? [`group:${value}`] : column.startsWith('ip') ? value.split(/[\s,;]+/) : [value];
    }),
  );
}

const isId = (word: string): boolean => /^[1-9]\d{0,14}$/.test(word);

/** One number is the id; the first other word is the name, the next the tier. Addresses are themselves. */
function serverOf(words: readonly string[]): ServerRow | string {
  const group = words.find((word) => word.startsWith('group:'))?.slice('group:'.length);
  const ips = words.filter((word) => isIP(word) !== 0);
  const [id, ...tooMany] = words.filter(isId);
  const [name, tier] = words.filter((word) => !isId(word) && isIP(word) === 0 && !word.startsWith('group:'));
  if (id === undefined || name === undefined || tooMany.length > 0) return `${words.join(' ')}: ${rule}`;
  if (!isServerName(name)) return `${name}: a name has letters, digits, dots and dashes, and is not a number.`;
  return {
    id: Number(id),
    name,
    tier,
    ips: ips.length === 0 ? undefined : ips,
    group: group !== undefined && isId(group) ? Number(group) : undefined,
  };
}

/** The servers that the panel lists, as the preset says. Throws Unreadable. */
export type ListServers = () => Promise<readonly Found[]>;

/** How many of them are shown. */
const shown = 10;

/** Tries the panel's list. Undefined: it cannot be read, which was said. */
async function tryList(list: ListServers): Promise<readonly Found[] | undefined> {
  try {
    return await ask.during("Reading the panel's list of servers", list);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ask.bad(`${error.message} Another panel's list needs path and id in inventory: docs/policy.md.`);
    return undefined;
  }
}

/** Says which servers the panel lists, and which tiers they have by the rules of this policy. */
export function tellList(found: readonly Found[], policy: Policy): void {
  const listed = atOnce(listedOf({ servers: found }, policy.servers, policy.inventoryRights === 'names'));
  const servers = atOnce(serversOf(policy, listed));
  const rows = servers
    .slice(0, shown)
    .map((each) => `${each.id} ${plain(each.name ?? each.called ?? '')}: ${tierOf(each)}`);
  const more = servers.length > shown ? [`and ${servers.length - shown} more`] : [];
  const tiers = [...new Set(servers.map(tierOf))].map(
    (tier) => `${tier} ${servers.filter((each) => tierOf(each) === tier).length}`,
  );
  ask.good(
    [`The inventory has these servers, with their tiers:`, ...rows, ...more, `In all: ${tiers.join(', ')}.`].join('\n'),
  );
  if (policy.tiers.length === 0)
    ask.note('A server without a tier is held to all of them. Rules under `tiers` give them one: docs/policy.md.');
}

const tierOf = ({ tier }: ListedServer): string => tier ?? 'every tier';
