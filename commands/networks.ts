import ipaddr from 'ipaddr.js';
import type { Option } from '../src/command.ts';
import type { RawOptions } from '../src/outcome.ts';
import { completed, seen } from './known-values.ts';

/** A network in the panel's form. IPv4-mapped IPv6 becomes IPv4. */
export interface Network {
  ip: string;
  cidr: number;
}

export const written = ({ ip, cidr }: Network): string => `${ip}/${cidr}`;

const form = 'a network such as 192.0.2.0/24 or 2001:db8::/48; for one address 192.0.2.7/32';

/** The prefix of IPv4-mapped IPv6 (::ffff:192.0.2.7): the bits beyond it are the IPv4 prefix. */
const mapped = 96;

/** These embed IPv4 or carry no traffic: reserved and NAT64, 6to4, Teredo. A network there is broader than it looks. */
const embeddingRanges = ['::/8', '2002::/16', '2001::/32'];

export const network: Option<Network> = {
  type: 'string',
  description: 'The network: 192.0.2.0/24 or 2001:db8::/48',
  required: true,
  max: 50,
  read(raw, { refuse }) {
    const text = String(raw).trim();
    if (!ipaddr.isValidCIDR(text) || !strict(text.split('/')[0] ?? '')) return refuse(form);
    const [typed, prefix] = ipaddr.parseCIDR(text);
    const address = plain(typed);
    const cidr = address === typed ? prefix : prefix - mapped;
    if (cidr < 0) return refuse(`IPv4 that is written as IPv6 has a prefix of ${mapped} or longer. Write it as IPv4`);
    const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
    const first = kind.networkAddressFromCIDR(`${address}/${cidr}`).toString();
    if (first !== address.toString())
      return refuse(`the address is inside a network, not its start. The network is ${first}/${cidr}`);
    const range = embeddingRanges.find((each) => isInside(address, cidr, each));
    if (range !== undefined)
      return refuse(`addresses in ${range} stand for others, such as IPv4 ones. Write the network itself`);
    return { ip: first, cidr };
  },
  write: written,
};

type Address = ReturnType<typeof ipaddr.parse>;

const isIPv4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';

/** Converts IPv4-mapped IPv6 to IPv4. */
const plain = (address: Address): Address =>
  !isIPv4(address) && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

function isInside(address: Address, cidr: number, range: string): boolean {
  const [start, prefix] = ipaddr.IPv6.parseCIDR(range);
  return !isIPv4(address) && cidr >= prefix && address.match(start, prefix);
}

/** Only the usual notation: no octal or shortened IPv4, no zone, no ::192.0.2.7, which is ambiguous. */
function strict(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  const last = text.slice(text.lastIndexOf(':') + 1);
  const isDotted = last.includes('.');
  if (isDotted && (text === `::${last}` || !ipaddr.IPv4.isValidFourPartDecimal(last))) return false;
  return ipaddr.IPv6.isValid(text) && !text.includes('%');
}

const addressesIn = ({ network: added }: RawOptions): string[] =>
  added === undefined ? [] : [String(added).split('/')[0] ?? ''];

/** Anything that was added may be removed again, whatever range it is in. */
export const address: Option<string> = {
  type: 'string',
  description: 'The address as it was added: 192.0.2.0 (no prefix)',
  required: true,
  max: 45,
  suggest: (context) => completed(context.typed, seen(context, addressesIn)),
  read(raw, { refuse }) {
    const text = String(raw).trim();
    if (text.includes('/')) return refuse("leave the prefix out: the panel's removal takes an address only");
    return strict(text) ? plain(ipaddr.parse(text)).toString() : refuse('write an IPv4 or IPv6 address');
  },
};

/** An address or a network, whoever wrote it; host bits are dropped. Undefined if the text is neither. */
export function networkIn(text: string): Network | undefined {
  const [ip = '', prefix, ...more] = text.trim().split('/');
  if (more.length > 0 || !strict(ip) || !/^\d{1,3}$/.test(prefix ?? '0')) return undefined;
  const typed = ipaddr.parse(ip);
  const address = plain(typed);
  const most = bitsOf(address.toString());
  const cidr = prefix === undefined ? most : Number(prefix) - (address === typed ? 0 : mapped);
  if (cidr < 0 || cidr > most) return undefined;
  const kind = isIPv4(address) ? ipaddr.IPv4 : ipaddr.IPv6;
  return { ip: kind.networkAddressFromCIDR(`${address}/${cidr}`).toString(), cidr };
}

/** Whether two networks share addresses: then one contains the other. */
export function overlap(a: Network, b: Network): boolean {
  const [one, other] = [ipaddr.parse(a.ip), ipaddr.parse(b.ip)];
  return one.kind() === other.kind() && one.match(other, Math.min(a.cidr, b.cidr));
}

const bitsOf = (ip: string): number => (isIPv4(ipaddr.parse(ip)) ? 32 : 128);

export const isAddress = ({ ip, cidr }: Network): boolean => cidr === bitsOf(ip);

/** The number of addresses in a network, in words. */
export function size({ ip, cidr }: Network): string {
  const all = bitsOf(ip);
  if (cidr === 0) return all === 32 ? 'every IPv4 address' : 'every IPv6 address';
  const bits = all - cidr;
  if (bits === 0) return 'one address';
  return bits <= 32 ? `${2 ** bits} addresses` : `2^${bits} addresses`;
}
