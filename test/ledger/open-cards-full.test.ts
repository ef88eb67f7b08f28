import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenCard, openCardStore } from '../../src/ledger/open-cards.ts';
import { quietLog } from '../races.ts';

it('A card that the disk does not take is listed as long as the process lives', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const store = openCardStore(dir, quietLog);
  const card: OpenCard = {
    ...{ interaction: '17', token: 't', at: 1, audience: 'public', owner: 'o', runs: [], command: 'power.boot' },
    ...{ actor: { id: '1', name: 'alice', roles: [] }, place: { guild: '1', channel: '2' }, options: {} },
  };
  // In the way of its file, as a full disk would be.
  mkdirSync(join(dir, 'open', '17.json', 'x'), { recursive: true });
  store.put(card);
  expect(await store.list()).toEqual([card]);
  expect(readdirSync(join(dir, 'open'))).toEqual(['17.json']);
  store.remove(card);
  rmSync(join(dir, 'open', '17.json'), { recursive: true });
  expect(await store.list()).toEqual([]);
});
