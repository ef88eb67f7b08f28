import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bot, connect } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

test('A change is not written once another process may act, even if that shows only when it is connected; a read is', async () => {
  const { url, heard, server } = await serve({ status: 200, body: { data: { queueId: 7 } } });
  const connected = once(server, 'connection');
  const client = connect(url, { mayLeave: () => false });
  expect(await client.call('powerBoot', { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'given-up' });
  await connected;
  expect(heard).toEqual([]);
  await client.call('connect', {}, bot);
  expect(heard.map(({ method }) => method)).toEqual(['GET']);
});
