import { expect, it } from 'vitest';
import type { ServerList } from '../../src/inventory/list.ts';
import type { ReadPanel } from '../../src/inventory/panel.ts';
import { linesOf, openRefresh } from '../../src/inventory/refresh.ts';
import { atOnce } from '../../src/walk.ts';
import { quietLog } from '../helpers/messages.ts';

const fields = { path: '/servers', id: '/id' };
const list: ServerList = { at: 5, digest: 'd', accepted: 1, servers: [{ id: 7, name: 'web-7', was: { group: 1 } }] };

/** A panel with one server whose answers wait until they are let through. */
async function refreshing(stored?: string) {
  const [asked, taken]: [(() => void)[], ServerList[]] = [[], []];
  const at = { path: fields.path, text: stored };
  const read: ReadPanel = () =>
    new Promise((resolve) => {
      asked.push(() => resolve({ kind: 'yes', data: { total: 1, last_page: 1, data: [{ id: 8 }] } }));
    });
  const refresh = await openRefresh({
    ...{ read, every: 3_600_000, now: () => 9, isHeld: () => true, record: () => undefined, log: quietLog },
    fields: () => ({ ...fields, path: at.path }),
    store: {
      read: () => Promise.resolve(at.text),
      write(pieces) {
        at.text = pieces.join('');
        return Promise.resolve();
      },
    },
    inForce: { list: () => taken.at(-1), take: (next) => Promise.resolve(void taken.push(next)) },
  });
  return {
    ...{ refresh, asked, taken },
    stored: () => at.text,
    move(path: string) {
      at.path = path;
    },
  };
}

it('one walk is enough for all who ask while another one goes on', async () => {
  const { refresh, asked, taken, stored } = await refreshing();
  const all = [refresh.now(), refresh.now(), refresh.now()];
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.();
  expect(await Promise.all(all)).toMatchObject([{ kind: 'taken' }, { kind: 'taken' }, { kind: 'taken' }]);
  expect([asked.length, taken.length]).toEqual([2, 2]);
  await refresh.close();
  const next = await refreshing(stored());
  expect(next.taken).toEqual(taken.slice(-1));
  await next.refresh.close();
});

it('a list that was read by the policy of before is not taken on', async () => {
  const { refresh, asked, taken, move } = await refreshing();
  const came = refresh.now();
  await expect.poll(() => asked.length).toBe(1);
  move('/elsewhere');
  asked[0]?.();
  await expect.poll(() => asked.length).toBe(2);
  expect([taken, refresh.state()]).toMatchObject([[], { refused: 'failed' }]);
  asked[1]?.();
  expect(await came).toMatchObject({ kind: 'taken' });
  await refresh.close();
});

it('the last good list is in force from the start', async () => {
  const { refresh, taken } = await refreshing(atOnce(linesOf(list)).join(''));
  expect(taken).toEqual([list]);
  await refresh.close();
});

it.each([
  ['other names', (text: string) => text.replace('web-7', 'web-1')],
  ['the half of it', (text: string) => text.slice(0, -9)],
  ['nothing', () => ''],
  ['another form', (text: string) => text.replace('"form":1', '"form":2')],
])('a stored list with %s is as if it were not there', async (_, change) => {
  const { refresh, taken } = await refreshing(change(atOnce(linesOf(list)).join('')));
  expect(taken).toEqual([]);
  await refresh.close();
});
