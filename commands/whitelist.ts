import { type Markup, md, quote, serverName, shortName, trusted, typedAs } from '../src/card.ts';
import { defineChange } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { address, isAddress, network, size, written } from './networks.ts';
import { networkInterface, reason, remind, reminderNote, server } from './options.ts';

const meaning = trusted('This lifts anti-spoofing for what it sends, and opens nothing inbound.');
const untouched = (target: Server): Markup =>
  md`Not touched: the firewall of ${serverName(target)}, its addresses, its other entries.`;

const manualCheck = (target: Server): Markup =>
  md`To check: look at the network whitelist of ${serverName(target)} in the panel. The bot cannot read it.`;

/** In the sentence about permitted traffic the name alone reads best; the id is beside it. */
const name = (server: Server): Markup => trusted(shortName(server));

const noExactUndo = trusted('**The bot cannot undo this.**');

const add = defineChange({
  id: 'whitelist.add',
  danger: 'destructive',
  description: 'Let a server send from a network that is not assigned to it',
  example: '/whitelist add server:web-1 network:192.0.2.0/24',
  options: { server, interface: networkInterface, network, reason, remind },
  limited: { option: 'network', by: 'prefix' },
  endpoint: 'whitelistAdd',
  label: (input) => `Whitelist ${written(input.network)} for ${shortName(input.server)}`,
  fullLabel: (input) => md`Let ${name(input.server)} send from ${written(input.network)} · ${trusted(input.interface)}`,
  question: (input, _looks, team): Markup[] => [
    md`${name(input.server)} will be able to send from ${written(input.network)} (${trusted(size(input.network))}) on its ${trusted(input.interface)} interface.`,
    ...(isAddress(input.network) ? [] : [noExactUndo]),
    ...reminderNote(input.remind, team),
  ],
  details: (input) => [meaning, untouched(input.server)],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, ...input.network }),
  done: (target, input) => ({
    outcome: 'succeeded',
    says: md`${name(target)} may send from ${written(input.network)} on its ${trusted(input.interface)} interface.`,
  }),
  effects: (input) => ({
    opens: [{ kind: 'whitelist', interface: input.interface, network: written(input.network) }],
  }),
  // The undo is only exact for a single address: a removal names no prefix.
  undo: {
    command: 'whitelist.remove',
    options: (target, input) =>
      isAddress(input.network)
        ? { server: String(target.id), interface: input.interface, address: input.network.ip }
        : undefined,
  },
  noUndo({ server: target, interface: networkInterface, network: { ip } }) {
    const line = `/whitelist remove server:${typedAs(target)} interface:${networkInterface} address:${ip}`;
    return md`The bot cannot undo this: the panel removes addresses, not networks. To take it off: ${quote(line)}. Then look at the network whitelist of ${serverName(target)} in the panel: it must be gone, and the others still there.`;
  },
  manualCheck,
  remind: (input) => input.remind?.ms,
});

const remove = defineChange({
  id: 'whitelist.remove',
  danger: 'destructive',
  description: 'Take a network off the list of what a server may send from',
  example: '/whitelist remove server:web-1 address:192.0.2.0',
  options: { server, interface: networkInterface, address, reason },
  endpoint: 'whitelistRemove',
  label: (input) => `Remove ${input.address} from ${shortName(input.server)}'s whitelist`,
  fullLabel: (input) =>
    md`Take ${input.address} off the whitelist of ${name(input.server)} · ${trusted(input.interface)}`,
  question: (input) => [
    md`${name(input.server)} will no longer be able to send from the network added as ${input.address} on its ${trusted(input.interface)} interface.`,
    trusted('Anything it still sends from there is dropped.'),
  ],
  details: (input) => [untouched(input.server)],
  request: (target, input) => ({ serverId: target.id, interface: input.interface, ip: input.address }),
  done: (target, input) => ({
    outcome: 'succeeded',
    says: md`${name(target)} may no longer send from the network added as ${input.address} on its ${trusted(input.interface)} interface.`,
  }),
  effects: (input, open) => ({
    closes: open.filter(
      (effect) =>
        effect.kind === 'whitelist' &&
        effect.interface === input.interface &&
        effect.network.startsWith(`${input.address}/`),
    ),
  }),
  noUndo: () => trusted('Cannot be undone: the prefix of what was removed is not known.'),
  manualCheck,
});

export const whitelist = [add, remove];
