import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { guildFor } from '../../src/sandbox/discord/plan.ts';
import { runHere } from '../helpers/here.ts';
import { folder } from '../helpers/ledger/samples.ts';

const policy = `
roles:
  - { role: "2200000000000000001", name: reader, allow: [hypervisors.groups] }
  - { role: "2200000000000000002", name: night, allow: [power.boot, "power.p*"], servers: ["web-*"], on-call: primary }
  - { role: "2200000000000000002", name: night, allow: [server.show], break-glass: true, allow-in-emergency: [backup.restore] }
  - { role: "2200000000000000003", name: lead, allow: [power.poweroff, approve] }
commands:
  - { match: [power.poweroff], tiers: [production], approvals: 2, reason: required }
servers:
  - { id: 1, name: web-1, tier: production }
  - { id: 2, name: db-1, tier: production }
  - { id: 3, name: web-9, tier: lab }
  - { id: 4, name: spare-1 }
on-call:
  - { name: primary, ical-file: /calendar, role: lead, match: attendee, people: { "a@example.com": "1200000000000000001" } }
`;

async function printed(text: string, ...args: string[]) {
  const dir = folder();
  writeFileSync(join(dir, 'team.yaml'), text);
  return await runHere(['policy', 'team.yaml', ...args], {}, dir);
}

/** What is said of a role, without what it may not. */
const sectionOf = (out: string, role: string): string[] =>
  (out.split('\n\n').find((each) => each.startsWith(role)) ?? '').split('\n').slice(1);

it('Who may what is printed by role: where, what is asked, and by which entry', async () => {
  const { code, stdout, stderr } = await printed(policy);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(sectionOf(stdout, 'reader (2200000000000000001)').slice(0, 2)).toEqual([
    '  /hypervisors groups',
    '    yes, by hypervisors.groups',
  ]);
  const night = sectionOf(stdout, 'night (2200000000000000002)');
  expect(night.slice(0, night.lastIndexOf('    no')).join('\n')).toContain(`  /server show
    yes, by server.show
  /power boot
    lab: yes, by power.boot with the shift of primary
    production: on some of the servers, by power.boot with the shift of primary
    no tier: no
  /power poweroff
    lab: yes, asks first, by power.p* with the shift of primary
    production: on some of the servers, asks first, reason required, 2
      approvals, by power.p* with the shift of primary
    no tier: no
  /backup restore
    only with break-glass, asks first, by backup.restore`);
  expect(sectionOf(stdout, 'lead (2200000000000000003)').slice(0, 5)).toEqual([
    '  /power poweroff',
    '    lab, no tier: yes, asks first, by power.poweroff',
    '    production: yes, asks first, reason required, 2 approvals, by power.poweroff',
    '  approving',
    '    yes, by approve',
  ]);
});

it('With --csv each role, command and tier has a row', async () => {
  const { code, stdout } = await printed(policy, '--csv');
  expect(code).toBe(0);
  const lines = stdout.split('\r\n');
  expect(lines[0]).toBe('role_id,role,command,tier,may,asks,reason,approvals,break_glass,by');
  expect(lines).toContain(
    '2200000000000000002,night,power.poweroff,production,some,confirm,required,2,no,power.p* with the shift of primary',
  );
  expect(lines).toContain('2200000000000000003,lead,approve,lab,yes,,,0,no,approve');
});

it('A policy with a mistake is not printed, and the mistake is named', async () => {
  const { code, stdout, stderr } = await printed(policy.replace('power.boot', 'power.bot'));
  expect([code, stdout]).toEqual([78, '']);
  expect(stderr).toContain('power.bot');
});

it('The sandbox has a person for each role, called like it, and one without', () => {
  const roles = [
    { role: '2200000000000000001', name: 'Tier 1' },
    { role: '2200000000000000002', name: 'tier-1' },
    { role: '2200000000000000003', name: 'as' },
    { role: '2200000000000000003', name: 'as' },
  ];
  const { people, channels } = guildFor(roles, ['2300000000000000001', '2300000000000000002']);
  expect(people.map(({ name, role }) => [name, role])).toEqual([
    ['tier-1', 'Tier 1'],
    ['tier-1-2', 'tier-1'],
    ['as-2', 'as'],
    ['nobody', undefined],
  ]);
  expect(channels.map(({ name }) => name)).toEqual(['ops', 'ops-2', 'audit', 'random']);
});
