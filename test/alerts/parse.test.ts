import { describe, expect, it } from 'vitest';
import { serversIn } from '../../src/alerts/parse.ts';
import type { Server } from '../../src/outcome.ts';

const known = [
  { id: 101, name: 'web-1' },
  { id: 111, name: 'db-1' },
];
const rules = { labels: ['server', 'instance', 'host'], domains: ['example.com'] };
/** Any number may be the id of a server that is in no list. */
const find = (text: string) =>
  known.find(({ id, name }) => [name, String(id)].includes(text)) ??
  (/^\d+$/.test(text) ? { id: Number(text) } : undefined);

describe('the server of an alert is named by', () => {
  it.each<[how: string, labels: Record<string, string>, servers: string[]]>([
    ['its name, with a port', { instance: 'web-1:9100' }, ['web-1']],
    ['its id', { server: '101' }, ['web-1']],
    ['a name of a domain', { host: 'web-1.example.com' }, ['web-1']],
    ['no name of another domain', { host: 'web-1.evil.example' }, []],
    ['a label that says something beside one that does not', { server: 'web-1', instance: '10.9.9.9:9100' }, ['web-1']],
    ['two labels', { server: 'web-1', instance: 'db-1:9100' }, ['web-1', 'db-1']],
    ['no name that is not listed', { instance: 'nowhere:1' }, []],
    ['no id that is not listed', { server: '999' }, []],
    ['nothing', {}, []],
  ])('%s', (_how, labels, servers) => {
    expect(serversIn(labels, rules, find).servers.map(({ name }) => name)).toEqual(servers);
  });
});

const unwritten = true as const;

it.each<[how: string, servers: Server[], meant: number[]]>([
  ['a name that people wrote', [{ id: 101, name: 'web-1' }], [101]],
  ['one of the panel', [{ id: 101, name: 'web-1', unwritten }], [101]],
  [
    'the one that people wrote, whatever another is renamed to',
    [
      { id: 101, name: 'web-1' },
      { id: 202, name: 'web-1.example.com', unwritten },
    ],
    [101],
  ],
  [
    'none of two of the panel, of which one may have been renamed for it',
    [
      { id: 101, name: 'web-1', unwritten },
      { id: 202, name: 'web-1.example.com', unwritten },
    ],
    [],
  ],
])('An alert means %s', (_how, servers, meant) => {
  const named = (text: string) => servers.find(({ name }) => name === text);
  expect(serversIn({ instance: 'web-1.example.com:9100' }, rules, named).servers.map(({ id }) => id)).toEqual(meant);
});
