import { type Markup, md, trusted } from '../src/card.ts';
import type { Access, Tools, View } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { changedBy, gatherOnServer, isLeft, type LeftItem } from '../src/view/handover.ts';
import { typedName } from '../src/view/words.ts';
import { closingOffers, mayOf } from './open-here.ts';
import type { NetworkInterface } from './options.ts';

/** Who may run this sees what the ledger knows to be open. */
export const openSource = 'handover';

type Known = Required<Pick<View, 'body' | 'offers' | 'includes'>>;
const nothing: Known = { body: [], offers: [], includes: [] };

interface Firewall {
  target: Server;
  networkInterface: NetworkInterface;
  enabled: boolean;
}

/** What the ledger knows of this firewall, and what closes it: who disabled it, and what is stored and not applied. */
export function firewallOpen(
  { target, networkInterface, enabled }: Firewall,
  { access, tools }: { access: Access; tools: Tools },
): Known {
  const may = mayOf(access, target);
  if (!may(openSource)) return nothing;
  const items = gatherOnServer(tools.records, target, tools.now).filter(isLeft);
  const here = items.filter(concerns(networkInterface, enabled));
  const lines = here.map(lineOf);
  return {
    body:
      enabled || lines.length > 0
        ? lines
        : [trusted('It was not disabled through this bot, as far as its ledger knows.')],
    offers: closingOffers(tools, may, here),
    includes: here.length === 0 ? [] : [openSource],
  };
}

const concerns =
  (networkInterface: NetworkInterface, enabled: boolean) =>
  (item: LeftItem): boolean => {
    if (item.group === 'unknown') return changesFirewall(item.entry, networkInterface);
    const { effect } = item;
    if (effect === undefined || !('interface' in effect) || effect.interface !== networkInterface) return false;
    return effect.kind === 'unapplied' || (effect.kind === 'firewall-off' && !enabled);
  };

const changesFirewall = ({ command, options }: LeftItem['entry'], networkInterface: NetworkInterface): boolean =>
  command.startsWith('firewall.') && (options['interface'] ?? 'primary') === networkInterface;

function lineOf(item: LeftItem): Markup {
  if (item.effect === undefined)
    return md`**${trusted(typedName(item.entry.command))} ended unknown** ${changedBy(item)}`;
  return item.effect.kind === 'firewall-off'
    ? md`**Disabled** ${changedBy(item)}`
    : md`**A change is stored and not applied**: ${changedBy(item)}`;
}
