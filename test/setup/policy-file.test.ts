import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { labelOf, type PolicyDraft, policyText } from '../../src/setup/draft.ts';
import { presets } from '../../src/setup/presets.ts';

const guild = { id: '1100000000000000001', name: 'Example Hosting' };
const draft: PolicyDraft = {
  guild,
  channels: [{ id: '1300000000000000001', name: 'ops' }],
  roles: [
    { role: { id: '1200000000000000001', name: 'viewer' }, row: { name: 'viewer', allow: ['read'] } },
    {
      role: { id: '1200000000000000002', name: 'On Call 🚨' },
      row: { name: 'On Call', allow: ['read', 'write', 'power.*'], servers: ['web-*', 100] },
    },
    { role: { id: '1200000000000000003', name: 'lead' }, row: { name: 'lead', allow: ['*'] } },
  ],
  servers: [{ id: 101, name: 'web-1' }],
  unlisted: 'read',
  kept: ['# a slip of a digit\nlimits: { ipv4.assign: 8 }\n'],
};

const rows = presets.flatMap(({ levels }) => levels.map(({ row }) => row));

describe('policy.yaml', () => {
  it('has rows for roles and servers, and keeps what was there', () => {
    // The rest of it, with the comments, is what test/smoke/setup.test.ts has written.
    const text = policyText(draft);
    expect(text).toContain(`
  - role: "1200000000000000002" # On Call 🚨
    name: "On Call"
    allow: [read, write, "power.*"]
    servers: ["web-*", 100]
`);
    expect(text).toContain('\n  - { id: 101, name: web-1 }\n');
    expect(text).toContain('\nunlisted: read\n\n# a slip of a digit\nlimits: { ipv4.assign: 8 }\n');
    expect(policyFor(text, guild.id)).toHaveProperty('policy.limits', { 'ipv4.assign': 8 });
  });

  it('has no list of channels for a bot that answers everywhere, and none of servers where none has a name', () => {
    const { channels: _, ...everywhere } = draft;
    const viewer = draft.roles[0];
    const text = policyText({
      ...everywhere,
      roles: typeof viewer === 'object' ? [viewer] : [],
      servers: [],
      unlisted: 'all',
      kept: [],
    });
    expect(text).not.toMatch(/^(?:channels|servers):/m);
    expect(policyFor(text, guild.id)).toMatchObject({ policy: { servers: [], unlisted: 'all' } });
  });

  it('loads, whatever guild, roles and channels are called', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom(
        'a\nroles: []',
        '\u2028unlisted: all',
        '\u0085x',
        '@everyone',
        'null',
        '',
        '# x',
        '\u001b[2J',
        '\u202egnitset',
      ),
    );
    const named = (id: string) => name.map((text) => ({ id, name: text }));
    const all = fc.tuple(
      named(guild.id),
      named('1300000000000000001'),
      named('1200000000000000001'),
      named('1200000000000000002'),
    );
    fc.assert(
      fc.property(all, fc.constantFrom(...rows), ([where, channel, one, two], { allow }) => {
        const first = labelOf(one, []);
        const text = policyText({
          guild: where,
          channels: [channel],
          roles: [
            { role: one, row: { name: first, allow } },
            { role: two, row: { name: labelOf(two, [first]), allow } },
          ],
          servers: [],
          unlisted: 'nothing',
          kept: [],
        });
        expect(policyFor(text, guild.id)).toMatchObject({
          policy: {
            unlisted: 'nothing',
            channels: [channel.id],
            roles: [
              { role: one.id, allow },
              { role: two.id, allow },
            ],
          },
        });
        expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
      }),
    );
  });
});
