import { describe, expect, it } from 'vitest';
import { deciding } from '../../src/policy/decide.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { brokenRules } from '../../src/policy/rules.ts';
import { atOnce } from '../../src/walk.ts';
import { command, example, known, onCall, policyOf } from '../helpers/policy/known.ts';

const many = 1_000;

/** Rows, and which of them were looked into since the last question. */
function watched<Row extends { id: number }>(rows: readonly Row[]) {
  const read: number[] = [];
  const all = rows.map(
    (row) =>
      new Proxy(row, {
        get(of, key) {
          read.push(of.id);
          return Reflect.get(of, key);
        },
      }),
  );
  return { all, read: () => read.splice(0) };
}

const listed = Array.from({ length: many }, (_, at) => ({
  id: at + 1,
  name: `${at % 2 === 0 ? 'web' : 'db'}-${at + 1}`,
  ips: [`10.0.${at >> 8}.${at & 255}`],
}));

describe('of a large policy', () => {
  const { all, read } = watched(listed);
  const servers = atOnce(inventory(all));
  const { decide, reachOf } = deciding({ ...policyOf(example), servers: all }, servers);
  read();

  it('a decision about one server reads no other', () => {
    expect(decide({ roles: [onCall], command: command('power.boot'), server: { id: 501 } })).toMatchObject({
      allowed: true,
    });
    expect(decide({ roles: [onCall], command: command('power.boot'), server: { id: 502 } })).toMatchObject({
      allowed: false,
    });
    expect(new Set(read())).toEqual(new Set([501, 502]));
  });

  it('a server is found without a look at another', () => {
    expect(servers.find('web-501')?.id).toBe(501);
    expect(servers.find('501')?.name).toBe('web-501');
    expect(servers.find('10.0.1.244')?.name).toBe('web-501');
    expect(servers.find('nothing')).toBeUndefined();
    expect(new Set(read())).toEqual(new Set([501]));
  });

  it('a glob is compared with names that have its longest piece alone, and no further than is asked for', () => {
    expect(servers.fitting('*-99?', 3).map(({ name }) => name)).toEqual(['db-990', 'web-991', 'db-992', 'web-993']);
    expect(new Set(read())).toEqual(new Set([99, 990, 991, 992, 993]));
    expect(servers.fitting('*-99?')).toHaveLength(10);
    read();
  });

  it('a suggestion asks for rights only where the text fits, and no further than 25', () => {
    const asked: number[] = [];
    const suggested = servers.suggest('db-', ({ id }) => asked.push(id) > 0);
    expect(suggested).toHaveLength(25);
    expect(asked).toEqual(suggested.map(({ id }) => id));
    read();
    expect(servers.suggest('db-7', reachOf([onCall], [command('power.boot')]).hasListed)).toEqual([]);
    expect(new Set(read()).size).toBe(listed.filter(({ name }) => name?.startsWith('db-7')).length);
  });

  it('its rules are checked with a few looks at each server, however many roles name servers', () => {
    const raw = watched(listed);
    const names = listed.slice(0, 200).flatMap(({ id, name }) => [name, id, `${id}-${id + 5}`]);
    const roles = names.map((name, at) => ({
      role: `${1200000000000001000n + BigInt(at)}`,
      name: `r${at}`,
      allow: ['read'],
      servers: [name],
    }));
    expect(brokenRules({ roles, servers: raw.all }, known, { servers: [] })).toEqual([]);
    expect(raw.read().length).toBeLessThan(10 * many);
  });
});
