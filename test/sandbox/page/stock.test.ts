import { expect, it } from 'vitest';
import { openWindow, pageForAll, post } from '../../helpers/sandbox/page/visit.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';

const page = pageForAll();
const order = (body: unknown) => post(page.url, '/stock', body);
const row = (id: number) => page.panel.state.servers.find((each) => each.id === id);

it('creates, renames, suspends and deletes servers, which the list of the panel and the page show', async () => {
  const window = await openWindow(page.url, 'alice', '&behind=1');
  expect(await order({ do: 'create', name: 'web-9' })).toEqual({ status: 200, result: null });
  await order({ do: 'rename', id: 301, name: '../<b>' });
  await order({ do: 'suspend', id: 301, on: true });
  await window.untilBehind(({ servers }) => servers?.some(({ name, suspended }) => name === '../<b>' && suspended));
  const listed = await ask(page.panel, 'GET', '/servers?type=simple&results=200&page=1');
  expect(JSON.parse(listed.text)).toMatchObject({
    total: 13,
    data: expect.arrayContaining([
      expect.objectContaining({ id: 301, name: '../<b>', suspended: true, hypervisorId: 3 }),
    ]),
  });
  await order({ do: 'delete', id: 301 });
  expect(row(301)).toBeUndefined();
  // An id never comes back.
  await order({ do: 'create', name: 'web-9' });
  expect(row(302)).toMatchObject({ name: 'web-9', power: 'running' });
  window.close();
});

it('refuses what it does not have, and what it does not know', async () => {
  expect(await order({ do: 'delete', id: 999 })).toEqual({ status: 409, problem: 'The panel has no server 999.' });
  expect(await order({ do: 'create', name: ' ' })).toMatchObject({ status: 400 });
  expect(await order({ do: 'burn', id: 101 })).toMatchObject({ status: 400 });
});
