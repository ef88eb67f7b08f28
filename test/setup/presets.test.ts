import { expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { features, levelNamed, type Preset, presets } from '../../src/setup/presets.ts';
import { examplePolicy } from '../helpers/check/scene.ts';
import { guild, policyTextOf } from '../helpers/setup/presets.ts';

const policyOf = (preset: Preset) => {
  const read = policyFor(policyTextOf(preset), guild.id);
  if (!('policy' in read)) throw new Error(JSON.stringify(read));
  return read.policy;
};

const presetNamed = (name: string): Preset => {
  const found = presets.find(({ label }) => label.startsWith(name));
  if (found === undefined) throw new Error(name);
  return found;
};

it.each(presets.map((preset) => [preset.label, preset] as const))(
  '%s fits into 80 columns, as its choices do',
  (_, preset) => {
    // Before each choice stand five signs, and its hint is in brackets.
    const lines = [
      ...policyTextOf(preset).split('\n'),
      `     ${preset.label}`,
      ...preset.levels.map(({ label, hint }) => `     ${label} (${hint})`),
    ];
    expect(lines.filter((line) => line.length > 80 && !line.includes('2001:db8'))).toEqual([]);
  },
);

it('on call with leads is the policy of the tour, but for what is of its own servers, panel and alerts', () => {
  const tour = policyFor(examplePolicy, guild.id);
  if (!('policy' in tour)) throw new Error('the example does not load');
  const { roles, commands, limits, several, auditChannel, askOthers } = tour.policy;
  expect(policyOf(presetNamed('On call'))).toMatchObject({
    roles: roles.map(({ servers: _, ...role }) => ({
      ...role,
      allow: role.allow.filter((each) => each !== 'alerts.acknowledge'),
    })),
    commands: commands.filter(({ tiers }) => tiers === undefined),
    limits,
    several,
    auditChannel,
    askOthers,
  });
});

it('says what is on and what is off with each, and the key that turns it on', () => {
  const audit = '1300000000000000002';
  expect(features(policyOf(presetNamed('Small team')), audit)).toEqual({
    on: ['a trail of everything that happens', 'freezes and holds'],
    off: [
      'asking a lead after a denial: ask-others: on',
      'break-glass, reviewed afterwards: break-glass and allow-in-emergency at a role',
      'a second person: approvals: 1 in `commands`',
      'seeing how a restore ends: restore-status',
      'the dates of backups in a restore: backup-list',
      'seeing how power actions end: queue-status: on',
      'a pinned list of what is open: handover-pin: on',
    ],
  });
  expect(features(policyOf(presetNamed('Strict')), audit).on).toEqual([
    'a trail of everything that happens',
    'freezes and holds',
    'asking a lead after a denial',
    'break-glass, reviewed afterwards',
    'a second person',
  ]);
  expect(features(policyOf(presetNamed('On call')), undefined).off[0]).toBe(
    'a trail of everything that happens: AUDIT_CHANNEL_ID in .env',
  );
});

it.each([
  ['viewer', 'Viewer'],
  ['Viewers', 'Viewer'],
  ['on-call', 'On-call'],
  ['On Call', 'On-call'],
  ['Leads', 'Lead'],
  ['admin', undefined],
  ['misleading', undefined],
  ['on-call-readonly', undefined],
  ['lead-guitar', undefined],
  ['運用', undefined],
])('the role %s begins as %s', (role, level) => {
  const { levels } = presetNamed('On call');
  expect(levels[levelNamed(levels, role)]?.label).toBe(level);
});
