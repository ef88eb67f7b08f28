import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { namesToAsk, pingsToAsk, recipientsOf } from '../../src/policy/notify.ts';
import { known, policyOf } from '../helpers/policy/known.ts';

const roles = `roles:
  - { role: "1200000000000000001", name: viewer, allow: [read] }
  - { role: "1200000000000000003", name: lead, allow: ["*"] }
`;
const alice = '1400000000000000001';

function pings(notify: string, ...news: Parameters<typeof recipientsOf>[1]): readonly string[] {
  const read = readPolicy(`${roles}${notify}`, known);
  if (!('policy' in read)) throw new Error(JSON.stringify(read.problems));
  return recipientsOf(read.policy, news, alice);
}

it('the requester is pinged by default', () => {
  expect(pings('', 'unknown')).toEqual([alice]);
  expect(pings('notify: { failed: nobody }', 'unknown', 'slow')).toEqual([alice]);
});

it('a role is, by its name, each once', () => {
  expect(pings('notify: { failed: [lead, requester], slow: [requester] }', 'failed', 'slow')).toEqual([
    '&1200000000000000003',
    alice,
  ]);
});

it('nobody is', () => {
  expect(pings('notify: { unknown: nobody }', 'unknown')).toEqual([]);
  expect(pings('')).toEqual([]);
});

it('on-call is who has the shift where there are schedules; without any, a role may have this name', () => {
  const schedule =
    'on-call: [{ name: primary, ical-file: /x, match: summary, role: lead, people: { Bob: "1400000000000000002" } }]';
  const policy = policyOf(`${roles}notify: { failed: [on-call, requester] }\n${schedule}`);
  expect(recipientsOf(policy, ['failed'], alice, () => ['1400000000000000002', alice])).toEqual([
    '1400000000000000002',
    alice,
  ]);
  const named = policyOf(`${roles.replace('name: lead', 'name: on-call')}notify: { failed: [on-call] }`);
  expect(recipientsOf(named, ['failed'], alice, () => ['1400000000000000002'])).toEqual(['&1200000000000000003']);
});

describe('a request', () => {
  const [viewer, lead, bob] = ['1200000000000000001', '1200000000000000003', '1400000000000000002'];
  const schedule = (role: string) =>
    `on-call: [{ name: primary, ical-file: /x, match: summary, role: ${role}, people: { Bob: "${bob}" } }]`;
  const asks = (who: string, may: readonly string[], role = 'lead', requester = alice) => {
    const policy = policyOf(`${roles}ask-others: ${who}\n${schedule(role)}`);
    return [namesToAsk(policy, may), pingsToAsk(policy, may, requester, () => [bob])];
  };

  it.each<[string, ReturnType<typeof asks>, readonly string[], readonly string[]]>([
    ['asks all who may', asks('on', [viewer, lead]), ['viewer', 'lead'], [`&${viewer}`, `&${lead}`]],
    ['asks those that are listed', asks('[lead]', [viewer, lead]), ['lead'], [`&${lead}`]],
    ['asks who is on call instead of their role', asks('[on-call]', [viewer, lead]), ['on-call'], [bob]],
    ['asks both', asks('[on-call, lead]', [lead]), ['on-call', 'lead'], [bob, `&${lead}`]],
    ['asks all who may, where none of them is listed', asks('[lead]', [viewer]), ['viewer'], [`&${viewer}`]],
    ['asks nobody on call whose role may not', asks('[on-call]', [lead], 'viewer'), ['lead'], [`&${lead}`]],
    ['asks others than whoever asks', asks('[on-call]', [lead], 'lead', bob), ['on-call'], [`&${lead}`]],
    ['has no button', asks('off', [lead]), [], [`&${lead}`]],
  ])('%s', (_what, [names, pinged], expectedNames, expectedPings) => {
    expect(names).toEqual(expectedNames);
    expect(pinged).toEqual(expectedPings);
  });
});

it.each([
  ['ask-others: [leed]', 'No role of this file has this name. The nearest is lead.'],
  ['ask-others: lead', 'on, off, or a list of on-call and names of roles in this file.'],
  ['notify: { failed: [leed] }', 'No role of this file has this name. The nearest is lead.'],
  [
    'notify: { failed: everyone }',
    'requester, nobody, or a list of requester, on-call and names of roles in this file.',
  ],
  [
    'notify: { fail: nobody }',
    'Unknown key. The nearest is failed. Known here: failed, unknown, restore, slow, answered, done.',
  ],
])('is wrong: %s', (notify, rule) => {
  expect(JSON.stringify(readPolicy(`${roles}${notify}`, known))).toContain(rule);
});
