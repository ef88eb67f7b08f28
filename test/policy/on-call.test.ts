import { describe, expect, it } from 'vitest';
import { whyNot } from '../../src/card.ts';
import { deciding } from '../../src/policy/decide.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { readPolicy } from '../../src/policy/load.ts';
import { serversOf } from '../../src/policy/server.ts';
import { atOnce } from '../../src/walk.ts';
import { command, known, lead, onCall, policyOf } from '../helpers/policy/known.ts';

const text = `roles:
  - { role: "${lead}", name: lead, allow: ["power.*"] }
  - role: "${onCall}"
    name: on-call
    allow: [read]
  - role: "${onCall}"
    name: on-call
    allow: [power.boot]
    during-freeze: [power.boot]
    on-call: primary
    break-glass: true
    allow-in-emergency: [power.poweroff]
  - { role: "1200000000000000004", name: reviewer, allow: [approve] }
on-call:
  - { name: primary, ical-file: /run/secrets/primary, match: attendee, role: lead, people: { a@b: "1400000000000000001" } }
servers: [{ id: 101, name: web-1 }]
`;
const policy = policyOf(text);
const servers = atOnce(inventory(atOnce(serversOf(policy))));
const rules = deciding(policy, servers);
const unknown = deciding(policy, servers, () => false);
const [boot, off, show] = [command('power.boot'), command('power.poweroff'), command('firewall.show')];
const server = { id: 101 };
const shift = 'on-call:primary';

describe('a row that is for a shift', () => {
  it('is for those who have its role and the shift, and for nobody with one of them', () => {
    const may = (...roles: string[]) => rules.decide({ roles, command: boot, server }).allowed;
    expect([may(onCall), may(shift), may(onCall, 'on-call:secondary'), may(onCall, shift), may(lead)]).toEqual([
      ...[false, false, false, true, true],
    ]);
  });

  it('is that in a freeze, in an emergency, and for what people see of servers, too', () => {
    const asked = { command: off, server, emergency: true };
    for (const [roles, is] of [
      [[onCall], false],
      [[onCall, shift], true],
    ] as const) {
      expect(rules.mayDuringFreeze(roles, boot, server)).toBe(is);
      expect(rules.decide({ roles, ...asked }).allowed).toBe(is);
      expect(rules.reachOf(roles, [boot]).has(server)).toBe(is);
    }
  });

  it('leaves the other rows of its role as they are', () => {
    expect(rules.decide({ roles: [onCall], command: show, server }).allowed).toBe(true);
  });

  it.each([
    [
      rules,
      'Not allowed: your role has `power.boot` only while you have the shift of `primary`. /oncall says who has it.',
    ],
    [
      unknown,
      'Not allowed: your role has `power.boot` only with the shift of `primary`, and who has it is not known: its calendar was not read for an hour. /oncall says more.',
    ],
  ])('says why it is not there', (by, words) => {
    for (const at of [server, undefined]) {
      const decision = by.decide({ roles: [onCall], command: boot, server: at });
      expect(decision.allowed ? [] : whyNot(decision).map(({ markup }) => markup)).toEqual([
        words,
        'Roles that may: `lead` and `on-call`.',
      ]);
    }
  });

  it('says nothing of shifts to those who have no such role', () => {
    expect(rules.decide({ roles: [], command: boot, server })).toMatchObject({ why: 'role' });
  });
});

it.each([
  ['on-call: primary', 'on-call: primry', 'No schedule under `on-call` has this name. The nearest is primary.'],
  ['role: lead', 'role: leed', 'No role of this file has this name. The nearest is lead.'],
  ['/run/secrets/primary', 'primary.txt', 'The absolute path of a file'],
  ['match: attendee', 'match: guess', 'One of: attendee, summary.'],
  ['a@b: "1400000000000000001"', 'a@b: 1', 'A mapping from what the calendar has for a person'],
])('is wrong: %s as %s', (right, wrong, rule) => {
  expect(JSON.stringify(readPolicy(text.replace(right, wrong), known))).toContain(rule);
});

it('a handover at each shift needs a schedule', () => {
  const [before = ''] = text.split('on-call:\n  -');
  const roles = before.replace('    on-call: primary\n', '');
  expect(JSON.stringify(readPolicy(`${roles}handover-at-shift: on`, known))).toContain(
    'No shift would change: there is no schedule under `on-call`.',
  );
});
