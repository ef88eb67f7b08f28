import { expect, it, onTestFinished } from 'vitest';
import { openAuditChannel } from '../../src/discord/audit-channel.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import type { Entry, NewEntry } from '../../src/runs/entry.ts';
import type { Deletion } from '../../src/trail/channel.ts';
import { createTampering, type Tampering, type TamperingParts } from '../../src/trail/tampering.ts';
import { createWaiting } from '../../src/trail/waiting.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { audit, begun, ownDiscord, posted, reaches, several, startTrailProcess } from '../helpers/trail/process.ts';
import { chained } from '../helpers/trail/samples.ts';

const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
const head = '0123456789ab';
/** An id that Discord gives at that time, in ms. */
const idAt = (ms: number): string => String(BigInt(ms - 1_420_070_400_000) << 22n);
const start = Date.parse('2026-11-19T22:00:00.000Z');

interface Watched {
  parts: TamperingParts;
  recorded: NewEntry[];
  /** What Discord's audit log has. */
  log: Deletion[];
}

/** What surrounds a ledger that holds these entries, and cannot be written so many times. */
function around(recorded: NewEntry[] = [], failures = 0): Watched {
  const log: Deletion[] = [];
  let left = failures;
  const parts: TamperingParts = {
    ledger: {
      append(entries) {
        left -= 1;
        if (left >= 0) return Promise.reject(new LedgerUnavailable(new Error('full')));
        recorded.push(...entries);
        return Promise.resolve([]);
      },
      refresh: () => Promise.resolve(),
      entries: () => chained(recorded),
    },
    channel: {
      id: audit,
      deletions: (how) => Promise.resolve(how === 'one' ? [...log] : []),
      around: () => Promise.resolve([]),
    },
    bot,
    since: () => start,
    log: notes(),
  };
  return { parts, recorded, log };
}

/** The watch over a trail of two messages, which stand for the entries 1 to 2 and 3. */
function watch(parts: TamperingParts): Tampering {
  const tampering = createTampering(parts);
  tampering.remember({ message: '1', from: 1, to: 2, head });
  tampering.remember({ message: '2', from: 3, to: 3, head });
  return tampering;
}

const deletedBy = (name: string, ms: number): Deletion => ({
  id: idAt(ms),
  by: { id: name, name, roles: [] },
  count: 1,
});
const names = (recorded: readonly NewEntry[]) =>
  recorded.map((entry) => ('unsaid' in entry ? 'nobody' : entry.actor.name));

it('A deletion waits until the ledger can be written', async () => {
  const { parts, recorded } = around([], 3);
  const tampering = watch(parts);
  tampering.stopWaiting();
  tampering.add('deleted', ['1']);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect(tampering.reportEvents()).rejects.toThrow(LedgerUnavailable);
    expect(tampering.isDue()).toBe(true);
  }
  await tampering.reportEvents();
  expect(recorded).toMatchObject([{ finding: 'deleted', message: '1', from: 1, to: 2, unsaid: true }]);
  expect(tampering.isDue()).toBe(false);
});

it('Who deleted is whom the audit log got since; a deletion from before that start is nobody', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('alice', start - 3_600_000));
  const tampering = watch(parts);
  tampering.add('deleted', ['1']);
  setTimeout(() => log.unshift(deletedBy('bob', start + 600)), 600);
  await tampering.reportEvents();
  expect(names(recorded)).toEqual(['bob']);
});

it('Nobody is named where the audit log may be of another message that was deleted', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('alice', start + 10));
  const tampering = watch(parts);
  tampering.add('deleted', ['77']);
  tampering.add('deleted', ['1']);
  setTimeout(() => log.unshift(deletedBy('bob', start + 600)), 600);
  await tampering.reportEvents();
  expect(names(recorded)).toEqual(['nobody']);
});

it('What the audit log has of other messages is of nothing else later', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('alice', start + 10));
  const tampering = watch(parts);
  tampering.add('deleted', ['77']);
  await tampering.reportEvents();
  await expect.poll(tampering.isDue, { timeout: 4_000 }).toBe(true);
  await tampering.reportEvents();
  expect(tampering.isDue()).toBe(false);
  await tampering.reportMissed();
  log.unshift(deletedBy('bob', start + 5_000));
  tampering.add('deleted', ['1']);
  await tampering.reportEvents();
  expect(names(recorded)).toEqual(['bob']);
});

it('What the audit log got while nobody looked, however long ago, is reported once, with who it was, by whichever process', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('bob', start + 5_000), deletedBy('alice', start - 5_000));
  for (const tampering of [watch(parts), watch(parts)]) {
    await tampering.reportMissed();
    await tampering.reportMissed();
  }
  const id = idAt(start + 5_000);
  expect(names(recorded)).toEqual(['bob', 'alice']);
  expect(recorded[0]).toMatchObject({
    ...{ kind: 'tampered', finding: 'deleted', channel: audit, message: id, attributed: { [id]: 1 } },
  });
});

it('An entry of the audit log that counts another deletion is reported again, and one of the first release is not', async () => {
  const deletion = deletedBy('bob', start + 5_000);
  const old = {
    kind: 'tampered',
    actor: deletion.by,
    finding: 'deleted',
    channel: audit,
    message: deletion.id,
  } as const;
  const before = around([old]);
  before.log.push({ ...deletion, count: 3 });
  await watch(before.parts).reportMissed();
  expect(before.recorded).toHaveLength(1);
  const { parts, recorded, log } = around();
  const tampering = watch(parts);
  log.push(deletion);
  tampering.add('deleted', ['1']);
  await tampering.reportEvents();
  log[0] = { ...deletion, count: 2 };
  await watch(parts).reportMissed();
  expect(recorded).toMatchObject([
    { message: '1', attributed: { [deletion.id]: 1 } },
    { message: deletion.id, attributed: { [deletion.id]: 2 } },
  ]);
});

it('What several people may have done is put down to nobody, and not reported again by another process', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('bob', start + 5_000), deletedBy('alice', start + 4_000));
  await watch(parts).reportEnd({ channel: audit, message: '2', seq: 3 }, 0);
  await watch(parts).reportMissed();
  expect(names(recorded)).toEqual(['nobody']);
  expect(recorded).toMatchObject([{ message: '2', from: 1, to: 3 }]);
});

it('What another process has reported is not reported again by one that heard it, too', async () => {
  const { parts, recorded, log } = around();
  log.push(deletedBy('bob', start + 5_000));
  const [leader, follower] = [watch(parts), watch(parts)];
  for (const each of [leader, follower]) {
    each.add('deleted', ['1']);
    each.add('edited', ['2']);
  }
  await leader.reportEvents();
  follower.expire();
  expect(follower.isDue()).toBe(true);
  await follower.reportEvents();
  expect(recorded).toMatchObject([
    { finding: 'deleted', actor: { name: 'bob' } },
    { finding: 'edited', unsaid: true },
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
  const channel = openAuditChannel({ ...discord, guild: discord.guildId, channel: audit });
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

it('What the first release reported with a name, and without a count, is not reported again', async () => {
  const { parts, recorded, log } = around([
    {
      ...{ kind: 'tampered', actor: { id: 'alice', name: 'alice', roles: [] }, finding: 'deleted', channel: audit },
      ...{ message: '1', from: 1, to: 2 },
    },
  ]);
  const told = Date.parse(chained(recorded)[0]?.time ?? '');
  log.push(deletedBy('alice', told + 60_000), deletedBy('bob', told - 900), deletedBy('alice', told - 900));
  await watch(parts).reportMissed();
  expect(names(recorded.slice(1))).toEqual(['alice', 'bob']);
});
