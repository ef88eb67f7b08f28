import { expect, test } from 'vitest';
import { prepared } from '../helpers/commands/typed.ts';

/** How a change ends whose answer, with a status of success, has this data. */
async function ended(id: string, raw: Record<string, string | number>, data: unknown): Promise<unknown> {
  const change = prepared(id, { server: 'web-1', ...raw });
  const [server] = change.servers;
  if (server === undefined) throw new Error('it has one server');
  const answer = await change.attempt(server, () => Promise.resolve({ kind: 'yes', data: data as never }));
  return answer.kind === 'yes' ? answer.data.outcome : answer;
}

const vlan = { vlan: '7', interface: 'primary', 'native-mode': 2 };
const entry = { id: 7, vlanId: 100, trunk: 0 };

test('a VLAN entry that the panel shows with another mode is not one that was set', async () => {
  expect(await ended('vlan.set', vlan, { ...entry, nativeMode: 1 })).toEqual({
    kind: 'unknown',
    reason: 'no-success',
    said: 'native mode 1, trunk 0',
  });
  expect(await ended('vlan.set', { ...vlan, trunk: 1 }, { ...entry, nativeMode: 2 })).toMatchObject({
    kind: 'unknown',
    said: 'native mode 2, trunk 0',
  });
  expect(await ended('vlan.set', vlan, { ...entry, nativeMode: 2 })).toBe('succeeded');
});

test('addresses of which the panel names none were perhaps not assigned', async () => {
  const two = { interface: 'primary', quantity: 2 };
  expect(await ended('ipv4.assign', two, [])).toEqual({
    kind: 'unknown',
    reason: 'no-success',
    said: 'no address was assigned',
  });
  expect(await ended('ipv4.assign', two, ['192.0.2.7'])).toBe('succeeded');
});
