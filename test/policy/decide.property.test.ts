import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { requirements } from '../../src/policy/decide.ts';
import { readPolicy } from '../../src/policy/load.ts';
import type { Policy, Stricter } from '../../src/policy/schema.ts';
import { decide, guild, known, policyOf } from '../helpers/policy/known.ts';
import { tries } from '../helpers/tries.ts';

const roleIds = ['1200000000000000001', '1200000000000000002', '1200000000000000003'];
const groups = ['panel', 'hypervisors', 'firewall', 'whitelist', 'ipv4', 'power', 'traffic', 'backup', 'cpu', 'vlan'];

const entry = fc.constantFrom(
  'read',
  'write',
  'destructive',
  '*',
  '*.show',
  ...groups.map((group) => `${group}.*`),
  ...commands.map(({ id }) => id),
);
const target = fc.constantFrom('web-*', '*', 'db-?', 'WEB-1', 101, '201', '100-199', '100-500');
const role = fc.record(
  {
    role: fc.constantFrom(...roleIds),
    name: fc.constantFrom('viewer', 'on-call', 'lead'),
    allow: fc.array(entry, { maxLength: 3 }),
    servers: fc.array(target, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['role', 'name', 'allow'] },
);
const stricter: fc.Arbitrary<Stricter> = fc.record(
  {
    match: fc.array(entry, { minLength: 1, maxLength: 3 }),
    confirm: fc.constant<true>(true),
    typed: fc.constant<true>(true),
    reason: fc.constant<'required'>('required'),
  },
  { requiredKeys: ['match'] },
);
const base = policyOf(`roles: [{ role: "${roleIds[0]}", name: viewer, allow: [read] }]
servers: [{ id: 101, name: web-1 }, { id: 111, name: db-1 }, { id: 201, name: lab-1 }]
`);
const policies: fc.Arbitrary<Policy> = fc
  .record({
    roles: fc.array(role, { maxLength: 4 }),
    commands: fc.array(stricter, { maxLength: 3 }),
    unlisted: fc.constantFrom('nothing', 'read', 'all'),
  })
  .map((of) => ({ ...base, ...of }));
/** What audit commands show of a server, they decide line by line. */
const asked = commands.filter(({ id, danger }) => id !== 'help' && id !== 'can' && danger !== 'audit');
const asks = fc.record(
  {
    roles: fc.uniqueArray(fc.constantFrom(...roleIds, guild, '1200000000000000009')),
    command: fc.constantFrom(...asked),
    server: fc.constantFrom({ id: 101 }, { id: 111 }, { id: 201 }, { id: 150 }, { id: 999 }),
  },
  { requiredKeys: ['roles', 'command'] },
);

/** What the words of the file mean, written a second time and as plainly as possible. */
function isWritten(
  policy: Policy,
  ask: { roles: string[]; command: { id: string; danger: string }; server?: { id: number } },
) {
  const { command, server } = ask;
  const globs = (text: string | number, subject: string) =>
    new RegExp(`^${String(text).replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i').test(
      subject,
    );
  const names: Record<number, string> = { 101: 'web-1', 111: 'db-1', 201: 'lab-1' };
  return policy.roles.some((row) => {
    if (!ask.roles.includes(row.role)) return false;
    const isByName = ['freeze', 'thaw', 'hold', 'release', 'panel.refresh'].includes(command.id);
    const means = (rule: string): boolean =>
      isByName ? rule === command.id : rule === command.danger || globs(rule, command.id);
    if (!row.allow.some(means)) return false;
    if (server === undefined) return true;
    const name = names[server.id];
    if (name === undefined && policy.unlisted === 'nothing') return false;
    if (name === undefined && policy.unlisted === 'read' && command.danger !== 'read') return false;
    if (row.servers === undefined) return true;
    return row.servers.some((each) => {
      const [from, to] = String(each).split('-').map(Number);
      if (from !== undefined && from > 0) return server.id >= from && server.id <= (to ?? from);
      return name !== undefined && globs(each, name);
    });
  });
}

describe('of any policy', () => {
  it('allows exactly what is written', () => {
    fc.assert(
      fc.property(policies, asks, (policy, ask) => {
        expect(decide(policy, ask).allowed).toBe(isWritten(policy, ask));
      }),
      { numRuns: tries(2000) },
    );
  });

  it('gives a yes only by a role that the person has and a rule that this role has', () => {
    fc.assert(
      fc.property(policies, asks, (policy, ask) => {
        const decision = decide(policy, ask);
        if (!decision.allowed) return;
        const rows = policy.roles.filter((row) => row.name === decision.role && ask.roles.includes(row.role));
        expect(rows.some((row) => row.allow.includes(decision.by))).toBe(true);
      }),
      { numRuns: tries(1000) },
    );
  });

  it('names as holders just the roles that would be allowed', () => {
    fc.assert(
      fc.property(policies, asks, (policy, ask) => {
        const decision = decide(policy, ask);
        if (decision.allowed) return;
        const may = policy.roles.filter((row) => isWritten({ ...policy, roles: [row] }, { ...ask, roles: [row.role] }));
        expect(decision.holders).toEqual([...new Set(may.map(({ name }) => name))]);
      }),
      { numRuns: tries(1000) },
    );
  });

  it('does not depend on the order of rows, rules or the roles of a person', () => {
    fc.assert(
      fc.property(policies, asks, (policy, ask) => {
        const turned = policy.roles.map((row) => ({ ...row, allow: row.allow.toReversed() })).toReversed();
        const other = decide({ ...policy, roles: turned }, { ...ask, roles: ask.roles.toReversed() });
        expect(other.allowed).toBe(decide(policy, ask).allowed);
        expect(decide(policy, { ...ask, roles: ask.roles.toReversed() })).toEqual(decide(policy, ask));
      }),
      { numRuns: tries(1000) },
    );
  });

  it('is never made looser by another row of commands', () => {
    fc.assert(
      fc.property(policies, stricter, asks, (policy, row, ask) => {
        const more = { ...policy, commands: [...policy.commands, row] };
        const [before, after] = [requirements(policy, ask.command), requirements(more, ask.command)];
        for (const key of ['confirm', 'typed', 'reason'] as const) {
          if (before[key]) expect(after[key]).toBe(true);
        }
        expect(decide(more, ask)).toEqual(decide(policy, ask));
      }),
      { numRuns: tries(1000) },
    );
  });

  it('refuses @everyone in any row', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.array(entry, { minLength: 1, maxLength: 3 }), (at, allow) => {
        const roles = roleIds.map((id, index) => ({ role: id, name: `role ${index}`, allow }));
        roles.splice(at, 0, { role: guild, name: 'all', allow });
        const read = readPolicy(JSON.stringify({ roles }), known);
        expect(read).toMatchObject({ problems: [{ place: expect.stringContaining('].role') }] });
      }),
    );
  });
});
