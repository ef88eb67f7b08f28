import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type OpenCard, openCardStore } from '../../src/ledger/open-cards.ts';
import { folder, notes } from './samples.ts';

const card: OpenCard = {
  interaction: '1500000000000000001',
  token: 'aW50ZXJhY3Rpb246c2VjcmV0',
  at: 1_795_125_600_000,
  audience: 'public',
  actor: { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] },
  place: { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' },
  command: 'firewall.flush',
  options: { server: 'web-1', sync: true },
  owner: 'process-1',
  runs: [{ run: '9kq3v1x7m2a.1', server: { id: 101, name: 'web-1', tier: 'production' } }],
};

describe('The open cards', () => {
  test('are all there after a restart, the oldest first, until they are removed', async () => {
    const dir = folder();
    const before = openCardStore(dir, notes());
    before.put(card);
    before.put({ ...card, interaction: '1500000000000000002', at: card.at - 1_000 });
    before.put({ ...card, interaction: '1500000000000000003' });
    before.remove({ ...card, interaction: '1500000000000000003' });
    before.remove({ ...card, interaction: '1500000000000000003' });

    const after = openCardStore(dir, notes());
    expect(await after.list()).toEqual([{ ...card, interaction: '1500000000000000002', at: 1_795_125_599_000 }, card]);
  });

  test('are replaced by a later state of the same card', async () => {
    const cards = openCardStore(folder(), notes());
    cards.put({ ...card, runs: [] });
    cards.put(card);
    expect(await cards.list()).toEqual([card]);
  });

  test('are files that only their owner can read', () => {
    const dir = folder();
    openCardStore(dir, notes()).put(card);
    expect(statSync(join(dir, 'open')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'open', '1500000000000000001.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'open'))).toEqual(['1500000000000000001.json']);
  });

  test('are skipped with a warning when they are damaged, and the warning quotes nothing of them', async () => {
    const dir = folder();
    const warnings: string[] = [];
    const log = {
      ...notes(),
      warn: (facts: object, message: string) => warnings.push(JSON.stringify({ facts, message })),
    };
    const cards = openCardStore(dir, log);
    cards.put(card);
    const file = join(dir, 'open', '1500000000000000001.json');
    writeFileSync(join(dir, 'open', '1.json'), readFileSync(file, 'utf8').slice(0, 90));
    writeFileSync(join(dir, 'open', '2.json'), readFileSync(file, 'utf8').replace('"public"', '"everybody"'));
    expect(await cards.list()).toEqual([card]);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain('1.json');
    expect(warnings.join()).not.toContain('aW50ZXJhY3Rpb246');
  });

  test('that were cut off in the middle of being stored are not listed, and go at the next start', async () => {
    const dir = folder();
    openCardStore(dir, notes());
    writeFileSync(join(dir, 'open', '1500000000000000001.json.part'), '{"token":"aW50');
    expect(await openCardStore(dir, notes()).list()).toEqual([]);
    expect(readdirSync(join(dir, 'open'))).toEqual([]);
  });

  test('stay in their folder, whatever their interaction is called', () => {
    const dir = folder();
    const log = notes();
    const cards = openCardStore(dir, log);
    cards.put({ ...card, interaction: '../ledger' });
    cards.remove({ ...card, interaction: '../ledger' });
    expect(log.messages).toEqual(['an open card cannot be stored', 'an open card cannot be removed']);
    expect(readdirSync(dir)).toEqual(['open']);
  });

  test('that cannot be stored are a warning and no failure', () => {
    const dir = folder();
    const log = notes();
    const cards = openCardStore(dir, log);
    rmSync(join(dir, 'open'), { recursive: true });
    cards.put(card);
    expect(log.messages).toEqual(['an open card cannot be stored']);
  });
});
