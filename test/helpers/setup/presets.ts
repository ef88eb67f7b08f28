import { policyText } from '../../../src/setup/draft.ts';
import type { Preset } from '../../../src/setup/presets.ts';

export const guild = { id: '1100000000000000001', name: 'Sandbox' };
const ids = { viewer: '1200000000000000001', oncall: '1200000000000000002', lead: '1200000000000000003' };
const roleNamed: Record<string, { id: string; name: string }> = {
  Viewer: { id: ids.viewer, name: 'viewer' },
  'On-call': { id: ids.oncall, name: 'on-call' },
  Lead: { id: ids.lead, name: 'lead' },
  Team: { id: ids.lead, name: 'team' },
};

/** The policy that setup writes for a team with a role of each level, and one server. */
export const policyTextOf = ({ levels, sections }: Preset): string =>
  policyText({
    guild,
    channels: [{ id: '1300000000000000001', name: 'ops' }],
    roles: levels.map(({ label, row }) => {
      const role = roleNamed[label] ?? { id: '', name: label };
      return { role, row: { name: role.name, ...row } };
    }),
    servers: [{ id: 101, name: 'web-1', tier: 'production', ips: ['192.0.2.101', '2001:db8::1'], group: 1 }],
    unlisted: 'nothing',
    kept: Object.values(sections),
  });
