import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack, textOf } from '../../src/view/trail.ts';
import { forms } from '../../src/view/trail-line.ts';
import { channelOf, rangesOf } from '../helpers/trail/ranges.ts';
import { anyEntries, chained, denial } from '../helpers/trail/samples.ts';

const mallory = { id: '1400000000000000004', name: 'mallory' };
const alice = { id: '1400000000000000001', name: 'alice' };
const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000007' };
const sent = {
  ...{ run: 'byb7k3w66dj4.1', kind: 'intent' as const, actor: { ...alice, roles: [] }, command: 'firewall.flush' },
  ...{ options: { reason: 'locked out' }, server: { id: 101, name: 'web-1', tier: 'production' }, place },
};

describe('any entries', () => {
  it('make messages of at most 2,000 characters, each entry in exactly one, in order', () => {
    fc.assert(
      fc.property(anyEntries(80), (entries) => {
        const contents = channelOf(entries).map(({ content }) => content);
        expect(contents.filter((content) => content.length > 2_000)).toEqual([]);
        const ranges = rangesOf(contents);
        let next = 1;
        for (const [from, to, head] of ranges) {
          expect(from).toBe(next);
          expect(entries[to - 1]?.hash.slice(0, 36)).toBe(head);
          next = to + 1;
        }
        expect(next).toBe(entries.length + 1);
      }),
      { numRuns: 200 },
    );
  });

  it('make lines in which nothing from outside is markup, a mention, a link or a line of its own', () => {
    fc.assert(
      fc.property(anyEntries(1), ([entry]) => {
        const lines = (textOf(entry === undefined ? [] : [entry]) ?? '').split('\n');
        expect(lines).toHaveLength(2);
        const outside = (lines[0] ?? '').replaceAll(/`[^`\n]+`/g, '');
        // What is left is ours: capitals, separators, numbers, mentions by id, links to Discord.
        expect(outside).toMatch(
          /^(?:<t:\d+:T>|<@\d+>|\[(?:card|thread|message)\]\(https:\/\/discord\.com\/channels\/[\d/]+\)|web-1|server|says|it happened|more|the one before stays in force|process|by|to|panelops|deleted|[A-Z-]+|\(\d+\)|\d+|#\d+(?:–#\d+)?|others|[ ·,×–])*$/,
        );
        const quoted = [...(lines[0] ?? '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => [...text].length);
        expect(Math.max(0, ...quoted)).toBeLessThanOrEqual(60 + '… (141 more)'.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a message of one entry', () => {
  it('ends with its number, once', () => {
    expect(
      textOf(chained([sent]))
        ?.split('\n')
        .at(-1),
    ).toMatch(/^#1 · [0-9a-f]{36}$/);
  });
});

describe('a line', () => {
  it('says what happened, to what, by whom and why, with the run and a link to its card', () => {
    expect(textOf(chained([sent]))?.split('\n')[0]).toBe(
      '<t:1795125600:T> SENDING `/firewall flush` · web-1 (101) · <@1400000000000000001> · `locked out` · `byb7k3w66dj4.1` · [card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)',
    );
  });

  const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
  const tampered = { kind: 'tampered' as const, channel: '1300000000000000002', message: '1500000000000000009' };
  it.each([
    [
      { kind: 'started', actor: bot, owner: 'ab', facts: { version: '1.2.3' } },
      'STARTED panelops `1.2.3` · process `ab`',
    ],
    [{ kind: 'stopped', actor: bot, owner: 'ab' }, 'STOPPED panelops · process `ab`'],
    [
      { kind: 'configured', actor: bot, changed: ['policy.roles', 'policy.servers', 'panel'] },
      'CONFIGURATION CHANGED `roles`, `servers`, `panel`',
    ],
    [
      {
        ...{ kind: 'configured', actor: bot, owner: 'ab', changed: ['PANEL_TOKEN', 'policy.roles'] },
        difference: ['- roles { name: a }', '+ roles { name: b }', '+ roles { name: c }', '+ roles { name: d }'],
      },
      'CONFIGURATION CHANGED `PANEL_TOKEN`, `roles` · `- roles { name: a }` · `+ roles { name: b }` · `+ roles { name: c }` · 1 more · process `ab`',
    ],
    [
      { kind: 'configured', actor: bot, owner: 'ab', changed: [], problems: ['unlistd (line 14): Unknown key.'] },
      'CONFIGURATION REFUSED the one before stays in force · `unlistd (line 14): Unknown key.` · process `ab`',
    ],
    [
      { ...tampered, actor: { ...alice, roles: [] }, finding: 'deleted', from: 12, to: 30 },
      'TRAIL CHANGED deleted #12–#30 · by <@1400000000000000001>',
    ],
    [
      { ...tampered, actor: bot, unsaid: true, finding: 'deleted', from: 12, to: 12 },
      'TRAIL CHANGED deleted #12 · Discord does not say by whom',
    ],
    [{ ...tampered, actor: bot, finding: 'missing', from: 2, to: 3 }, 'TRAIL CHANGED missing #2–#3'],
    [{ ...sent, kind: 'asked' }, 'QUESTION `/firewall flush`'],
    [{ ...sent, kind: 'outcome', outcome: 'expired', reason: 'expired' }, 'EXPIRED `/firewall flush`'],
    [{ ...sent, kind: 'follow-up', step: 'ended', end: 'finished' }, 'FINISHED `/firewall flush`'],
    [
      { ...sent, kind: 'follow-up', step: 'ended', end: 'failed', by: { ...alice, roles: [] } },
      'FAILED says <@1400000000000000001> `/firewall flush`',
    ],
    [{ ...sent, kind: 'resolved', happened: true, why: 'seen' }, 'RESOLVED it happened `/firewall flush`'],
    [{ ...sent, kind: 'resolved', happened: false, why: 'seen' }, 'RESOLVED it did not `/firewall flush`'],
    [{ ...sent, kind: 'reminded' }, 'REMINDED `/firewall flush`'],
    [
      { ...sent, kind: 'reminded', place: { guild: place.guild, channel: place.channel } },
      'REMINDER DROPPED nobody was pinged `/firewall flush`',
    ],
    [
      { ...denial(mallory, 'power.poweroff'), options: { server: 'web-1' } },
      'DENIED `/power poweroff server:web-1` · <@1400000000000000004>',
    ],
    [
      {
        ...denial(mallory),
        folded: {
          ...{ count: 31, digest: 'ab', first: '2026-11-19T21:50:00.000Z', last: '2026-11-19T21:59:00.000Z' },
          commands: [
            { command: 'power.boot', server: 'web-1', count: 20 },
            { command: 'handover', count: 1 },
          ],
        },
      },
      'DENIED ×31 · `/power boot server:web-1` ×20, `/handover` ×1, others ×10 · <@1400000000000000004> · <t:1795125000:T> to <t:1795125540:T> · `byb7k49z46bk.1`',
    ],
    [
      { ...sent, kind: 'reminded', actor: { id: '0', name: 'panelops', roles: [] } },
      'REMINDED `/firewall flush` · web-1 (101) · `panelops` ·',
    ],
    [
      {
        ...{ kind: 'incident', actor: bot, incident: '1500000000000000010', step: 'noted', place },
        note: {
          ...{ message: '1500000000000000011', channel: '1300000000000000001', author: alice },
          ...{ time: '2026-11-19T21:00:00Z', text: 'db-1 swaps' },
        },
      },
      'INCIDENT NOTED · <@1000000000000000001> · <@1400000000000000001> wrote `db-1 swaps` · [message](',
    ],
    [
      { kind: 'incident', actor: bot, incident: '1500000000000000010', step: 'opened', place, title: 'db down' },
      'INCIDENT OPENED `db down` · <@1000000000000000001>',
    ],
    [
      {
        ...{ kind: 'incident', actor: bot, incident: '1500000000000000010', step: 'looked', place },
        look: {
          command: 'firewall.show',
          options: {},
          server: { id: 101, name: 'web-1' },
          part: 2,
          outcome: 'unknown',
        },
      },
      'INCIDENT LOOKED · `/firewall show` web-1 (101) · part 2 · unknown · <@1000000000000000001>',
    ],
    [
      {
        ...{ kind: 'incident', actor: bot, incident: '1500000000000000010', step: 'looked', place },
        look: { command: 'hypervisors.groups', options: {} },
      },
      'INCIDENT LOOKED · `/hypervisors groups` · <@1000000000000000001>',
    ],
  ] as const)('of %j begins so', (entry, words) => {
    const [line = ''] = textOf(chained([{ ...entry } as Parameters<typeof chained>[0][number]]))?.split('\n') ?? [];
    expect(line.startsWith(`<t:1795125600:T> ${words}`), line).toBe(true);
  });
});

describe('the steps of one run', () => {
  const asked = { ...sent, kind: 'asked' as const, expires: '2026-11-19T22:02:00.000Z' };
  const confirmed = { ...sent, kind: 'confirmed' as const, question: '0'.repeat(64), owner: 'ab' };
  const ended = { ...sent, kind: 'outcome' as const, outcome: 'succeeded' as const };
  const notSent = { ...ended, outcome: 'not-sent' as const, reason: 'connection-refused' as const };
  const linesOf = (...entries: Parameters<typeof chained>[0]): string[] =>
    (textOf(chained(entries)) ?? '').split('\n').slice(0, -1);

  it('share a line, from when to when, and say each thing once', () => {
    expect(linesOf(asked, confirmed, sent, ended)).toEqual([
      '<t:1795125600:T>–<t:1795125603:T> QUESTION, CONFIRMED, SUCCEEDED `/firewall flush` · web-1 (101) · <@1400000000000000001> · `locked out` · `byb7k3w66dj4.1` · [card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)',
    ]);
  });

  it('link to the card, not to the message that pinged about it', () => {
    const unknown = { ...ended, outcome: 'unknown' as const, reason: 'timeout' as const };
    const pinged = { ...sent, kind: 'pinged' as const, place: { ...sent.place, message: '1500000000000000008' } };
    const [line = ''] = linesOf(confirmed, sent, unknown, pinged);
    expect(line).toContain('CONFIRMED, UNKNOWN, PINGED');
    expect(line).toContain('/1300000000000000001/1500000000000000007)');
  });

  it('never say of what was not sent that it was', () => {
    const lines = linesOf(confirmed, sent, notSent);
    expect(lines).toEqual([expect.stringContaining('CONFIRMED, NOT-SENT `/firewall flush`')]);
    expect(lines.join('')).not.toMatch(/SENDING|\bSENT\b(?<!NOT-SENT)/);
  });

  it('say that it is about to be sent, as long as nobody knows more', () => {
    expect(linesOf(confirmed, sent)).toEqual([expect.stringContaining('CONFIRMED, SENDING `/firewall flush`')]);
  });

  it('have lines of their own where others stand between them, or another person acted', () => {
    const bob = { id: '1400000000000000002', name: 'bob', roles: [] };
    const other = { ...sent, run: 'byb7k3w66dj4.2' };
    expect(linesOf(asked, other, confirmed)).toHaveLength(3);
    expect(linesOf(asked, denial(mallory), confirmed)).toHaveLength(3);
    expect(linesOf(asked, { ...ended, outcome: 'cancelled', actor: bob })).toEqual([
      expect.stringContaining('QUESTION `/firewall flush` · web-1 (101) · <@1400000000000000001>'),
      expect.stringContaining('CANCELLED `/firewall flush` · web-1 (101) · <@1400000000000000002>'),
    ]);
  });

  it('share a line ten at a time', () => {
    expect(
      linesOf(...Array.from({ length: 25 }, () => confirmed)).map((line) => line.match(/CONFIRMED/g)?.length),
    ).toEqual([10, 10, 5]);
  });

  it('match what older releases posted, a line each', () => {
    const entries = chained([confirmed, sent, { ...notSent, said: 'connection-refused' }]);
    const card = '[card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)';
    for (const [form, digits] of [
      [1, 12],
      [2, 32],
    ] as const) {
      expect(textOf(entries, forms[form])?.split('\n')).toEqual([
        `<t:1795125600:T> CONFIRMED \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`byb7k3w66dj4.1\` · ${card}`,
        `<t:1795125601:T> SENT \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`locked out\` · \`byb7k3w66dj4.1\` · ${card}`,
        `<t:1795125602:T> NOT-SENT \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`connection-refused\` · \`connection-refused\` · \`byb7k3w66dj4.1\` · ${card}`,
        `#1–#3 · ${entries[2]?.hash.slice(0, digits)}`,
      ]);
    }
  });
});

describe('a flood of denials', () => {
  const commands = [
    'power.boot',
    'power.restart',
    'firewall.flush',
    'cpu.throttle',
    'vlan.set',
    'ipv4.assign',
    'backup.restore',
  ];
  const flood = Array.from({ length: 5_000 }, (_, at) => denial(mallory, commands[at % 7]));

  it("of one person fits one message with everybody else's lines, in one line that counts them", () => {
    const packed = pack(chained([sent, ...flood, { ...sent, kind: 'outcome', outcome: 'succeeded' }]));
    expect(packed).toMatchObject({ from: 1, to: 5_002 });
    const lines = packed?.text.split('\n') ?? [];
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe(
      '<t:1795125601:T> DENIED ×5000 · `/power boot`, `/power restart`, `/firewall flush`, `/cpu throttle`, `/vlan set`, 2 more · <@1400000000000000004> · #2–#5001',
    );
    expect(lines[2]).toMatch(/^<t:\d+:T> SUCCEEDED `\/firewall flush` · web-1 \(101\) · <@1400000000000000001>/);
  });

  it('names the servers that were typed, once each', () => {
    const on = (server: string) => ({ ...denial(mallory), options: { server } });
    const [line] = pack(chained([on('web-1'), on('web-1'), on('web-2')]))?.text.split('\n') ?? [];
    expect(line).toBe(
      '<t:1795125600:T> DENIED ×3 · `/power boot server:web-1`, `/power boot server:web-2` · <@1400000000000000004> · #1–#3',
    );
  });

  it('that the ledger counted itself keeps its own line', () => {
    const folded = { count: 9, digest: 'ab', first: '2026-11-19T21:50:00.000Z', last: '2026-11-19T21:59:00.000Z' };
    const counted = { ...denial(mallory), folded: { ...folded, commands: [{ command: 'handover', count: 9 }] } };
    const lines = pack(chained([denial(mallory), counted, denial(mallory)]))?.text.split('\n') ?? [];
    expect(lines.map((line) => line.replace(/^<t:\d+:T> /, ''))).toEqual([
      'DENIED ×2 · `/power boot` · <@1400000000000000004> · #1–#3',
      'DENIED ×9 · `/handover` ×9 · <@1400000000000000004> · <t:1795125000:T> to <t:1795125540:T> · `byb7k49z46bk.1`',
      expect.stringMatching(/^#1–#3 · /),
    ]);
  });

  it('of two people, in turn, is a line each', () => {
    const both = flood.slice(0, 10).flatMap((each) => [each, denial({ id: '1400000000000000002', name: 'bob' })]);
    const lines = pack(chained(both))?.text.split('\n') ?? [];
    expect(lines.map((line) => line.replace(/^<t:\d+:T> /, ''))).toEqual([
      expect.stringMatching(/^DENIED ×10 · .* · <@1400000000000000004> · #1–#19$/),
      expect.stringMatching(/^DENIED ×10 · `\/power boot` · <@1400000000000000002> · #2–#20$/),
      expect.stringMatching(/^#1–#20 · [0-9a-f]{36}$/),
    ]);
  });
});
