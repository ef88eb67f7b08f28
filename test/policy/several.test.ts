import { describe, expect, it } from 'vitest';
import { mostServers } from '../../src/policy/decide.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { readPolicy } from '../../src/policy/load.ts';
import { selectors } from '../../src/policy/selectors.ts';
import { serversOf } from '../../src/policy/server.ts';
import { atOnce } from '../../src/walk.ts';
import { command, example, known, policyOf } from '../helpers/policy/known.ts';

const policy = policyOf(`roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]
servers:
  - { id: 1, name: web-1, tier: Production, group: 1 }
  - { id: 2, name: WEB-2, tier: staging, group: 2 }
  - { id: 3, name: web-10, tier: production, group: 1 }
  - { id: 4, name: web, tier: staging area }
  - { id: 5, name: db.eu-1 }
  - { id: 6, name: 7up }
`);
const listed = atOnce(serversOf(policy));
const { serversOf: meant, beginningWith } = atOnce(selectors(atOnce(inventory(listed))));
const ids = (text: string): number[] | undefined => meant(text)?.map(({ id }) => id);

describe('a tier, a group, a glob', () => {
  it.each([
    ['tier:production', [1, 3]],
    ['TIER:PRODUCTION', [1, 3]],
    [' tier: staging area ', [4]],
    ['tier:stag', []],
    ['tier:', []],
    ['tier:staging*', []],
    ['group:1', [1, 3]],
    ['group:01', []],
    ['group:', []],
    ['web-*', [1, 2, 3]],
    ['WEB-?', [1, 2]],
    ['*', [1, 2, 3, 4, 5, 6]],
    ['?', []],
    ['*-1', [1, 5]],
    ['db.*', [5]],
    ['dbx*', []],
    ['tier:*', []],
  ])('%j stands for %j, in the order of the file', (text, found) => {
    expect(ids(text)).toEqual(found);
  });

  it.each(['', 'web', 'web-1', '101', '192.0.2.101', '2001:db8::a', 'tiers:production', 'tier', '__proto__', '[a-z]'])(
    '%j is none of these',
    (text) => {
      expect(meant(text)).toBeUndefined();
    },
  );
});

describe('what begins with what is typed', () => {
  const texts = (typed: string): string[] => [...beginningWith(typed)].map(({ text }) => text);

  it('is a tier or group, by its name too; or the names that differ in their last number', () => {
    expect(texts('')).toEqual([
      ...['tier:Production', 'tier:staging', 'tier:staging area'],
      ...['group:1', 'group:2', 'web-*', 'db.eu-*'],
    ]);
    expect(texts('tier:')).toEqual(['tier:Production', 'tier:staging', 'tier:staging area']);
    expect(texts('STAG')).toEqual(['tier:staging', 'tier:staging area']);
    expect(texts('tier:staging')).toEqual(['tier:staging', 'tier:staging area']);
    expect(texts('we')).toEqual(['web-*']);
    expect(texts('nothing')).toEqual([]);
  });

  it('is a glob as it is typed, once', () => {
    expect(texts('web-*')).toEqual(['web-*']);
    expect(texts('*-1')).toEqual(['*-1']);
  });

  it('has its servers', () => {
    expect([...beginningWith('WE')].map(({ servers }) => servers.map(({ id }) => id))).toEqual([[1, 2, 3]]);
  });
});

describe('how many servers a command may be about', () => {
  const rules = { most: 6, also: ['firewall.*'] };

  it.each([
    ['power.boot', 'always', 6],
    ['firewall.flush', 'where-allowed', 6],
    ['backup.restore', 'where-allowed', 1],
    ['firewall.show', undefined, 1],
  ] as const)('%s, which takes several %s: %i', (id, takes, most) => {
    expect(mostServers(rules, command(id), takes)).toBe(most);
  });
});

describe('several in the policy', () => {
  const read = (several: string) => {
    const policy = readPolicy(`${example}several: ${several}\n`, known);
    return 'problems' in policy ? policy.problems.map(({ rule }) => rule) : policy.policy.several;
  };

  it.each([
    ['{}', { most: 10, also: [] }],
    ['{ most: 20 }', { most: 20, also: [] }],
    ['{ also: [backup.restore] }', { most: 10, also: ['backup.restore'] }],
    ['{ also: ["firewall.*", "*"] }', { most: 10, also: ['firewall.*', '*'] }],
  ])('%s', (several, found) => {
    expect(read(several)).toEqual(found);
  });

  const number = 'The most servers of one command: a whole number from 1 to 20.';
  const there = 'There is: backup.restore, firewall.flush, firewall.replace.';

  it.each([
    ['{ most: 0 }', [number]],
    ['{ most: 21 }', [number]],
    ['{ most: 2.5 }', [number]],
    ['{ most: "10" }', [number]],
    ['{ also: [] }', ['A list of commands that take one server and may take several: command ids, globs.']],
    [
      '{ also: [firewall.flsh] }',
      [`No command has this id or fits this glob: "firewall.flsh". The nearest is firewall.flush. ${there}`],
    ],
    ['{ also: [power.boot] }', [`This does not name a command that takes one server and may take several. ${there}`]],
    ['{ also: [destructive] }', [`This does not name a command that takes one server and may take several. ${there}`]],
    ['{ least: 1 }', ['Unknown key. Known here: most, also.']],
    ['ten', ['several is a mapping of: most, also.']],
  ])('%s is reported', (several, rules) => {
    expect(read(several)).toEqual(rules);
  });
});
