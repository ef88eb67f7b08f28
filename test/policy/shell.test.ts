import { expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { known } from '../helpers/policy/known.ts';

const rows = 'roles:\n  - { role: "1200000000000000009", name: lead, allow: [read] }\nshell:\n  people:\n';

it.each([
  ['{ account: root, discord: "1400000000000000001" }', 'Root cannot be a person'],
  ['{ account: 0, discord: "1400000000000000001" }', 'Root cannot be a person'],
  ['{ account: alice, discord: 140 }', '17 to 19 digits'],
  ['{ account: alice, discord: "1400000000000000001", roles: [laed] }', 'The nearest is lead.'],
  ['{ account: bob, discord: "1400000000000000002" }', 'shell.people[0] has this account already.'],
])('%s is no person of the shell', (row, rule) => {
  const read = readPolicy(
    `${rows}    - { account: bob, discord: "1400000000000000001", roles: [lead] }\n    - ${row}\n`,
    known,
  );
  expect(JSON.stringify(read)).toContain(rule);
});
