import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { example, known } from '../helpers/policy/known.ts';

/** Places and rules of what is wrong, one "place: rule" each. */
function wrong(text: string): string[] {
  const read = readPolicy(text, known);
  return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
}

/** The example with one piece exchanged; what is not in it cannot be exchanged. */
function changed(from: string, to: string): string {
  if (!example.includes(from)) throw new Error(`not in the example: ${from}`);
  return example.replace(from, to);
}

describe('a word that the policy does not know', () => {
  it.each([
    ['raed', '"raed". The nearest is read.'],
    ['Write', '"Write". The nearest is write.'],
    ['firewal.flush', '"firewal.flush". The nearest is firewall.flush.'],
    ['powr.*', '"powr.*". The nearest is power.*.'],
    ['ipv4.asign', '"ipv4.asign". The nearest is ipv4.assign.'],
  ])('quotes %s, and says which word is the nearest', (word, said) => {
    expect(wrong(changed('allow: [read]', `allow: ["${word}"]`))[0]).toContain(`not a danger level: ${said}`);
    expect(wrong(changed('[backup.restore]', '[backup.restor]'))[0]).toContain(
      'fits this glob: "backup.restor". The nearest is backup.restore.',
    );
  });

  it('offers a whole group to nobody who did not write a glob', () => {
    expect(wrong(changed('allow: [read]', 'allow: [power.x]')).join()).not.toContain('power.*');
  });

  it.each(['power.boot4f9c1a', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'MTA0NTg2', `${'a'.repeat(33)}`])(
    'does not quote %s, which looks like no name',
    (word) => {
      const [problem] = wrong(changed('allow: [read]', `allow: ["${word}"]`));
      expect(problem).toContain('No command has this id or matches this glob, and it is not a danger level.');
      expect(problem).not.toContain(word);
    },
  );

  it('says which key is the nearest to one that it does not know', () => {
    expect(wrong(changed('unlisted: nothing', 'unlistd: nothing'))).toEqual([
      'unlistd (line 14): Unknown key. The nearest is unlisted. Known here: channels, roles, commands, servers, ' +
        'inventory, inventory-rights, tiers, unlisted, limits, several, audit-channel, restore-status, backup-list, queue-status, follow-ups, notify, ask-others, on-call, handover-at-shift, handover-pin, shell, alerts, timezone, rulesets, vlans.',
    ]);
    const two = 'alow: [read], nam: x }';
    expect(wrong(changed('allow: [read] }', two)).filter((problem) => problem.includes('Unknown'))).toEqual([
      'roles[0].alow (line 3): Unknown key. The nearest is allow. Known here: role, name, allow, during-freeze, on-call, break-glass, allow-in-emergency, servers.',
      'roles[0].nam (line 3): Unknown key. The nearest is name.',
    ]);
  });
});

describe('the example, copied and not edited', () => {
  const file = readFileSync(new URL('../../policy.example.yaml', import.meta.url), 'utf8');
  const inGuild = (text: string): string[] => {
    const read = readPolicy(text, { ...known, guild: '1234567890123456789' });
    return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
  };
  const stillExample = (place: string): string =>
    `${place}: This id is that of policy.example.yaml, and your guild does not have it. Put in your own channels, ` +
    'roles and servers; to copy an id in Discord, turn on Settings, Advanced, Developer Mode.';

  it('is one clear problem in any guild but that of the sandbox', () => {
    expect(inGuild(file).filter((problem) => problem.includes('example'))).toEqual([
      stillExample('channels[0] (line 7)'),
    ]);
    expect(wrong(file).join()).not.toContain('example');
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
    expect(wrong(viewer('], break-glass: true'))[0]).toContain('This does nothing alone. Add `allow-in-emergency`');
    expect(wrong(viewer('], allow-in-emergency: [power.boot]'))[0]).toContain('Add `break-glass: true`');
  });

  it('is for changes, and only where somebody may approve', () => {
    const both = '], break-glass: true, allow-in-emergency: [power.boot]';
    expect(wrong(viewer(both).replaceAll('approve, ', ''))[0]).toContain(
      'nobody would be pinged or could close a review',
    );
    expect(wrong(viewer(`, approve${both}`))).toEqual([]);
    expect(wrong(viewer(`, approve${both.replace('power.boot', 'read')}`))[0]).toContain('It changes nothing');
  });
});
