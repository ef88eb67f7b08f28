import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandId } from '../../commands/index.ts';
import type { Call, PreparedChange } from '../../src/command.ts';
import { now, prepared, taken } from '../helpers/commands/typed.ts';
import { readMarkdown } from '../helpers/discord/markdown.ts';
import { changingOf } from '../helpers/every-command/lines.ts';
import { tries } from '../helpers/tries.ts';

type Value = string | number | boolean;
type Request = Record<string, unknown>;

/** What is sent for each server: one request each, or this fails. */
async function requestsOf(change: PreparedChange): Promise<{ endpoint: string; input: Request }[]> {
  const sent: { endpoint: string; input: Request }[] = [];
  const call: Call = (endpoint, input) => {
    sent.push({ endpoint, input: { ...input } });
    return Promise.resolve({ kind: 'yes', data: undefined as never });
  };
  for (const server of change.servers) await change.attempt(server, call);
  expect(sent).toHaveLength(change.servers.length);
  return sent;
}

/** The question and its details, without what has to be looked up first. */
const textOf = (change: PreparedChange): string =>
  [...change.question(change.servers.map(() => ({ says: [] }))), ...change.details([])]
    .map(({ markup }) => markup)
    .join('\n');

/** Everything that a request carries, keys of maps (the disks) included. */
const leaves = (value: unknown): Value[] => {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)]);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : [];
};

/** Whether a text has this number, address or word, and not only as a part of a longer one. */
function names(text: string, value: Value): boolean {
  const literal = String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.:-])${literal}(?![\\w-]|[.:]\\w)|<t:${literal}:f>`).test(text);
}

/** The words of a question for what is no number. */
const applied = {
  true: /\bat once\b|, now\b|to the running server\b/,
  false: /\bOnly stored\b|\bfrom (?:its|the) next start\b/,
};
/** The words for what is no number, name or address of its own. */
function saysOf(id: CommandId, input: Request): RegExp[] {
  const { sync, nativeMode, trunk, percent, ip, cidr } = input;
  return [
    changingOf(id).would,
    ...(sync === undefined ? [] : [applied[sync === true ? 'true' : 'false']]),
    ...(nativeMode === undefined ? [] : [new RegExp(`Native mode: ${nativeMode},`)]),
    ...(trunk === undefined ? [] : [new RegExp(`Trunk: ${trunk}, \\*\\*all VLANs`)]),
    ...(percent === 0 ? [/ will be removed/] : []),
    ...(cidr === undefined ? [] : [new RegExp(`\`${ip}/${cidr}\``)]),
  ];
}

/** What a request carries and its question does not say. */
function unsaid(id: CommandId, { serverId, ...input }: Request, question: string): unknown[] {
  // What it leaves alone is no answer to what it does.
  const does = question.replaceAll(/^Not touched:.*$|^The panel does not document.*$/gm, '');
  const { sync, nativeMode: _, trunk: __, cidr: ___, percent, ...others } = input;
  const values = [
    ...leaves(Object.values(others)),
    ...(percent === undefined || percent === 0 ? [] : leaves([percent])),
  ];
  const opposite =
    sync === undefined || does.match(applied[sync === true ? 'false' : 'true']) === null ? [] : ['opposite'];
  return [
    ...(names(question, `${serverId}`) ? [] : [serverId]),
    ...values.filter((value) => !names(does, value)),
    ...saysOf(id, input).filter((words) => !words.test(does)),
    ...opposite,
  ];
}

describe('options, question and request say the same', () => {
  it.each(taken)('%s: written out again it is the same, also a minute later', async (id, options) => {
    await fc.assert(
      fc.asyncProperty(options, async (raw) => {
        const first = prepared(id, raw);
        const again = prepared(id, first.options, now + 60_000);
        expect(again.options).toEqual(first.options);
        expect(again.servers).toEqual(first.servers);
        expect(again.reason).toBe(first.reason);
        expect(again.apply).toEqual(first.apply);
        expect(textOf(again)).toBe(textOf(first));
        expect(await requestsOf(again)).toEqual(await requestsOf(first));
      }),
      { numRuns: tries(200) },
    );
  });

  it.each(taken)('%s: the question names all that the request carries', async (id, options) => {
    await fc.assert(
      fc.asyncProperty(options, async (raw) => {
        const change = prepared(id, raw);
        const text = textOf(change);
        for (const { input } of await requestsOf(change)) expect(unsaid(id, input, text), text).toEqual([]);
        expect(readMarkdown(text).outside).not.toContain('`');
      }),
      { numRuns: tries(200) },
    );
  });

  it.each(taken)('%s: as many requests as servers, each to its own', async (id, options) => {
    await fc.assert(
      fc.asyncProperty(options, async (raw) => {
        const change = prepared(id, raw);
        const sent = await requestsOf(change);
        expect(new Set(sent.map(({ endpoint }) => endpoint)).size).toBe(1);
        expect(sent.map(({ input }) => input['serverId'])).toEqual(change.servers.map((server) => server.id));
        expect(String(raw['server']).split(',')).toHaveLength(sent.length);
      }),
      { numRuns: tries(50) },
    );
  });
});

// What each command sends as it is usually typed, test/conversations/every-command has.
it.each<[id: string, raw: Record<string, Value>, input: Request]>([
  [
    'firewall.replace',
    { server: 'web-1', rulesets: '7, 5' },
    { serverId: 101, interface: 'primary', sync: true, rulesets: [7, 5] },
  ],
  ['ipv4.remove', { server: '102', addresses: ' 192.0.2.7 ' }, { serverId: 102, ip: ['192.0.2.7'] }],
  [
    'vlan.set',
    { server: 'web-1', vlan: 7, trunk: 2, interface: '4000000101' },
    { serverId: 101, interfaceRef: '4000000101', vlanId: 7, trunk: 2 },
  ],
])('/%s %j is sent as it is meant', async (id, raw, input) => {
  expect((await requestsOf(prepared(id, raw))).map((sent) => sent.input)).toEqual([input]);
});
