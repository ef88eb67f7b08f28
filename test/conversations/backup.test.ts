import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutValue } from '../helpers/invalid.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe('a restore', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  it('says of every disk where it comes from', async () => {
    expect(
      await world.alice.types(
        '/backup restore server:web-1 disks:"0, 1" chains:0=17 until:"1=2025-11-19 22:00" reason:"lost update"',
      ),
    ).toShow(
      'QUESTION /backup restore · web-1 (101, production)',
      'Disks 0 and 1 of web-1 (101) will be overwritten from its backups.',
      '**Cannot be undone.** What is on them now is lost. Not touched: other disks, network, firewall.',
      'Disk 0: chain 17. Disk 1: 19 Nov 2025, 22:00 UTC (19 November 2025 22:00 UTC for you, T ago).',
      '[Restore disks 0 and 1 of web-1] [Cancel]',
    );
  });

  it("has the server's name typed: a wrong one leaves the question open", async () => {
    expect(await world.alice.clicks('Confirm')).toBe('modal: /backup restore · web-1');
    expect(world.alice.sees()).toContain('│ Type web-1 <>');
    expect(await world.alice.fills('web-2')).toShow(
      'NOT-SENT /backup restore',
      'What you typed is not `web-1`. Nothing was sent; the question stays open. Press Restore disks 0 and 1 of web-1 to type again.',
      '(only alice sees this)',
    );
    expect(world.panel.effects).toEqual([]);
  });

  it('the right one starts it; started is not finished', async () => {
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-1')).toShow(
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 has started (job 9001) and is not finished yet.',
      'Asked for: Overwrite disks 0 and 1 of web-1 from its backups: disk 0 from chain 17, disk 1 as of 19 Nov 2025, 22:00 UTC.',
      'Cannot be undone.',
    );
    expect(world.panel.effects).toMatchObject([
      {
        path: '/servers/101/backupManager/restore',
        body: { disks: ['0', '1'], diskChains: { 0: 17 }, diskUntils: { 1: 1_763_589_600 } },
      },
    ]);
  });

  it('six hours ago is the same moment in the question, the ledger and the request', async () => {
    const typed = Math.floor(Date.now() / 1000);
    expect(await world.alice.types('/backup restore server:112 disks:1 until:1=-6h reason:"bad deploy"')).toMatch(
      /Disk 1: \d+ \w+ \d{4}, (\d\d:\d\d) UTC \(\d+ \w+ \d{4} \1 UTC for you, T ago\)\./,
    );
    await world.alice.clicks('Confirm');
    await world.alice.fills('db-2');
    const until = /^1=(\d+)$/.exec(String(world.ledger().at(-1)?.options['until']))?.[1];
    expect(Number(until)).toBeGreaterThanOrEqual(typed - 21_600);
    expect(Number(until)).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) - 21_600);
    expect(world.panel.effects.at(-1)).toMatchObject({
      serverId: 112,
      body: { disks: ['1'], diskUntils: { 1: Number(until) } },
    });
  });
});

describe('what a restore is told', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const refused: [given: string, says: string][] = [
    ['disks:zero', '`disks`: disk numbers with commas, such as 0,1.'],
    ['disks:","', '`disks`: a restore needs at least one disk.'],
    ['disks:0,0', '`disks`: a disk is listed twice.'],
    ['disks:0 chains:17', '`chains`: disk=chain with commas, such as 0=17,1=18.'],
    ['disks:0 chains:0=17,0=18', '`chains`: disk 0 is named twice.'],
    ['disks:0 chains:1=17', '`chains`: disk 1 is not in disks.'],
    ['disks:0 until:1=-6h', '`until`: disk 1 is not in disks.'],
    ['disks:0 chains:0=17 until:0=-6h', '`until`: disk 0 has a chain already: a chain or a time, not both.'],
    [
      'disks:0 until:soon',
      '`until`: this is not a time. Write 6h, 3d, 22:00 or "yesterday 22:00"; for each disk: 0=22:00,1=6h.',
    ],
    ['disks:0 until:tomorrow', '`until`: the time is in the future.'],
    ['disks:0 until:0=tomorrow', '`until`: the time of disk 0 is in the future.'],
    [
      'disks:0 until:"0=2025-02-30 10:00"',
      '`until`: this is not a time. Write 2h or 3d (ago), 22:00, yesterday 22:00,',
    ],
    ['disks:0 until:"0=2099-01-01 00:00"', '`until`: the time of disk 0 is in the future.'],
  ];
  it.each(refused)('%s is refused: %s', async (given, says) => {
    const card = await world.alice.types(`/backup restore server:web-1 reason:test ${given}`);
    expect(card).toContain('INVALID /backup restore');
    expect(withoutValue(card)).toContain(says);
    expect(world.panel.requests).toEqual([]);
    expect(world.ledger()).toEqual([]);
  });
});
