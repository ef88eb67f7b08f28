import { expect, it, onTestFinished } from 'vitest';
import { openAuditChannel } from '../../src/discord/audit-channel.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import type { Entry, NewEntry } from '../../src/runs/entry.ts';
import { createWaiting } from '../../src/trail/index.ts';
import { createTampering, type Tampering, type TamperingParts } from '../../src/trail/tampering.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { chain } from '../helpers/record/entries.ts';
import { audit, begun, ownDiscord, posted, reaches, several, startTrailProcess } from '../helpers/trail/process.ts';

const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
const head = '0123456789ab';
const start = Date.parse('2026-11-19T22:00:00.000Z');

/** What surrounds a ledger that holds these entries, and cannot be written so many times. */
function around(recorded: NewEntry[] = [], failures = 0): { parts: TamperingParts; recorded: NewEntry[] } {
  let left = failures;
  const parts: TamperingParts = {
    ledger: {
      append(entries) {
        left -= 1;
        if (left >= 0) return Promise.reject(new LedgerUnavailable(new Error('full')));
        recorded.push(...entries);
        return Promise.resolve([]);
      },
      entries: () => chain(recorded),
    },
    channel: { id: audit, around: () => Promise.resolve([]) },
    bot,
    log: notes(),
  };
  return { parts, recorded };
}

/** The watch over a trail of two messages, which stand for the entries 1 to 2 and 3. */
function watch(parts: TamperingParts): Tampering {
  const tampering = createTampering(parts);
  tampering.remember({ message: '1', from: 1, to: 2, head });
  tampering.remember({ message: '2', from: 3, to: 3, head });
  return tampering;
}

it('A deletion waits until the ledger can be written', async () => {
  const { parts, recorded } = around([], 3);
  const tampering = watch(parts);
  tampering.add('deleted', ['1']);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(tampering.reportEvents()).rejects.toThrow(LedgerUnavailable);
    expect(tampering.isDue()).toBe(true);
  }
  await tampering.reportEvents();
  expect(recorded).toEqual([
    { kind: 'tampered', channel: audit, actor: bot, unsaid: true, finding: 'deleted', message: '1', from: 1, to: 2 },
  ]);
  expect(tampering.isDue()).toBe(false);
});

it('Messages that went one after the other are a finding each, also where the channel ends before them', async () => {
  const { parts, recorded } = around();
  const tampering = watch(parts);
  tampering.add('deleted', ['1']);
  tampering.add('deleted', ['2']);
  await tampering.reportEvents();
  await tampering.reportEnd({ channel: audit, message: '2', seq: 3 }, 0);
  expect(recorded).toMatchObject([
    { message: '1', from: 1, to: 2 },
    { message: '2', from: 3, to: 3 },
  ]);
});

it('An end of the trail that nobody heard go is one finding, and no other when the events come late', async () => {
  const { parts, recorded } = around();
  const tampering = watch(parts);
  await tampering.reportEnd({ channel: audit, message: '2', seq: 3 }, 0);
  tampering.add('deleted', ['1']);
  tampering.add('deleted', ['2']);
  await tampering.reportEvents();
  expect(recorded).toEqual([
    { kind: 'tampered', channel: audit, actor: bot, unsaid: true, finding: 'deleted', message: '2', from: 1, to: 3 },
  ]);
});

it('A deleted message from before those that are known is reported, by what stands about it', async () => {
  const discord = await ownDiscord();
  const dir = folder();
  const open = (log = notes()) => openFileLedger({ dir, log });
  const none = () => Promise.resolve([]);
  const poster = await startTrailProcess(discord, { open, lines: none, write: () => Promise.resolve() });
  onTestFinished(() => poster.ledger.close());
  await poster.append([begun]);
  await reaches(discord, () => 1);
  for (let at = 1; at <= 4; at += 1) {
    await poster.append(several(1, at));
    await reaches(discord, () => at + 1);
  }
  const { parts } = around();
  const channel = openAuditChannel({ ...discord, channel: audit });
  const tampering = createTampering({ ...parts, channel, ledger: poster.ledger });
  const victim = posted(discord)[2]?.id ?? '';
  discord.deleteMessage('alice', victim);
  const foreign = await discord.type('bob', 'audit', 'nice trail');
  discord.deleteMessage('bob', foreign);
  tampering.add('deleted', [victim]);
  tampering.add('deleted', [foreign]);
  await tampering.reportEvents();
  const reports = (): Partial<Entry>[] =>
    poster.ledger
      .entries()
      .slice()
      .filter(({ kind }) => kind === 'tampered');
  expect(reports()).toEqual([expect.objectContaining({ finding: 'deleted', message: victim, from: 3, to: 3 })]);
});

it('Neither a clock that goes back nor a new process makes a wait shorter', async () => {
  const back = createWaiting(() => start - 3_600_000);
  const entry = { seq: 1, time: new Date(start).toISOString() };
  await expect.poll(() => back(entry)).toBeGreaterThan(20);
  const again = createWaiting(() => start + 600_000);
  expect(again(entry)).toBe(600_000);
});

it('What an earlier release reported, with a name or not, is not reported again', async () => {
  const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
  const { parts, recorded } = around([
    { kind: 'tampered', actor: alice, finding: 'deleted', channel: audit, message: '1', from: 1, to: 2 },
    {
      ...{ kind: 'tampered', actor: alice, finding: 'deleted', channel: audit, message: '2', from: 3, to: 3 },
      attributed: { '1500000000000000009': 1 },
    },
    { kind: 'tampered', actor: alice, finding: 'deleted', channel: audit, message: '1500000000000000010' },
  ]);
  const tampering = watch(parts);
  tampering.add('deleted', ['1', '2']);
  await tampering.reportEvents();
  await tampering.report([{ finding: 'missing', message: '3', from: 1, to: 3 }]);
  await tampering.reportEnd({ channel: audit, message: '2', seq: 3 }, 2);
  expect(recorded).toHaveLength(3);
});
