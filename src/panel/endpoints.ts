import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';
import { answers } from './schemas.ts';

/** One operation of the panel, as a fact about the wire. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL; `{name}` is filled from the input. */
  path: string;
  input: z.ZodObject;
  /** Reads the success body. */
  answer: z.ZodType;
}

const id = z.int().positive();
const count = z.int().positive();
const mode = z.union([z.literal(0), z.literal(1), z.literal(2)]);
const digits = z.string().regex(/^\d+$/, 'expected a disk number');
// A zone index (fe80::1%eth0) is only valid on one machine.
const address = z.string().refine((ip) => isIP(ip) !== 0 && !ip.includes('%'), 'expected an IPv4 or IPv6 address');
const addresses4 = z.array(z.string().refine(isIPv4, 'expected an IPv4 address')).min(1);
const iface = z.enum(['primary', 'secondary']);
const perDisk = z.record(digits, z.int().positive()).optional();

const paging = { results: z.int().min(1).max(200).optional(), page: z.int().positive().optional() };
const server = { serverId: id };
const firewall = { ...server, interface: iface, sync: z.boolean().optional() };

/** The parameters of the endpoints, flat, named as in the panel's documentation. Ids are positive safe integers. */
const inputs = {
  none: z.strictObject({}),
  page: z.strictObject(paging),
  group: z.strictObject({ hypervisorGroupId: id }),
  groupPage: z.strictObject({ hypervisorGroupId: id, ...paging }),
  server: z.strictObject(server),
  firewall: z.strictObject(firewall),
  rules: z.strictObject({ ...firewall, rulesets: z.array(id) }),
  whitelistAdd: z
    .strictObject({ ...server, interface: iface, ip: address, cidr: z.int().min(0).max(128) })
    .refine(({ ip, cidr }) => cidr <= (isIPv4(ip) ? 32 : 128), { path: ['cidr'], error: 'at most 32 for IPv4' }),
  whitelistRemove: z.strictObject({ ...server, interface: iface, ip: address }),
  quantity: z.strictObject({ ...server, interface: iface, quantity: count }),
  addresses: z.strictObject({ ...server, ip: addresses4 }),
  traffic: z.strictObject({ ...server, month: count, amount: count }),
  restore: z
    .strictObject({ ...server, disks: z.array(digits).min(1), diskChains: perDisk, diskUntils: perDisk })
    .refine(({ disks, diskChains }) => listed(disks, diskChains), {
      path: ['diskChains'],
      error: 'names a disk that is not in disks',
    })
    .refine(({ disks, diskUntils }) => listed(disks, diskUntils), {
      path: ['diskUntils'],
      error: 'names a disk that is not in disks',
    }),
  throttle: z.strictObject({ ...server, percent: z.int().min(0).max(100), sync: z.boolean().optional() }),
  vlan: z
    .strictObject({
      ...server,
      interfaceRef: z.string().regex(/^(?:primary|secondary|\d{10})$/, 'expected primary, secondary or ten digits'),
      vlanId: id,
      nativeMode: mode.optional(),
      trunk: mode.optional(),
    })
    .refine(({ nativeMode, trunk }) => nativeMode !== undefined || trunk !== undefined, {
      path: ['nativeMode'],
      error: 'expected nativeMode, trunk or both',
    }),
};

function listed(disks: readonly string[], byDisk: Readonly<Record<string, number>> = {}): boolean {
  return Object.keys(byDisk).every((disk) => disks.includes(disk));
}

const row = <M extends Endpoint['method'], I extends Endpoint['input'], A extends z.ZodType>(
  method: M,
  path: string,
  input: I,
  answer: A,
) => ({ method, path, input, answer });

/** All operations in the panel's documentation. */
export const endpoints = {
  connect: row('GET', '/connect', inputs.none, answers.connected),
  groups: row('GET', '/compute/hypervisors/groups', inputs.page, answers.groups),
  group: row('GET', '/compute/hypervisors/groups/{hypervisorGroupId}', inputs.group, answers.group),
  resources: row(
    'GET',
    '/compute/hypervisors/groups/{hypervisorGroupId}/resources',
    inputs.groupPage,
    answers.resources,
  ),
  firewallDisable: row('POST', '/servers/{serverId}/firewall/{interface}/disable', inputs.firewall, answers.notShown),
  firewallEnable: row('POST', '/servers/{serverId}/firewall/{interface}/enable', inputs.firewall, answers.notShown),
  firewall: row('GET', '/servers/{serverId}/firewall/{interface}', inputs.firewall, answers.firewall),
  firewallRules: row('POST', '/servers/{serverId}/firewall/{interface}/rules', inputs.rules, answers.notShown),
  whitelistAdd: row('POST', '/servers/{serverId}/networkWhitelist', inputs.whitelistAdd, answers.notShown),
  whitelistRemove: row('DELETE', '/servers/{serverId}/networkWhitelist', inputs.whitelistRemove, answers.notShown),
  ipv4Assign: row('POST', '/servers/{serverId}/ipv4Qty', inputs.quantity, answers.addresses),
  ipv4Add: row('POST', '/servers/{serverId}/ipv4', inputs.addresses, answers.notShown),
  ipv4Remove: row('DELETE', '/servers/{serverId}/ipv4', inputs.addresses, answers.notShown),
  powerBoot: row('POST', '/servers/{serverId}/power/boot', inputs.server, answers.queued),
  powerShutdown: row('POST', '/servers/{serverId}/power/shutdown', inputs.server, answers.queued),
  powerRestart: row('POST', '/servers/{serverId}/power/restart', inputs.server, answers.queued),
  powerPoweroff: row('POST', '/servers/{serverId}/power/poweroff', inputs.server, answers.queued),
  trafficAdd: row('POST', '/servers/{serverId}/traffic/blocks', inputs.traffic, answers.notShown),
  traffic: row('GET', '/servers/{serverId}/traffic/blocks', inputs.server, answers.traffic),
  backupRestore: row('POST', '/servers/{serverId}/backupManager/restore', inputs.restore, answers.job),
  cpuThrottle: row('PUT', '/servers/{serverId}/modify/cpuThrottle', inputs.throttle, answers.notShown),
  vlanSet: row('PUT', '/servers/{serverId}/interfaces/{interfaceRef}/vlans/{vlanId}', inputs.vlan, answers.vlan),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
/** The parameters of an endpoint, flat, as the panel's documentation names them: `{ serverId: 101, sync: true }`. */
export type Input<E extends EndpointName> = z.input<(typeof endpoints)[E]['input']>;
/** The data of a yes: its `data` member, the whole envelope of a list, or undefined if none is documented. */
export type Data<E extends EndpointName> = z.output<(typeof endpoints)[E]['answer']>;

/** Whether it changes the server. A GET with sync=true does: it applies the stored rules. */
export const changes = <E extends EndpointName>(endpoint: E, input: Input<E>): boolean =>
  endpoints[endpoint].method !== 'GET' || ('sync' in input && input.sync === true);

/** What goes into the query, of every endpoint. The members named in its path go there, all others into the JSON body. */
export const inQuery: readonly string[] = ['results', 'page', 'sync'];

/** A request relative to the base URL. */
export interface Request {
  method: Endpoint['method'];
  path: string;
  /** JSON text; null for none. */
  body: string | null;
  isChange: boolean;
  /** sync=true waits for the hypervisor. */
  sync: boolean;
}

/** The request for an input. Throws a TypeError that names the parameter that does not match. */
export function buildRequest<E extends EndpointName>(endpoint: E, input: Input<E>): Request {
  const row: Endpoint = endpoints[endpoint];
  const parsed = row.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    throw new TypeError(`${endpoint}: ${problems.join('; ')}`);
  }
  const query = new URLSearchParams();
  for (const name of inQuery) {
    const value = parsed.data[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const body = Object.entries(parsed.data).filter(
    ([name]) => !inQuery.includes(name) && !row.path.includes(`{${name}}`),
  );
  return {
    method: row.method,
    path: buildPath(row.path, parsed.data) + (query.size > 0 ? `?${query}` : ''),
    body: body.length > 0 ? JSON.stringify(Object.fromEntries(body)) : null,
    isChange: changes(endpoint, input),
    sync: parsed.data['sync'] === true,
  };
}

/** The same as it would stand on the wire: method, path and body. */
export function requestLine<E extends EndpointName>(endpoint: E, input: Input<E>): string {
  const { method, path, body } = buildRequest(endpoint, input);
  return `${method} ${path}${body === null ? '' : ` ${body}`}`;
}

/**
 * Fills `{name}` in a path. A value must never leave its segment: throws a TypeError that names the parameter if it is
 * empty, `.` or `..`, or contains a slash, a backslash or a percent sign. Everything else is encoded.
 */
export function buildPath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, String(parameters[name] ?? '')));
}

/** Joins parts to a path, each as one segment. Throws a TypeError with the position of an invalid part. */
export function joinPath(parts: readonly (string | number)[]): string {
  if (parts.length === 0) throw new TypeError('a path needs at least one part');
  return parts.map((part, index) => `/${segment(`part ${index + 1}`, String(part))}`).join('');
}

function segment(name: string, value: string): string {
  if (/^\.{0,2}$|[/\\%\p{Surrogate}]/u.test(value)) throw new TypeError(`${name} does not fit into a path`);
  return encodeURIComponent(value);
}
