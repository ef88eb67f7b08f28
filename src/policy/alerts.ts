import { z } from 'zod';
import { durationOf } from '../time.ts';
import { reach } from './server.ts';
import { type Finding, list, row, says } from './shape.ts';
import { aboutTarget, memberOf, type Targets } from './targets.ts';

/** How alerts of other systems are shown, and which server they mean. */
export interface AlertRules {
  channel: string;
  /** After which silence nobody is reminded any more, and how often somebody is until then; in ms. */
  'stale-after': number;
  remind: number | undefined;
  /** Alerts with these names are dropped. */
  ignore: readonly string[];
  /** The labels that name a server, and the domains of such names. */
  labels: readonly string[];
  domains: readonly string[];
  /** Who is pinged: `on-call`, and names of roles. Missing: the roles that may acknowledge. */
  ping?: readonly string[];
  /** What cards suggest for alerts of that name: a line with `{server}`. */
  suggest: readonly { alert: string; command: string }[];
  /** Hosts to which a card may link. */
  'link-hosts': readonly string[];
  /** Sources, by the names of their tokens, that speak of these servers alone. */
  sources: readonly { source: string; servers: readonly (string | number)[] }[];
}

const channel = 'The id of one of the `channels`: 17 to 19 digits, in quotes.';
const text = (rule: string, longest = 100) => z.string(says(rule)).min(1, says(rule)).max(longest, says(rule));
const names = 'A list of alert names, such as Watchdog. [] drops none.';
const name = 'The name of an alert, such as HostDown.';
const labels = 'A list of labels whose value names a server, such as instance.';
const host = 'A host name in small letters, such as example.com, without a scheme, port or path.';
const isHost = (name: string): boolean => /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name);
const hosts = z.array(z.string(says(host)).refine(isHost, says(host)), says(`A list. ${host}`)).default([]);
const ping = 'A list of on-call and names of roles in this file.';
const line = 'A command with {server} and plain values, such as "/power restart server:{server}".';
const rows = 'A list of rows, or left out.';
const source = 'The name of a token of ALERTS_TOKEN: 1 to 32 small letters, digits and dashes.';

function span(least: string, most: string, more = '') {
  const rule = `A duration from ${least} to ${most}: a whole number with m, h or d.${more}`;
  const [from = 0, to = 0] = [durationOf(least), durationOf(most)];
  return z
    .string(says(rule))
    .refine((typed) => {
      const ms = /^\d+[mhd]$/.test(typed) ? (durationOf(typed) ?? 0) : 0;
      return from <= ms && ms <= to;
    }, says(rule))
    .transform((typed) => durationOf(typed) ?? 0);
}

/** What a line of `suggest` runs. Undefined: it has another form. No value but the server's is from outside. */
export function suggested(written: string): { id: string; options: Record<string, string> } | undefined {
  const [, id = '', rest = ''] = /^\/([a-z0-9-]+(?: [a-z0-9-]+)?)((?: [a-z0-9-]+:[^\s"]+)+)$/.exec(written) ?? [];
  const pairs = [...rest.matchAll(/ ([a-z0-9-]+):([^\s"]+)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const options = Object.fromEntries(pairs);
  const isFit = options['server'] === '{server}' && pairs.length === Object.keys(options).length;
  return isFit && (written.match(/[{}]/g) ?? []).length === 2 ? { id: id.replace(' ', '.'), options } : undefined;
}

export const alerts = row(
  {
    channel: z.string(says(channel)).regex(/^\d{17,19}$/, says(channel)),
    'stale-after': span('1h', '7d').prefault('24h'),
    remind: z
      .union([z.literal(['off', false]).transform(() => undefined), span('1m', '1d', ' Or off.')])
      .prefault('10m'),
    ignore: z.array(text(names), says(names)).default(['Watchdog']),
    labels: list(text(labels), labels).default(['server', 'instance', 'host']),
    domains: hosts,
    ping: list(z.string(says(ping)), ping).exactOptional(),
    suggest: z
      .array(row({ alert: text(name), command: text(line, 200) }, 'A row of suggest is a mapping of'), says(rows))
      .default([]),
    'link-hosts': hosts,
    sources: z
      .array(
        row(
          {
            source: z.string(says(source)).regex(/^[a-z0-9-]{1,32}$/, says(source)),
            servers: reach('Leave the row out for all servers.'),
          },
          'A row of sources is a mapping of',
        ),
        says(rows),
      )
      .default([]),
  },
  'alerts is a mapping of',
);

/** Whoever presses a button there is answered, and servers and commands are those that there are. Takes the raw YAML. */
export function aboutAlerts(
  of: Record<string, unknown>,
  channels: readonly unknown[],
  targets: Targets | undefined,
  changes: readonly { id: string }[],
): Finding[] {
  const all = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const isElsewhere = of['channel'] !== undefined && channels.length > 0 && !channels.includes(of['channel']);
  return [
    ...(isElsewhere
      ? [{ path: ['channel'], rule: 'It must be one of `channels`, so that the bot answers there.' }]
      : []),
    ...all(of['suggest']).flatMap((each, at) => {
      const command = memberOf(each, 'command');
      const id = typeof command === 'string' ? suggested(command)?.id : undefined;
      const isFit = typeof command !== 'string' || changes.some((one) => one.id === id);
      return isFit
        ? []
        : [{ path: ['suggest', at, 'command'], rule: `${line} It must be one that changes something.` }];
    }),
    ...all(of['sources']).flatMap((each, at) =>
      all(memberOf(each, 'servers')).flatMap((entry, nth) => {
        const rule = targets && aboutTarget(entry, targets);
        return rule === undefined ? [] : [{ path: ['sources', at, 'servers', nth], rule }];
      }),
    ),
  ];
}
