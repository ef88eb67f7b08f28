import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { fieldsOf } from '../../src/policy/source.ts';
import { example, known, policyOf } from '../helpers/policy/known.ts';

describe('inventory', () => {
  it.each([
    ['source: panel', 'inventory (line 16): How the panel lists its servers is missing.'],
    ['source: panel, path: /servers', 'inventory (line 16): How the panel lists its servers is missing.'],
    ['source: panel, preset: virtfusion, path: /../tokens', 'inventory.path (line 16): The path below /api/v1'],
    ['source: panel, preset: virtfusion, path: /servers/%2e%2e', 'inventory.path (line 16): The path below'],
    ['source: panel, preset: virtfusion, path: //panel.example', 'inventory.path (line 16): The path below'],
    ['source: panel, preset: virtfusion, path: "/servers?page=2"', 'inventory.path (line 16): The path below'],
    ['source: panel, path: /servers, id: id', 'inventory.id (line 16): A JSON pointer'],
    ['source: panel, preset: virtfusion, tier: /tier', 'inventory.tier (line 16): Unknown key.'],
  ])('with %s is wrong', (source, rule) => {
    const read = readPolicy(`${example}inventory: { ${source} }\n`, known);
    const problems = 'problems' in read ? read.problems.map((each) => `${each.place}: ${each.rule}`) : [];
    expect(problems.filter((each) => each.startsWith(rule))).toHaveLength(1);
  });

  it('takes what it says over the preset', () => {
    const { inventory } = policyOf(`${example}inventory: { source: panel, preset: virtfusion, addresses: /ips }\n`);
    expect(inventory?.source === 'panel' && fieldsOf(inventory)).toEqual({
      path: '/servers?type=simple',
      id: '/id',
      name: '/name',
      suspended: '/suspended',
      protected: '/protected',
      hypervisor: '/hypervisorId',
      addresses: '/ips',
    });
  });
});
