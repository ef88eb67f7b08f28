import { expect, it, onTestFinished } from 'vitest';
import { openTrailDesk } from '../../src/discord/trail-desk.ts';
import type { Entry, NewEntry } from '../../src/ledger/entry.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import type { Deletion } from '../../src/trail/desk.ts';
import { createTamper, type TamperParts } from '../../src/trail/tamper.ts';
import { createWaiting } from '../../src/trail/waiting.ts';
import { folder, notes } from '../ledger/samples.ts';
import { audit, begun, openStudio, ownDiscord, ownRedis, posted, reaches, several } from './studio.ts';

const redis = ownRedis();
const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
const head = '0123456789ab';
/** An id that Discord gives at that time, in ms. */
const idAt = (ms: number): string => String(BigInt(ms - 1_420_070_400_000) << 22n);
const start = Date.parse('2026-11-19T22:00:00.000Z');

interface Desk {
  parts: TamperParts;
  recorded: NewEntry[];
  /** What Discord's audit log has. */
  log: Deletion[];
}

/** The watch over a trail of two messages, which stand for the entries 1 to 2 and 3. */
function watched(failures = 0): Desk {
  const recorded: NewEntry[] = [];
  const log: Deletion[] = [];
  const counted: Record<string, string> = {};
  let left = failures;
  const parts: TamperParts = {
    ledger: {
      append(entries) {
        left -= 1;
        if (left >= 0) return Promise.reject(new LedgerUnavailable(new Error('full')));
        recorded.push(...entries);
        return Promise.resolve([]);
      },
      refresh: () => Promise.resolve(),
      entries: () => [],
    },
    desk: {
      deletions: (how) => Promise.resolve(how === 'one' ? [...log] : []),
      around: () => Promise.resolve([]),
    },
    channel: audit,
    bot,
    state: {
      claim: () => Promise.resolve(true),
      hold: () => Promise.resolve(),
      counted: () => Promise.resolve({ ...counted }),
      count(id, n) {
        counted[id] = String(n);
        return Promise.resolve();
      },
    },
    known: new Map([
      ['1', { message: '1', from: 1, to: 2, head }],
      ['2', { message: '2', from: 3, to: 3, head }],
    ]),
    since: start,
    between: 1,
    log: notes(),
  };
  return { parts, recorded, log };
}

const deletedBy = (name: string, ms: number): Deletion => ({
  id: idAt(ms),
  by: { id: name, name, roles: [] },
  count: 1,
});
const names = (recorded: readonly NewEntry[]) =>
  recorded.map((entry) => ('unsaid' in entry ? 'nobody' : entry.actor.name));

it('A deletion is recorded however long the ledger cannot be written', async () => {
  const { parts, recorded } = watched(30);
  createTamper(parts).deleted(['1']);
  await expect.poll(() => recorded.length, { timeout: 8_000 }).toBe(1);
});

it('Who deleted is whom the audit log got since; a deletion from before that start is nobody', async () => {
  const { parts, recorded, log } = watched();
  log.push(deletedBy('alice', start - 3_600_000));
  const tamper = createTamper(parts);
  tamper.deleted(['1']);
  setTimeout(() => log.unshift(deletedBy('bob', start + 600)), 600);
  await expect.poll(() => names(recorded), { timeout: 4_000 }).toEqual(['bob']);
});

it('Nobody is named where the audit log may be of another message that was deleted', async () => {
  const { parts, recorded, log } = watched();
  log.push(deletedBy('alice', start + 10));
  const tamper = createTamper(parts);
  tamper.deleted(['77']);
  tamper.deleted(['1']);
  setTimeout(() => log.unshift(deletedBy('bob', start + 600)), 600);
  await expect.poll(() => names(recorded), { timeout: 5_000 }).toEqual(['nobody']);
});

it('What the audit log got while the bot was down is told of once, with who it was', async () => {
  const { parts, recorded, log } = watched();
  log.push(deletedBy('bob', start + 5_000), deletedBy('alice', start - 5_000));
  const tamper = createTamper(parts);
  tamper.begin();
  tamper.begin();
  await expect.poll(() => names(recorded)).toEqual(['bob']);
  await tamper.close();
  expect(recorded).toEqual([
    expect.objectContaining({ kind: 'tampered', finding: 'deleted', channel: audit, message: idAt(start + 5_000) }),
  ]);
});

it('A deleted message from before those that are known is told of, by what stands about it', async () => {
  const discord = await ownDiscord();
  const dir = folder();
  const open = (log = notes()) => openFileLedger({ dir, log });
  const none = () => Promise.resolve([]);
  const studio = await openStudio(discord, { open, lines: none, write: () => Promise.resolve() }, redis());
  onTestFinished(() => studio.ledger.close());
  await studio.append([begun]);
  await reaches(discord, () => 1);
  for (let at = 1; at <= 4; at += 1) {
    await studio.append(several(1, at));
    await reaches(discord, () => at + 1);
  }
  const { parts } = watched();
  const desk = openTrailDesk({ ...discord, guild: discord.guildId, channel: audit });
  const tamper = createTamper({ ...parts, desk, ledger: studio.ledger, known: new Map() });
  const victim = posted(discord)[2]?.id ?? '';
  discord.deleteMessage('alice', victim);
  const foreign = await discord.type('bob', 'audit', 'nice trail');
  discord.deleteMessage('bob', foreign);
  tamper.deleted([victim]);
  tamper.deleted([foreign]);
  const told = (): Partial<Entry>[] => studio.ledger.entries().filter(({ kind }) => kind === 'tampered');
  await expect.poll(() => told().length).toBe(1);
  await tamper.close();
  expect(told()).toEqual([expect.objectContaining({ finding: 'deleted', message: victim, from: 3, to: 3 })]);
});

it('Neither a clock that goes back nor a new process makes a wait shorter', async () => {
  const back = createWaiting(() => start - 3_600_000);
  const entry = { seq: 1, time: new Date(start).toISOString() };
  back.saw(1);
  await expect.poll(() => back.of(entry)).toBeGreaterThan(20);
  const again = createWaiting(() => start + 600_000);
  again.saw(1);
  expect(again.of(entry)).toBe(600_000);
});
