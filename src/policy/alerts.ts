import { z } from 'zod';
import { memberOf } from '../json.ts';
import { aboutTarget, type Targets } from './pattern.ts';
import { reach } from './server.ts';
import { duration, eachOf, type Finding, items, list, row, says, snowflake, text, texts, under } from './shape.ts';

const channel = 'The id of one of the `channels`: 17 to 19 digits, in quotes.';
const words = (rule: string, longest = 100) => z.string(says(rule)).min(1, says(rule)).max(longest, says(rule));
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

const suggestion = row({ alert: words(name), command: words(line, 200) }, 'A row of suggest is a mapping of');
const bound = row(
  { source: text(source, /^[a-z0-9-]{1,32}$/), servers: reach('Leave the row out for all servers.') },
  'A row of sources is a mapping of',
);

/** How alerts of other systems are shown, and which server they mean. */
export const alerts = row(
  {
    channel: snowflake(channel),
    /** After which silence nobody is reminded any more, and how often somebody is until then; in ms. */
    'stale-after': duration('1h', '7d').prefault('24h'),
    remind: z
      .union([z.literal(['off', false]).transform(() => undefined), duration('1m', '1d', '. Or off')])
      .prefault('10m'),
    /** Alerts with these names are dropped. */
    ignore: z.array(words(names), says(names)).default(['Watchdog']),
    /** The labels that name a server, and the domains of such names. */
    labels: list(words(labels), labels).default(['server', 'instance', 'host']),
    domains: hosts,
    /** Who is pinged: `on-call`, and names of roles. Missing: the roles that may acknowledge it, or a part of it, or any. */
    ping: texts(ping).exactOptional(),
    /** What cards suggest for alerts of that name: a line with `{server}`. */
    suggest: z.array(suggestion, says(rows)).default([]),
    /** Hosts to which a card may link. */
    'link-hosts': hosts,
    /** Sources, by the names of their tokens, that speak of these servers alone. */
    sources: z.array(bound, says(rows)).default([]),
  },
  'alerts is a mapping of',
);

export type AlertRules = z.output<typeof alerts>;

/** Whoever presses a button there is answered, and servers and commands are those that there are. Takes the raw YAML. */
export function aboutAlerts(
  of: Record<string, unknown>,
  channels: readonly unknown[],
  targets: Targets | undefined,
  changes: readonly { id: string }[],
): Finding[] {
  const isElsewhere = of['channel'] !== undefined && channels.length > 0 && !channels.includes(of['channel']);
  const isNone = (command: unknown): boolean =>
    typeof command === 'string' && !changes.some(({ id }) => id === suggested(command)?.id);
  return [
    ...(isElsewhere
      ? [{ path: ['channel'], rule: 'It must be one of `channels`, so that the bot answers there.' }]
      : []),
    ...items(of['suggest']).flatMap((each, at) =>
      isNone(memberOf(each, 'command'))
        ? [{ path: ['suggest', at, 'command'], rule: `${line} It must be one that changes something.` }]
        : [],
    ),
    ...items(of['sources']).flatMap((each, at) =>
      under(
        ['sources', at],
        eachOf('servers', memberOf(each, 'servers'), (entry) => targets && aboutTarget(entry, targets)),
      ),
    ),
  ];
}
