import { describe, expect, it } from 'vitest';
import { serversIn } from '../../src/alerts/server-of.ts';

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
