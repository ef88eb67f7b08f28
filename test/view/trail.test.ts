import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack, textOf } from '../../src/view/trail.ts';
import { forms } from '../../src/view/trail-line.ts';
import { anyEntries, chain, denial } from '../helpers/record/entries.ts';
import { channelOf, rangesOf } from '../helpers/trail/ranges.ts';

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
          /^(?:<t:\d+:T>|<@\d+>|\[(?:card|thread|message)\]\(https:\/\/discord\.com\/channels\/[\d/]+\)|[A-Za-z0-9.-]{1,63}(?= \(\d+\))|server|says|nobody was pinged|it happened|it did not|wrote|part|unknown|failed|more|the one before stays in force|process|by|to|panelops|deleted|edited|[A-Z-]+|\(\d+\)|\d+|#\d+(?:–#\d+)?|others|[ ·,×–])*$/,
        );
        const quoted = [...(lines[0] ?? '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => [...text].length);
        // Several options stand in one code, each cut like the only one.
        const isOne = !(entry !== undefined && 'options' in entry && Object.keys(entry.options).length > 1);
        if (isOne) expect(Math.max(0, ...quoted)).toBeLessThanOrEqual(60 + '… (141 more)'.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a message of one entry', () => {
  it('says of a freeze, as of a run, that it was typed in the shell', () => {
    const typed = { place: { guild: place.guild, channel: 'shell' }, actor: { ...alice, roles: [] } };
    const frozen = {
      ...typed,
      kind: 'frozen' as const,
      tier: 'production',
      until: '2026-11-22T22:00:00.000Z',
      why: 'migration',
    };
    expect(textOf(chain([frozen]))).toMatch(/FROZEN tier `production` .* · `migration` · shell\n/);
    expect(textOf(chain([{ ...sent, ...typed }]))).toMatch(/ · shell\n/);
  });

  it('ends with its number, once', () => {
    expect(
      textOf(chain([sent]))
        ?.split('\n')
        .at(-1),
    ).toMatch(/^#1 · [0-9a-f]{36}$/);
  });
});

describe('a line', () => {
  it('says what happened, to what, by whom and why, with the run and a link to its card', () => {
    expect(textOf(chain([sent]))?.split('\n')[0]).toBe(
      '<t:1795161600:T> SENDING `/firewall flush` · web-1 (101) · <@1400000000000000001> · `locked out` · `byb7k3w66dj4.1` · [card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)',
    );
  });

  // Whatever else a ledger has, fixtures have: test/ledger/old-ledgers.test.ts.
  it('has the part of a longer answer that was read, and how that went', () => {
    const looked = {
      ...{ kind: 'incident' as const, actor: { ...alice, roles: [] }, incident: '1500000000000000010', place },
      step: 'looked' as const,
      look: {
        ...{ command: 'firewall.show', options: {}, server: { id: 101, name: 'web-1' } },
        ...{ part: 2, outcome: 'unknown' as const },
      },
    };
    expect(textOf(chain([looked]))).toMatch(
      /^<t:1795161600:T> INCIDENT LOOKED · `\/firewall show` web-1 \(101\) · part 2 · unknown · <@1400000000000000001> /,
    );
  });
});

describe('the steps of one run', () => {
  const asked = { ...sent, kind: 'asked' as const, expires: '2026-11-19T22:02:00.000Z' };
  const confirmed = { ...sent, kind: 'confirmed' as const, question: '0'.repeat(64), owner: 'ab' };
  const ended = { ...sent, kind: 'outcome' as const, outcome: 'succeeded' as const };
  const notSent = { ...ended, outcome: 'not-sent' as const, reason: 'connection-refused' as const };
  const linesOf = (...entries: Parameters<typeof chain>[0]): string[] =>
    (textOf(chain(entries)) ?? '').split('\n').slice(0, -1);

  it('share a line, from when to when, and say each thing once', () => {
    expect(linesOf(asked, confirmed, sent, ended)).toEqual([
      '<t:1795161600:T>–<t:1795161603:T> QUESTION, CONFIRMED, SUCCEEDED `/firewall flush` · web-1 (101) · <@1400000000000000001> · `locked out` · `byb7k3w66dj4.1` · [card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)',
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
    const entries = chain([confirmed, sent, { ...notSent, said: 'connection-refused' }]);
    const card = '[card](https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007)';
    for (const [form, digits] of [
      [1, 12],
      [2, 32],
    ] as const) {
      expect(textOf(entries, forms[form])?.split('\n')).toEqual([
        `<t:1795161600:T> CONFIRMED \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`byb7k3w66dj4.1\` · ${card}`,
        `<t:1795161601:T> SENT \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`locked out\` · \`byb7k3w66dj4.1\` · ${card}`,
        `<t:1795161602:T> NOT-SENT \`/firewall flush\` · web-1 (101) · <@1400000000000000001> · \`connection-refused\` · \`connection-refused\` · \`byb7k3w66dj4.1\` · ${card}`,
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
    const packed = pack(chain([sent, ...flood, { ...sent, kind: 'outcome', outcome: 'succeeded' }]));
    expect(packed).toMatchObject({ from: 1, to: 5_002 });
    const lines = packed?.text.split('\n') ?? [];
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe(
      '<t:1795161601:T> DENIED ×5000 · `/power boot`, `/power restart`, `/firewall flush`, `/cpu throttle`, `/vlan set`, 2 more · <@1400000000000000004> · #2–#5001',
    );
    expect(lines[2]).toMatch(/^<t:\d+:T> SUCCEEDED `\/firewall flush` · web-1 \(101\) · <@1400000000000000001>/);
  });

  it('names the servers that were typed, once each', () => {
    const on = (server: string) => ({ ...denial(mallory), options: { server } });
    const [line] = pack(chain([on('web-1'), on('web-1'), on('web-2')]))?.text.split('\n') ?? [];
    expect(line).toBe(
      '<t:1795161600:T> DENIED ×3 · `/power boot server:web-1`, `/power boot server:web-2` · <@1400000000000000004> · #1–#3',
    );
  });

  it('that the ledger counted itself keeps its own line', () => {
    const folded = { count: 9, digest: 'ab', first: '2026-11-19T21:50:00.000Z', last: '2026-11-19T21:59:00.000Z' };
    const counted = { ...denial(mallory), folded: { ...folded, commands: [{ command: 'handover', count: 9 }] } };
    const lines = pack(chain([denial(mallory), counted, denial(mallory)]))?.text.split('\n') ?? [];
    expect(lines.map((line) => line.replace(/^<t:\d+:T> /, ''))).toEqual([
      'DENIED ×2 · `/power boot` · <@1400000000000000004> · #1–#3',
      'DENIED ×9 · `/handover` ×9 · <@1400000000000000004> · <t:1795125000:T> to <t:1795125540:T> · `byb7k49z46bk.1`',
      expect.stringMatching(/^#1–#3 · /),
    ]);
  });

  it('of two people, in turn, is a line each', () => {
    const both = flood.slice(0, 10).flatMap((each) => [each, denial({ id: '1400000000000000002', name: 'bob' })]);
    const lines = pack(chain(both))?.text.split('\n') ?? [];
    expect(lines.map((line) => line.replace(/^<t:\d+:T> /, ''))).toEqual([
      expect.stringMatching(/^DENIED ×10 · .* · <@1400000000000000004> · #1–#19$/),
      expect.stringMatching(/^DENIED ×10 · `\/power boot` · <@1400000000000000002> · #2–#20$/),
      expect.stringMatching(/^#1–#20 · [0-9a-f]{36}$/),
    ]);
  });
});
