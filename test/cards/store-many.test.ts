import { readFileSync } from 'node:fs';
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
  store.remove('card7', 1);
  await put('card7');
  await store.close();
  const next = await openCardFile(dir, notes());
  const left = await next.takeOver();
  await next.close();
  expect(left?.cards.map(({ id }) => id).sort()).toEqual(['first', ...ids].sort());
});
