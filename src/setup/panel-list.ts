import type { Found } from '../inventory/list.ts';
import { listedOf } from '../inventory/names.ts';
import { Unreadable } from '../inventory/panel.ts';
import type { Policy } from '../policy/schema.ts';
import { type ListedServer, serversOf } from '../policy/server.ts';
import { atOnce } from '../walk.ts';
import type { Ask } from './ask.ts';
import { plain } from './names.ts';

/** The servers that the panel lists, as the preset says. Throws Unreadable. */
export type ListServers = () => Promise<readonly Found[]>;

/** How many of them are shown. */
const shown = 10;

/** Tries the panel's list. Undefined: it cannot be read, which was said. */
export async function tryList(ask: Ask, list: ListServers): Promise<readonly Found[] | undefined> {
  try {
    return await ask.during("Reading the panel's list of servers", list);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ask.bad(`${error.message} Another panel's list needs path and id in inventory: docs/policy.md.`);
    return undefined;
  }
}

/** Says which servers the panel lists, and which tiers they have by the rules of this policy. */
export function tellList(ask: Ask, found: readonly Found[], policy: Policy): void {
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
