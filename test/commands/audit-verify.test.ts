import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/card.ts';
import type { Checked } from '../../src/command.ts';
import { ChannelClosed, CheckStopped, LedgerUnavailable } from '../../src/outcome.ts';
import type { FindingState } from '../../src/runs/findings.ts';
import { linesOf } from '../helpers/card-text.ts';
import { alice, looked, place } from '../helpers/commands/looked.ts';
import { quiet } from '../helpers/stand-ins.ts';

const audit = '1300000000000000002';
const message = '1500000000000000009';
const head = { seq: 1234, hash: '1a2b3c4d5e6f'.padEnd(64, '0') };

/** The card of /audit verify when the check comes to this. */
const card = (verify: () => Promise<Checked>, part = 0): Promise<Card> =>
  looked('audit.verify', {}, { trail: { ...quiet.trail, verify } }, part);

const told = async (checked: Checked): Promise<string[]> => {
  const shown = await card(() => Promise.resolve(checked));
  return [shown.state, ...linesOf(shown)];
};

describe('/audit verify', () => {
  it('says that all is whole, with the head', async () => {
    expect(await told({ head, findings: [], channel: { messages: 78, strange: [], waiting: 0 } })).toEqual([
      'succeeded',
      'The ledger is whole: 1,234 entries, head `1a2b3c4d5e6f`.',
      '78 messages of the audit channel were compared: the trail is as it was posted.',
    ]);
  });

  it('says what was not compared, and what is not there yet', async () => {
    expect(
      (await told({ head, findings: [], channel: { messages: 10_000, strange: [], waiting: 1, part: true } })).slice(3),
    ).toEqual(['There are more messages; the oldest were not compared.', 'Not there yet: the last entry.']);
    expect(await told({ findings: [], head: { seq: 1, hash: head.hash } })).toEqual([
      'succeeded',
      'The ledger is whole: 1 entry, head `1a2b3c4d5e6f`.',
      'There is no audit channel, so only the ledger was checked. Set AUDIT_CHANNEL_ID to check both.',
    ]);
  });

  it('names the entry that is not as it was written, and says what to do next', async () => {
    const problem = { seq: 1235, words: 'ledger.jsonl: entry 1235 was changed' };
    const said = await told({ head, findings: [], problem });
    expect(said.slice(0, 2)).toEqual([
      'failed',
      '**The ledger is damaged at entry 1235**: `ledger.jsonl: entry 1235 was changed`.',
    ]);
    expect(said.at(-1)).toBe('Before anything else, leave the ledger and the channel as they are, and copy both.');
  });

  it('names each finding in the channel, with a link to its message', async () => {
    const strange = [
      { finding: 'missing', channel: audit, message, from: 4, to: 6 },
      { finding: 'changed', channel: audit, message, from: 7, to: 7 },
    ] as const;
    const link = `[message](https://discord.com/channels/1100000000000000001/${audit}/${message})`;
    const said = await told({ head, findings: [], channel: { messages: 9, strange, waiting: 0 } });
    expect(said[0]).toBe('failed');
    expect(said.slice(2, 5)).toEqual([
      '**The trail is not as it was posted**: 2 new findings in 9 messages of the audit channel. Server Settings, Audit Log may say who did it.',
      `**MISSING** entries 4 to 6: gone from the channel, before this ${link}. The ledger still has them.`,
      `**CHANGED** ${link}, entry 7: it does not say what the ledger says.`,
    ]);
  });

  it('names what of the channel contradicts the ledger, range by range, capped with a count', async () => {
    const link = `[message](https://discord.com/channels/1100000000000000001/${audit}/${message})`;
    const at = (from: number, to = from) => ({ finding: 'strange' as const, channel: audit, message, from, to });
    const span = (from: number) => ({ first: at(from, from + 1), last: at(from + 4), messages: 3 });
    const of = (n: number) => ({
      ...{ messages: 90, strange: [], waiting: 0 },
      contradiction: {
        spans: Array.from({ length: n }, (_, i) => span(30 + 10 * i)),
        messages: 3 * n,
        state: 'new' as const,
      },
    });
    expect(await told({ head, findings: [], channel: of(1) })).toEqual([
      'failed',
      "The ledger's own chain is whole (1,234 entries, head `1a2b3c4d5e6f`); **it contradicts the audit channel from one of entries 30 to 31 on** (3 messages):",
      `- entries 30 to 34: 3 messages, from this ${link} to this ${link}`,
      '**This is new**: no finding covers all of it yet. If the bot is running, it records one when it next compares the channel.',
      '90 messages of the audit channel were compared; 3 of them contradict the ledger.',
      'Before anything else, leave the ledger and the channel as they are, and copy both.',
    ]);
    const many = await told({ head, findings: [], channel: of(11) });
    expect(many[1]).toContain('**it contradicts the audit channel in 11 places** (33 messages):');
    expect(many.filter((line) => line.startsWith('- '))).toHaveLength(9);
    expect(many).toContain('- and 3 more ranges');
  });

  it('fails for what nobody has acknowledged, and lists with it who acknowledged what', async () => {
    const link = `[message](https://discord.com/channels/1100000000000000001/${audit}/${message})`;
    const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
    const [time, seen, day] = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:01.000Z', '2026-11-21T08:00:00.000Z'];
    const of = { kind: 'tampered', channel: audit, message, prev: '', hash: '' } as const;
    const findings: FindingState[] = [
      { found: { ...of, seq: 84, time, finding: 'deleted', actor: alice, from: 2, to: 18 } },
      {
        found: { ...of, seq: 85, time: seen, finding: 'missing', actor: bot, from: 19 },
        acknowledged: {
          ...{ kind: 'acknowledged', seq: 90, time: day, prev: '', hash: '', findings: [85] },
          ...{ actor: { id: '1400000000000000003', name: 'carol', roles: [] }, why: 'cleaned up by *mistake*', place },
        },
      },
      { found: { ...of, seq: 86, time, finding: 'edited', actor: bot, unsaid: true, from: 20, to: 20 } },
    ];
    const channel = { messages: 9, strange: [], waiting: 0 };
    const gone = 'Finding 85: entry 19: gone from the channel, before this';
    const acknowledged =
      'The ledger still has it. Acknowledged by <@1400000000000000003> <t:1795248000:R>: `cleaned up by *mistake*`';
    expect((await told({ head, findings, channel })).filter((_, n) => n !== 1)).toEqual([
      'failed',
      '9 messages of the audit channel were compared: nothing new was found.',
      '**2 findings not acknowledged.** Look into them: Server Settings, Audit Log may say who did it. Then type /audit acknowledge.',
      `**OPEN** Finding 86: ${link}, entry 20: it was edited, noticed <t:1795161600:R>.`,
      '**OPEN** Finding 84: entries 2 to 18: deleted from the channel by <@1400000000000000001>, noticed <t:1795161600:R>. The ledger still has them.',
      `**ACKNOWLEDGED** ${gone} ${link}, noticed <t:1795161601:R>. ${acknowledged}`,
      'Before anything else, leave the ledger and the channel as they are, and copy both.',
    ]);
    expect((await told({ head, findings: findings.slice(1, 2), channel }))[0]).toBe('succeeded');
  });

  it('shows many findings part by part', async () => {
    const strange = Array.from({ length: 20 }, (_, i) => ({
      finding: 'edited' as const,
      channel: audit,
      message,
      from: i,
    }));
    const shown = await card(
      () => Promise.resolve({ head, findings: [], channel: { messages: 20, strange, waiting: 0 } }),
      1,
    );
    expect(linesOf(shown)).toContain('Showing 9–16 of 20 findings.');
    expect(shown.buttons?.map(({ label }) => label)).toEqual(['Previous', 'Next']);
  });

  it('judges nothing when the channel or the ledger cannot be read', async () => {
    const closed = await card(() => Promise.reject(new ChannelClosed()));
    expect(closed.state).toBe('unavailable');
    expect(linesOf(closed).join(' ')).toContain('View Channel and Read Message History');
    expect((await card(() => Promise.reject(new LedgerUnavailable()))).state).toBe('unavailable');
  });

  it.each([
    ['memory', 'The check was stopped: it took more memory than the bot allows.'],
    ['time', 'The check was stopped: it took longer than the bot allows.'],
    ['fault', "The check failed because of a fault; see the bot's log."],
  ] as const)('that is stopped (%s) says so, and what to do', async (why, words) => {
    const shown = await card(() => Promise.reject(new CheckStopped(why)));
    expect([shown.state, ...linesOf(shown)]).toEqual([
      'unavailable',
      words,
      'This says nothing about the ledger or the channel.',
      "Type this again, or check them on the bot's machine: `npm run audit -- verify`.",
    ]);
  });
});
