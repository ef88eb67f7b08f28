import { createHash } from 'node:crypto';
import { z } from 'zod';
import { oneLine } from '../card.ts';
import type { Server } from '../outcome.ts';
import type { AlertRules } from '../policy/alerts.ts';
import { isBlank } from '../text.ts';

/** What a source says of one alert, before it is known which server it means. */
export interface Told {
  group: string;
  key: string;
  state: 'firing' | 'resolved';
  /** ISO. `until`: of an end. */
  since?: string;
  until?: string;
  /** Its name, by which it is ignored; and what a person reads. */
  name: string;
  title: string;
  severity?: string;
  summary?: string;
  link?: string;
  runbook?: string;
  /** What may name its server, by label. */
  labels: Readonly<Record<string, string>>;
  truncated?: number;
}

const longest = { name: 100, title: 200, severity: 30, label: 253, link: 500 };

const cut = (text: string, most: number): string => [...oneLine(text)].slice(0, most).join('');
/** Undefined: nobody would see anything of it. */
function some(text: string | undefined, most: number): string | undefined {
  const kept = cut(text ?? '', most);
  return isBlank(kept) ? undefined : kept;
}

const strings = z.record(z.string(), z.string()).default({});
const state = z.enum(['firing', 'resolved']);
const text = z.string().min(1);
const time = z.iso.datetime({ offset: true });

/** The body of Alertmanager's webhook, version 4. Grafana's has all of it, and more. */
const webhook = z.object({
  groupKey: text,
  truncatedAlerts: z.int().nonnegative().default(0),
  // However many: a group that is refused is not sent again.
  alerts: z.array(
    z.object({
      status: state,
      labels: strings,
      annotations: strings,
      startsAt: time,
      endsAt: time.catch(''),
      generatorURL: z.string().default(''),
      fingerprint: text,
    }),
  ),
});

const generic = z.strictObject({
  key: text.max(200),
  status: state,
  title: text,
  severity: z.string().optional(),
  server: z.string().optional(),
  link: z.string().optional(),
});

/** A group key may be long, and has labels in it. */
const digest = (of: string): string => createHash('sha256').update(of).digest('base64url').slice(0, 22);

function ofWebhook({ groupKey, truncatedAlerts, alerts }: z.infer<typeof webhook>): Told[] {
  const group = digest(groupKey);
  return alerts.map(({ status, labels, annotations, startsAt, endsAt, generatorURL, fingerprint }) => {
    const name = some(labels['alertname'], longest.name) ?? 'alert without a name';
    return {
      ...{ group, key: digest(fingerprint), state: status, since: new Date(startsAt).toISOString() },
      ...(status === 'resolved' && endsAt !== '' ? { until: endsAt } : {}),
      ...{ name, title: name },
      severity: some(labels['severity'], longest.severity),
      summary: some(annotations['summary'] ?? annotations['description'], longest.title),
      link: some(generatorURL, longest.link),
      runbook: some(annotations['runbook_url'], longest.link),
      labels,
      truncated: truncatedAlerts,
    };
  });
}

const ofGeneric = ({ key, status, title, severity, server, link }: z.infer<typeof generic>): Told[] => [
  {
    ...{ group: digest(key), key: digest(key), state: status },
    ...{ name: cut(title, longest.name), title: some(title, longest.title) ?? 'alert without a title' },
    severity: some(severity, longest.severity),
    link: some(link, longest.link),
    labels: server === undefined ? {} : { server },
  },
];

/** How each body is read; undefined: it has another form. */
export const bodies = {
  alertmanager: (json: unknown) => read(webhook.safeParse(json), ofWebhook),
  grafana: (json: unknown) => read(webhook.safeParse(json), ofWebhook),
  generic: (json: unknown) => read(generic.safeParse(json), ofGeneric),
} as const;

const read = <T>({ data }: { data?: T | undefined }, told: (data: T) => Told[]): Told[] | undefined =>
  data === undefined ? undefined : told(data);

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
  const named = [
    ...new Set(rules.labels.flatMap((label) => labelOf(labels, label).trim().slice(0, longest.label) || [])),
  ];
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
