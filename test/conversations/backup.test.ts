import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('a restore', () => {
  const world = worldForAll({ still: true });

  it('says of every disk where it comes from', async () => {
    expect(
      await world.alice.types(
        '/backup restore server:web-1 disks:"0, 1" chains:0=17 until:"1=2025-11-19 22:00" reason:"lost update"',
      ),
    ).toShow(
      'QUESTION /backup restore · web-1 (101, production)',
      'Disks 0 and 1 of web-1 (101) will be overwritten from its backups.',
      '**Cannot be undone.** What is on them now is lost.',
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
