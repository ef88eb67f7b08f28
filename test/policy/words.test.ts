import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { examplePolicy } from '../helpers/check/scene.ts';
import { changed, example, guild, wrongIn } from '../helpers/policy/known.ts';

describe('a word that the policy does not know', () => {
  it.each([
    ['raed', '"raed". The nearest is read.'],
    ['Write', '"Write". The nearest is write.'],
    ['firewal.flush', '"firewal.flush". The nearest is firewall.flush.'],
    ['powr.*', '"powr.*". The nearest is power.*.'],
    ['ipv4.asign', '"ipv4.asign". The nearest is ipv4.assign.'],
  ])('quotes %s, and says which word is the nearest', (word, said) => {
    expect(wrongIn(changed('allow: [read]', `allow: ["${word}"]`))[0]).toContain(`not a danger level: ${said}`);
    expect(wrongIn(changed('[backup.restore]', '[backup.restor]'))[0]).toContain(
      'fits this glob: "backup.restor". The nearest is backup.restore.',
    );
  });

  it('offers a whole group to nobody who did not write a glob', () => {
    expect(wrongIn(changed('allow: [read]', 'allow: [power.x]')).join()).not.toContain('power.*');
  });

  it.each(['power.boot4f9c1a', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'MTA0NTg2', `${'a'.repeat(33)}`])(
    'does not quote %s, which looks like no name',
    (word) => {
      const [problem] = wrongIn(changed('allow: [read]', `allow: ["${word}"]`));
      expect(problem).toContain('No command has this id or matches this glob, and it is not a danger level.');
      expect(problem).not.toContain(word);
    },
  );

  it('says which key is the nearest to one that it does not know', () => {
    expect(wrongIn(changed('unlisted: nothing', 'unlistd: nothing'))).toEqual([
      'unlistd (line 14): Unknown key. The nearest is unlisted. Known here: channels, roles, commands, servers, ' +
        'inventory, inventory-rights, tiers, unlisted, limits, several, audit-channel, restore-status, backup-list, queue-status, follow-ups, notify, ask-others, on-call, handover-at-shift, handover-pin, shell, alerts, timezone, rulesets, vlans.',
    ]);
    const two = 'alow: [read], nam: x }';
    expect(wrongIn(changed('allow: [read] }', two)).filter((problem) => problem.includes('Unknown'))).toEqual([
      'roles[0].alow (line 3): Unknown key. The nearest is allow. Known here: role, name, allow, during-freeze, on-call, break-glass, allow-in-emergency, servers.',
      'roles[0].nam (line 3): Unknown key. The nearest is name.',
    ]);
  });
});

describe('the example, copied and not edited', () => {
  const file = readFileSync(new URL('../../policy.example.yaml', import.meta.url), 'utf8');
  const inGuild = (text: string): string[] => wrongIn(text, { guild: '1234567890123456789' });
  const stillExample = (place: string): string =>
    `${place}: This id is that of policy.example.yaml, and your guild does not have it. Put in your own channels, ` +
    'roles and servers; to copy an id in Discord, turn on Settings, Advanced, Developer Mode.';

  it('is one clear problem in any guild but that of the sandbox', () => {
    expect(inGuild(file).filter((problem) => problem.includes('example'))).toEqual([
      stillExample('channels[0] (line 7)'),
    ]);
    expect(wrongIn(file).join()).not.toContain('example');
  });

  it('is a problem as long as one of its ids is left', () => {
    const edited = example.replaceAll(/"1([23])0{15}/g, '"1$14725836914725');
    expect(inGuild(edited)).toEqual([]);
    expect(inGuild(edited.replace(/"12\d+3"/, '"1200000000000000003"'))).toEqual([
      stillExample('roles[2].role (line 5)'),
    ]);
  });
});

describe('break-glass', () => {
  const viewer = (more: string): string => changed('allow: [read] }', `allow: [read${more} }`);

  it('does nothing with one of its keys alone', () => {
    expect(wrongIn(viewer('], break-glass: true'))[0]).toContain('This does nothing alone. Add `allow-in-emergency`');
    expect(wrongIn(viewer('], allow-in-emergency: [power.boot]'))[0]).toContain('Add `break-glass: true`');
  });

  it('is for changes, and only where somebody may approve', () => {
    const both = '], break-glass: true, allow-in-emergency: [power.boot]';
    expect(wrongIn(viewer(both).replaceAll('approve, ', ''))[0]).toContain(
      'nobody would be pinged or could close a review',
    );
    expect(wrongIn(viewer(`, approve${both}`))).toEqual([]);
    expect(wrongIn(viewer(`, approve${both.replace('power.boot', 'read')}`))[0]).toContain('It changes nothing');
  });
});

/** The line of the example with this text. */
const lineOf = (text: string): number => examplePolicy.split('\n').findIndex((line) => line.includes(text)) + 1;

const problemsOf = (from: string, to: string): string[] => {
  const read = policyFor(examplePolicy.replace(from, to), guild);
  return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
};

it.each([
  [
    'allow: [read] }',
    'allow: [read]',
    'name: viewer',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    'allow: [read] }',
    'allow: [read }',
    'name: viewer',
    '`]` is missing in this line before `}`: the `[` of this line is not closed.',
  ],
  [
    'whitelist.add: { ipv4: 24, ipv6: 48 } }',
    'whitelist.add: { ipv4: 24, ipv6: 48 }',
    'limits: {',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    '100-199],\n    }',
    '100-199],',
    'servers: ["web-*"',
    '`}` is missing in this line at its end: the `{` of line 26 is not closed.',
  ],
  ['group: 1 }', 'group: 1', 'id: 101', '`}` is missing in this line at its end: the `{` of this line is not closed.'],
  [
    'running: [queued, running]',
    'running: [queued, running',
    'running: [queued',
    '`]` is missing in this line at its end: the `[` of this line is not closed.',
  ],
  [
    'vlans: { 8: backup-net }',
    'vlans: { 8: backup-net',
    'vlans: { 8',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    '"1200000000000000001", name',
    '"1200000000000000001, name',
    'name: viewer',
    'A quotation mark (") is missing in this line.',
  ],
])('%j without its last sign is named in its line', (from, to, line, rule) => {
  expect(problemsOf(from, to)).toEqual([`line ${lineOf(line)}: ${rule}`]);
});

it('lists what there is once, however many words are wrong, and knows approve', () => {
  const problems = problemsOf('allow: ["*", approve, freeze, thaw', 'allow: ["*", approve, aprove, freez, wirte');
  expect(problems).toEqual([
    expect.stringMatching(/"aprove"\. The nearest is approve\. Dangers: read, .* Ids begin with: panel, /),
    expect.stringMatching(/"freez"\. The nearest is freeze\.$/),
    expect.stringMatching(/"wirte"\. The nearest is write\.$/),
  ]);
});

const rows = 'roles:\n  - { role: "1200000000000000009", name: lead, allow: [read] }\nshell:\n  people:\n';

it.each([
  ['{ account: root, discord: "1400000000000000001" }', 'Root cannot be a person'],
  ['{ account: 0, discord: "1400000000000000001" }', 'Root cannot be a person'],
  ['{ account: alice, discord: 140 }', '17 to 19 digits'],
  ['{ account: alice, discord: "1400000000000000001", roles: [laed] }', 'The nearest is lead.'],
  ['{ account: bob, discord: "1400000000000000002" }', 'shell.people[0] has this account already.'],
])('%s is no person of the shell', (row, rule) => {
  const bob = '{ account: bob, discord: "1400000000000000001", roles: [lead] }';
  expect(wrongIn(`${rows}    - ${bob}\n    - ${row}\n`).join()).toContain(rule);
});
