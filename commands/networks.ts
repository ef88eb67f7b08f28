import ipaddr from 'ipaddr.js';
import type { Option } from '../src/command.ts';

/** A network as the panel takes it. IPv4 that was written as IPv6 is IPv4 here. */
export interface Network {
  ip: string;
  cidr: number;
}

export const written = ({ ip, cidr }: Network): string => `${ip}/${cidr}`;

const form = 'a network such as 192.0.2.0/24 or 2001:db8::/48; for one address 192.0.2.7/32';

/** IPv6 in which IPv4 addresses are written (::ffff:192.0.2.7): all of it is what is left of the prefix. */
const mapped = 96;

/**
 * What else stands for IPv4 or for nothing that is sent: reserved (with IPv4-compatible addresses and NAT64), 6to4, Teredo. In
 * these clothes, a network would be broader than it looks.
 */
const standIns = ['::/8', '2002::/16', '2001::/32'];

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
    const range = standIns.find((each) => isInside(address, cidr, each));
    if (range !== undefined)
      return refuse(`addresses in ${range} stand for others, such as IPv4 ones. Write the network itself`);
    return { ip: first, cidr };
  },
  write: written,
};

type Address = ReturnType<typeof ipaddr.parse>;

const isFour = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';

/** IPv4 that was written as IPv6, as IPv4. */
const plain = (address: Address): Address =>
  !isFour(address) && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

function isInside(address: Address, cidr: number, range: string): boolean {
  const [start, prefix] = ipaddr.IPv6.parseCIDR(range);
  return !isFour(address) && cidr >= prefix && address.match(start, prefix);
}

/**
 * Only the usual notation: no octal, hexadecimal or shortened IPv4, no zone, and no ::192.0.2.7, which two readers could take for
 * two addresses.
 */
function strict(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  const last = text.slice(text.lastIndexOf(':') + 1);
  const isDotted = last.includes('.');
  if (isDotted && (text === `::${last}` || !ipaddr.IPv4.isValidFourPartDecimal(last))) return false;
  return ipaddr.IPv6.isValid(text) && !text.includes('%');
}

/** What was added may be taken off again, whatever it stands for. */
export const address: Option<string> = {
  type: 'string',
  description: 'The address as it was added: 192.0.2.0 (no prefix)',
  required: true,
  max: 45,
  read(raw, { refuse }) {
    const text = String(raw).trim();
    if (text.includes('/')) return refuse("leave the prefix out: the panel's removal takes an address only");
    return strict(text) ? plain(ipaddr.parse(text)).toString() : refuse('an IPv4 or IPv6 address');
  },
  write: (value) => value,
};

const bitsOf = (ip: string): number => (isFour(ipaddr.parse(ip)) ? 32 : 128);

/** Whether it is a single address. */
export const isAddress = ({ ip, cidr }: Network): boolean => cidr === bitsOf(ip);

/** How many addresses a network has, in words. */
export function size({ ip, cidr }: Network): string {
  const all = bitsOf(ip);
  if (cidr === 0) return all === 32 ? 'every IPv4 address' : 'every IPv6 address';
  const bits = all - cidr;
  if (bits === 0) return 'one address';
  return bits <= 32 ? `${2 ** bits} addresses` : `2^${bits} addresses`;
}
