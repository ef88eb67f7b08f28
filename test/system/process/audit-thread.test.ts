import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createChecker } from '../../../src/app/checker.ts';
import { toLine } from '../../../src/ledger/chain.ts';
import { ChannelClosed } from '../../../src/outcome.ts';
import type { Entry } from '../../../src/runs/entry.ts';
import { packBacklog } from '../../../src/trail/backlog.ts';
import type { Message } from '../../../src/trail/channel.ts';
import { pack } from '../../../src/view/trail.ts';
import { connection, openLeading, ownServer } from '../../helpers/ledger/places.ts';
import { folder, notes, outcome } from '../../helpers/ledger/samples.ts';
import { chain, large } from '../../helpers/record/entries.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

const program = new URL('../../../dist/src/audit/thread.js', import.meta.url);

/** A folder with this ledger in it. */
function ledgerWith(entries: readonly Entry[]): string {
  const dir = folder();
  writeFileSync(join(dir, 'ledger.jsonl'), entries.map((entry) => `${toLine(entry)}\n`).join(''));
  return dir;
}

/** A bot that was started so often. */
const starts = (count: number): Entry[] =>
  chain(
    Array.from({ length: count }, (_, n) => ({
      kind: 'started',
      actor: { id: 'panelops', name: 'panelops', roles: [] },
      owner: `process ${n}`,
      facts: { panel: 'https://panel.example.com', policy: `hash ${n}` },
    })),
  );

/** A channel of which a test says what its pages are. */
const channelOf = (
  page: () => Promise<readonly Message[]>,
  file: () => Promise<Uint8Array | undefined> = () => Promise.resolve(undefined),
) => ({ id: '1300000000000000002', page, file });

function checkerOf(dir: string, channel?: ReturnType<typeof channelOf>, bounds = {}) {
  const checker = createChecker({ dataDir: dir }, channel, { program, ...bounds });
  onTestFinished(() => checker.close());
  return checker;
}

describe('a check of the ledger', () => {
  let entries: Entry[] = [];
  beforeAll(() => {
    entries = large(20_000);
  });
  const few = () => ledgerWith(entries.slice(0, 10));
  const head = () => ({ seq: 20_000, hash: entries.at(-1)?.hash });

  it('leaves everybody else their turns, as many as they like', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 2);
    onTestFinished(() => clearInterval(timer));
    expect(await checkerOf(ledgerWith(entries)).check()).toEqual({ head: head(), findings: [] });
    // To read and hash so many takes hundreds of milliseconds.
    expect(turns).toBeGreaterThan(40);
  });

  it('is one for all who ask while it goes on, and the next one is another', async () => {
    let reads = 0;
    const pages: ((page: readonly Message[]) => void)[] = [];
    const channel = channelOf(() => {
      reads += 1;
      return new Promise((resolve) => pages.push(resolve));
    });
    const checker = checkerOf(few(), channel);
    const both = [checker.check(), checker.check()];
    await expect.poll(() => pages.length).toBe(1);
    both.push(checker.check());
    pages[0]?.([]);
    for (const each of await Promise.all(both)) expect(each).toMatchObject({ channel: { messages: 0, strange: [] } });
    expect(reads).toBe(1);
    const next = checker.check();
    await expect.poll(() => pages.length).toBe(2);
    pages[1]?.([]);
    await next;
  });

  it('that takes more memory than it may is stopped, says so, and nobody else is; runs take no more, however many', async () => {
    // Entries of runs stay in their files; the others are held.
    const dir = ledgerWith(starts(20_000));
    await expect(checkerOf(dir, undefined, { memory: 16 }).check()).rejects.toMatchObject({
      name: 'CheckStopped',
      why: 'memory',
    });
    expect(await checkerOf(dir).check()).toMatchObject({ head: { seq: 20_000 }, findings: [] });
    const runs = checkerOf(ledgerWith(entries), undefined, { memory: 16 });
    expect(await runs.check()).toEqual({ head: head(), findings: [] });
  });

  it('that takes longer than it may is stopped, and the next one is another', async () => {
    let isStuck = true;
    const channel = channelOf(() => (isStuck ? new Promise(() => undefined) : Promise.resolve([])));
    const checker = checkerOf(few(), channel, { time: 3_000 });
    await expect(checker.check()).rejects.toMatchObject({ name: 'CheckStopped', why: 'time' });
    isStuck = false;
    expect(await checker.check()).toMatchObject({ channel: { messages: 0 } });
  });

  it('that cannot begin is a fault, and so is one that is ended', async () => {
    const broken = checkerOf(folder(), undefined, { program: new URL('file:///nowhere.js') });
    await expect(broken.check()).rejects.toMatchObject({ name: 'CheckStopped', why: 'fault' });
    const gone = folder();
    rmSync(gone, { recursive: true });
    await expect(checkerOf(gone).check()).rejects.toMatchObject({ why: 'fault', cause: { message: /ENOENT/ } });
    const stuck = checkerOf(
      few(),
      channelOf(() => new Promise(() => undefined)),
    );
    const checked = expect(stuck.check()).rejects.toMatchObject({ why: 'fault' });
    await stuck.close();
    await checked;
  });

  it('passes on why the channel cannot be read', async () => {
    const closed = channelOf(() => Promise.reject(new ChannelClosed()));
    await expect(checkerOf(few(), closed).check()).rejects.toBeInstanceOf(ChannelClosed);
  });

  it('reads the files of backlogs, and says which it could not have', async () => {
    const packed = (await packBacklog(entries.slice(0, 300))) ?? expect.fail();
    const { name, text } = packed.file;
    const file = { name, size: text.length, url: 'https://cdn.example.com/1' };
    const said = { id: '1500000000000000009', content: packed.text, edited: false, own: true, file };
    const page = () => Promise.resolve([said]);
    const dir = ledgerWith(entries.slice(0, 300));
    const judged = async (read: () => Promise<Uint8Array | undefined>) =>
      (await checkerOf(dir, channelOf(page, read)).check()).channel;
    expect(await judged(() => Promise.resolve(Buffer.from(text)))).toEqual({ messages: 1, strange: [], waiting: 0 });
    const altered = Buffer.from(text.replace('rule 9`', 'rule 8`'));
    expect(await judged(() => Promise.resolve(altered))).toMatchObject({
      strange: [{ finding: 'changed', from: 1, to: 300 }],
    });
    expect(await judged(() => Promise.reject(new Error('503')))).toMatchObject({
      strange: [],
      unread: [{ message: '1500000000000000009', from: 1, to: 300 }],
    });
  });

  it('finds a ledger that was deleted under the bot, and is no fault', async () => {
    const posted = pack(entries.slice(0, 10)) ?? expect.fail();
    const said = { id: '1500000000000000009', content: posted.text, edited: false, own: true };
    const checked = await checkerOf(
      folder(),
      channelOf(() => Promise.resolve([said])),
    ).check();
    expect(checked).toMatchObject({
      head: { seq: 0 },
      channel: { contradiction: { spans: [{ first: { finding: 'ahead', from: 1, to: posted.to } }] } },
    });
  });
});

describeWithRedisServer('a check of the ledger in Redis', () => {
  const server = ownServer();

  it('reads it over a connection of its own, and says when it cannot', async () => {
    const ledger = await openLeading({ redis: await connection(server.url), log: notes() });
    onTestFinished(() => ledger.close());
    await ledger.append([outcome('a.1'), outcome('b.1')]);
    const checkerAt = (redisUrl: string) => createChecker({ dataDir: folder(), redisUrl }, undefined, { program });
    expect(await checkerAt(server.url).check()).toEqual({ head: ledger.head(), findings: [] });
    await expect(checkerAt('redis://127.0.0.1:9').check()).rejects.toMatchObject({ name: 'RedisUnavailable' });
  });
});
