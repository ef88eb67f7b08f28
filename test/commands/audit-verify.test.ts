import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Card } from '../../src/card.ts';
import type { Checked } from '../../src/command.ts';
import type { Entry } from '../../src/ledger/entry.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { readCard } from '../../src/run/read.ts';
import { ChannelClosed } from '../../src/trail/check.ts';
import { chain } from '../record/entries.ts';
import { followUpsOf, ledgerOf, panelOf, quiet, readPartsOf } from '../stand-ins.ts';
import { at, commandOf, now } from './typed.ts';

const actor = { id: '1400000000000000001', name: 'alice', roles: [] };
const place = { guild: '1100000000000000001', channel: '1300000000000000001' };
const audit = '1300000000000000002';
const message = '1500000000000000009';
const head = { seq: 1234, hash: '1a2b3c4d5e6f'.padEnd(64, '0') };

/** The card of /audit verify when the check comes to this. */
function card(verify: () => Promise<Checked>, part = 0, entries: readonly Entry[] = []): Promise<Card> {
  const command = commandOf('audit.verify');
  const prepared = command.prepare({}, at(now));
  if (prepared.kind === 'change') throw new Error('it changes nothing');
  const rules = {
    channels: [],
    answersIn: () => true,
    decide: () => ({ allowed: true as const, role: 'lead', by: '*' }),
    requirements: () => ({ confirm: false, typed: false, reason: false }),
    limit: () => undefined,
    find: () => undefined,
    suggest: () => [],
  };
  const parts = {
    ...readPartsOf(),
    ledger: ledgerOf(entries),
    trail: { ...quiet.trail, verify },
    rules,
    commands,
    panel: panelOf({ kind: 'yes', data: {} }),
    followUps: followUpsOf(),
  };
  return readCard(parts, { actor, place, audience: 'private' }, command, prepared, part);
}

const told = async (checked: Checked): Promise<string[]> => {
  const { state, body } = await card(() => Promise.resolve(checked));
  return [state, ...body.map(({ markup }) => markup)];
};

describe('/audit verify', () => {
  it('says that all is whole, with the head', async () => {
    expect(await told({ head, channel: { messages: 78, strange: [], waiting: 0 } })).toEqual([
      'succeeded',
      'The ledger is whole: 1,234 entries, head `1a2b3c4d5e6f`.',
      '78 messages of the audit channel were compared: the trail stands as it was posted.',
    ]);
  });

  it('says what was not compared, and what is not there yet', async () => {
    expect((await told({ head, channel: { messages: 10_000, strange: [], waiting: 1, part: true } })).slice(3)).toEqual(
      ['There are more messages; the oldest were not compared.', 'The last 1 entry is not there yet.'],
    );
    expect(await told({ head: { seq: 1, hash: head.hash } })).toEqual([
      'succeeded',
      'The ledger is whole: 1 entry, head `1a2b3c4d5e6f`.',
      'There is no audit channel, so only the ledger was checked: set AUDIT_CHANNEL_ID to have both.',
    ]);
  });

  it('names the entry that is not as it was written, and says what to do next', async () => {
    const problem = { seq: 1235, words: 'ledger.jsonl: entry 1235 was changed' };
    const said = await told({ head, problem });
    expect(said.slice(0, 2)).toEqual([
      'failed',
      '**The ledger is not whole at entry 1235**: `ledger.jsonl: entry 1235 was changed`.',
    ]);
    expect(said.at(-1)).toBe('Keep both as they are, and copy them away, before anything else.');
  });

  it('names each finding in the channel, with a link to its message', async () => {
    const strange = [
      { finding: 'missing', channel: audit, message, from: 4, to: 6 },
      { finding: 'changed', channel: audit, message, from: 7, to: 7 },
      { finding: 'ahead', channel: audit, message },
    ] as const;
    const link = `[message](https://discord.com/channels/1100000000000000001/${audit}/${message})`;
    const said = await told({ head, channel: { messages: 9, strange, waiting: 0 } });
    expect(said[0]).toBe('failed');
    expect(said.slice(2, 6)).toEqual([
      '**The trail is not as it was posted**: 3 findings in 9 messages of the audit channel. Server Settings, Audit Log may say who did it.',
      `**MISSING** ${link}, entries 4 to 6: what stood for them, before this message, is gone.`,
      `**CHANGED** ${link}, entry 7: it does not say what the ledger says.`,
      `**AHEAD** ${link}: it stands for entries that the ledger does not have: the ledger was cut off, or replaced.`,
    ]);
  });

  it('says what the ledger tells of it already, and who did it where Discord told', async () => {
    const tampered = { kind: 'tampered', actor, channel: audit, message } as const;
    const entries = chain([
      { ...tampered, finding: 'deleted', from: 4, to: 5 },
      { ...tampered, finding: 'edited', unsaid: true },
    ]);
    const strange = [
      { finding: 'missing', channel: audit, message: '1', from: 5, to: 6 },
      { finding: 'missing', channel: audit, message: '1', from: 6, to: 6 },
      { finding: 'edited', channel: audit, message },
      { finding: 'changed', channel: audit, message },
    ] as const;
    const { body } = await card(
      () => Promise.resolve({ head, channel: { messages: 9, strange, waiting: 0 } }),
      0,
      entries,
    );
    const ends = body.slice(2, 6).map(({ markup }) => /(?:gone|edited|says)\.(.*)$/.exec(markup)?.[1]);
    expect(ends).toEqual([
      ' In the ledger as no. 1, <t:1795161600:R>, deleted by <@1400000000000000001>.',
      '',
      ' In the ledger as no. 2, <t:1795161601:R>.',
      '',
    ]);
  });

  it('shows many findings part by part', async () => {
    const strange = Array.from({ length: 20 }, (_, i) => ({
      finding: 'edited' as const,
      channel: audit,
      message,
      from: i,
    }));
    const shown = await card(() => Promise.resolve({ head, channel: { messages: 20, strange, waiting: 0 } }), 1);
    expect(shown.body.map(({ markup }) => markup)).toContain('Showing 9–16 of 20 findings.');
    expect(shown.buttons?.map(({ label }) => label)).toEqual(['Previous', 'Next']);
  });

  it('judges nothing when the channel or the ledger cannot be read', async () => {
    const closed = await card(() => Promise.reject(new ChannelClosed()));
    expect(closed.state).toBe('unavailable');
    expect(closed.body.map(({ markup }) => markup).join(' ')).toContain('View Channel and Read Message History');
    expect((await card(() => Promise.reject(new LedgerUnavailable()))).state).toBe('unavailable');
  });
});
