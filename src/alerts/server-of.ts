import type { Server } from '../outcome.ts';
import type { AlertRules } from '../policy/alerts.ts';

/** What the labels of an alert say, and the servers that it names. */
interface Meant {
  named: readonly string[];
  servers: readonly Server[];
}

/** Reads the labels of the policy: names, ids and addresses, with or without a port. A label that names nothing known says nothing. */
export function serversIn(
  labels: Readonly<Record<string, string>>,
  rules: Pick<AlertRules, 'labels' | 'domains'>,
  find: (text: string) => Server | undefined,
): Meant {
  const named = [...new Set(rules.labels.flatMap((label) => labelOf(labels, label).trim().slice(0, longest) || []))];
  const found = named.flatMap((text) => meant(formsOf(text, rules.domains).map(find).filter(isKnown)) ?? []);
  const servers = [...new Map(found.map((each) => [each.id, each])).values()];
  return { named: named.slice(0, 3), servers };
}

/** A name that people wrote comes first. Of the panel's, which anybody may have chosen, none where several fit. */
function meant(servers: readonly Server[]): Server | undefined {
  const [first] = servers;
  const isOne = servers.every(({ id }) => id === first?.id);
  return servers.find(({ unwritten }) => !unwritten) ?? (isOne ? first : undefined);
}

/** A label may be called as what every object has. */
const labelOf = (labels: Readonly<Record<string, string>>, label: string): string =>
  Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';

const longest = 253;

/** Any number could be the id of a server that is in no list. */
const isKnown = (server: Server | undefined): server is Server =>
  server !== undefined && (server.name !== undefined || server.called !== undefined);

/** As it is; without its port; and without a domain of ours. */
function formsOf(text: string, domains: readonly string[]): string[] {
  const plain = text.replace(/^(\[[^\]]+\]|[^:]+):\d{1,5}$/, '$1');
  const host = plain.toLowerCase().replace(/\.$/, '');
  const domain = domains.find((each) => host.endsWith(`.${each}`));
  return [...new Set([text, plain, ...(domain === undefined ? [] : [host.slice(0, -domain.length - 1)])])];
}
