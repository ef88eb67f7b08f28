import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';

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
export const parameters = {
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
