import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCardFile } from '../../src/cards/file-store.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';

test('What many put at once is in the file as soon as each of them hears so, and in order', async () => {
  const dir = folder();
  const store = await openCardFile(dir, notes());
  const put = (id: string): Promise<boolean> => store.put({ id }, 1);
  const isThere = (id: string): boolean => readFileSync(join(dir, 'cards.jsonl'), 'utf8').includes(`"${id}"`);
  await put('first');
  const ids = Array.from({ length: 200 }, (_, at) => `card${at}`);
  const stored = await Promise.all(ids.map(async (id) => (await put(id)) && isThere(id)));
  expect(stored).not.toContain(false);
  // So many that the file is made shorter, again and again, while more is put.
  for (let at = 0; at < 6_000; at += 1) {
    const id = `over${at}`;
    const putting = put(id);
    if (at % 100 === 0) await putting;
    store.remove(id, 1);
  }
  store.remove('card7', 1);
  await put('card7');
  expect(readFileSync(join(dir, 'cards.jsonl'), 'utf8').split('\n').length).toBeLessThan(6_000);
  // As after a crash.
  const crashed = folder();
  copyFileSync(join(dir, 'cards.jsonl'), join(crashed, 'cards.jsonl'));
  const other = await openCardFile(crashed, notes());
  expect((await other.takeOver())?.cards.length).toBe(201);
  await other.close();
  await store.close();
  const next = await openCardFile(dir, notes());
  const left = await next.takeOver();
  await next.close();
  expect(left?.cards.map(({ id }) => id).sort()).toEqual(['first', ...ids].sort());
});
