import { isIPv4 } from 'node:net';
import { count, list, type Markup, md, quote, serverName, shortName, trusted } from '../src/card.ts';
import { defineChange, type Option, type Preview, type Read, ReadFailed } from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import { reasons } from '../src/reasons.ts';
import { completed, seen } from './known-values.ts';
import { networkInterface, pieces, reason, server, whole } from './options.ts';

const maxAddresses = 50;
/** The maximum per command: a question must list every address. */
const maxShown = maxAddresses;

const addresses: Option<readonly string[]> = {
  type: 'string',
  description: 'IPv4 addresses, with commas',
  required: true,
  max: 900,
  suggest: (context) =>
    completed(
      context.typed,
      seen(context, (options) => pieces(String(options['addresses'] ?? ''))),
    ),
  read(raw, { refuse }) {
    const texts = pieces(String(raw));
    if (texts.length === 0) refuse('list at least one IPv4 address');
    if (texts.length > maxAddresses) refuse(`at most ${maxAddresses} addresses in one command`);
    if (!texts.every(isIPv4))
      refuse('each must be an IPv4 address, with commas between them, such as 192.0.2.7,192.0.2.8');
    if (new Set(texts).size < texts.length) refuse('an address is listed twice');
    return texts;
  },
  write: (value) => value.join(','),
};

/** All addresses, or the first of many and their number. */
function shown(all: readonly string[]): Markup {
  const some = list(
    all.slice(0, maxShown).map((address) => quote(address)),
    all.length > maxShown ? ', ' : ' and ',
  );
  return all.length > maxShown ? md`${some} (showing ${maxShown} of ${all.length})` : some;
}

/** The number of free addresses. For information only: the panel itself refuses when there are none. */
async function lookAtPool(target: Server, quantity: number, read: Read<'resources'>): Promise<Preview> {
  if (target.group === undefined)
    return { says: [trusted('How many addresses are free is not known: the policy names no group for this server.')] };
  try {
    const resources = await read('resources', { hypervisorGroupId: target.group, results: 200 });
    const pools = resources.data.map((entry) => entry.resources.network.total.ipv4.free);
    if (pools.length === 0)
      return { says: [trusted(`Group ${target.group} has no hypervisors, so its free addresses are not known.`)] };
    const most = Math.max(...pools);
    const short = most < quantity ? ' Those are too few: the panel will probably refuse.' : '';
    return {
      says: [
        trusted(
          `The largest free IPv4 pool of group ${target.group} has ${count(most, 'address', 'addresses')}.${short}`,
        ),
      ],
    };
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error;
    return { says: [trusted(`How many addresses are free could not be read. ${reasons[error.result.reason].why}`)] };
  }
}

const manualCheck = (target: Server): Markup =>
  md`To check: look at the IPv4 addresses of ${serverName(target)} in the panel. The bot cannot read them.`;

/** The options for another command on exactly these addresses. */
const inverse = (target: Server, all: readonly string[]): RawOptions => ({
  server: String(target.id),
  addresses: all.join(','),
});

/** At most as many as one command removes, all well-formed: the addresses come from the panel. */
const isRemovable = (all: readonly string[]): boolean =>
  all.length > 0 && all.length <= maxAddresses && all.every(isIPv4);

const assign = defineChange({
  id: 'ipv4.assign',
  danger: 'write',
  description: 'Assign free IPv4 addresses, which the panel picks',
  example: '/ipv4 assign server:web-1 quantity:1',
  options: { server, interface: networkInterface, quantity: whole('How many addresses', 1, 256), reason },
  limited: { option: 'quantity', by: 'amount' },
  endpoint: 'ipv4Assign',
  reads: ['resources'],
  look: (target, input, read) => lookAtPool(target, input.quantity, read),
  label: (input) => `Assign ${count(input.quantity, 'address', 'addresses')} to ${shortName(input.server)}`,
  fullLabel: (input) =>
    trusted(
      `Assign ${count(input.quantity, 'IPv4 address', 'IPv4 addresses')} to ${shortName(input.server)} · ${input.interface}`,
    ),
  question: (input, looks) => [
    md`${trusted(count(input.quantity, 'IPv4 address', 'IPv4 addresses'))}, picked by the panel, will be assigned to ${serverName(input.server)}, ${trusted(input.interface)} interface.`,
    ...looks.flatMap((look) => look.says),
  ],
  details: () => [trusted('Not touched: the addresses it has, and its firewall.')],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, quantity: input.quantity }),
  differs: (_input, data) => (data?.length === 0 ? 'no address was assigned' : undefined),
  done: (target, input, data) => ({ outcome: 'succeeded', says: assigned(target, input.quantity, data) }),
  undo: {
    command: 'ipv4.remove',
    options: (target, _input, data) => (data !== undefined && isRemovable(data) ? inverse(target, data) : undefined),
  },
  noUndo: () => trusted('The bot cannot undo this: it does not know which addresses to remove.'),
  manualCheck,
});

function assigned(target: Server, asked: number, data: readonly string[] | undefined): Markup {
  if (data === undefined)
    return trusted('Assigned. Which addresses could not be read from the answer: look at the server in the panel.');
  const short =
    data.length === asked ? trusted('') : trusted(` The panel was asked for ${asked} and named ${data.length}.`);
  return md`Assigned to ${serverName(target)}: ${shown(data)}.${short}`;
}

const add = defineChange({
  id: 'ipv4.add',
  danger: 'write',
  description: 'Add IPv4 addresses that you name',
  example: '/ipv4 add server:web-1 addresses:192.0.2.7,192.0.2.8',
  options: { server, addresses, reason },
  endpoint: 'ipv4Add',
  label: (input) => `Add ${count(input.addresses.length, 'address', 'addresses')} to ${shortName(input.server)}`,
  fullLabel: (input) => md`Add ${shown(input.addresses)} to ${trusted(shortName(input.server))}`,
  question: (input) => [md`${serverName(input.server)} gets ${shown(input.addresses)}.`],
  details: () => [trusted('Not touched: the addresses it has, and its firewall.')],
  request: (target, input) => ({ serverId: target.id, ip: [...input.addresses] }),
  done: (target, input) => ({
    outcome: 'succeeded',
    says: md`${serverName(target)} has ${shown(input.addresses)} now.`,
  }),
  undo: { command: 'ipv4.remove', options: (target, input) => inverse(target, input.addresses) },
  manualCheck,
});

const remove = defineChange({
  id: 'ipv4.remove',
  danger: 'destructive',
  description: 'Take IPv4 addresses away from a server',
  example: '/ipv4 remove server:web-1 addresses:192.0.2.7',
  options: { server, addresses, reason },
  endpoint: 'ipv4Remove',
  label: (input) => `Remove ${count(input.addresses.length, 'address', 'addresses')} from ${shortName(input.server)}`,
  fullLabel: (input) => md`Remove ${shown(input.addresses)} from ${trusted(shortName(input.server))}`,
  question: (input) => [
    md`${serverName(input.server)} loses ${shown(input.addresses)}. It will no longer be reachable there, and a freed address may go to another server.`,
  ],
  details: () => [trusted('Not touched: its other addresses, and its firewall.')],
  request: (target, input) => ({ serverId: target.id, ip: [...input.addresses] }),
  done: (target, input) => ({
    outcome: 'succeeded',
    says: md`Removed from ${serverName(target)}: ${shown(input.addresses)}.`,
  }),
  undo: { command: 'ipv4.add', options: (target, input) => inverse(target, input.addresses) },
  manualCheck,
});

export const ipv4 = [assign, add, remove];
