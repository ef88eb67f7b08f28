import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { labelOf, type PolicyDraft } from '../../src/setup/draft.ts';
import { policyText } from '../../src/setup/policy-file.ts';
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
  it('is short, says in plain words what it means, and keeps what was there', () => {
    expect(policyText(draft)).toBe(`# Who may do what in Example Hosting. Nothing is allowed that is not written here.
# Written by panelops setup; edit it as you like: docs/policy.md has every key.

# The bot answers in these channels and their threads.
channels:
  - "1300000000000000001" # ops

# What the holders of each Discord role may do. read: look. write: change what
# can be taken back. destructive: the rest, asked before each. audit: look into
# the ledger. "*": all of these; approve, freeze and the like are named by id.
roles:
  - role: "1200000000000000001"
    name: viewer
    allow: [read]
  - role: "1200000000000000002" # On Call 🚨
    name: "On Call"
    allow: [read, write, "power.*"]
    servers: ["web-*", 100]
  - role: "1200000000000000003"
    name: lead
    allow: ["*"]

# Servers by name. docs/policy.md lists their other keys.
servers:
  - { id: 101, name: web-1 }

# What may be done to a server that is not listed under \`servers\`, by its id in
# the panel: nothing, read, or all that the roles allow.
unlisted: read

# a slip of a digit
limits: { ipv4.assign: 8 }
`);
    expect(policyFor(policyText(draft), guild.id)).toHaveProperty('policy.limits', { 'ipv4.assign': 8 });
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
