import { describe, expect, it } from 'vitest';
import { examplePolicy, worldForAll } from '../../helpers/world.ts';

const policy = examplePolicy.replace('ips: ["198.51.100.201"]', 'ips: ["198.51.100.201", "2001:DB8:0::C9"]');

describe('a server, as people know it', () => {
  const world = worldForAll({ still: true, policy });

  it.each([
    ['WEB-1', 'web-1'],
    ['101', 'web-1'],
    ['192.0.2.101', 'web-1'],
    ['::ffff:192.0.2.101', 'web-1'],
    ['2001:db8::c9', 'lab-1'],
    ['2001:0db8:0000:0000:0000:0000:0000:00c9', 'lab-1'],
    ['"web-1 (101, production)"', 'web-1'],
    ['web-1\u200b', 'web-1'],
  ])('%s is %s', async (typed, server) => {
    expect(await world.alice.types(`/firewall show server:${typed}`)).toContain(`Firewall of ${server} · primary`);
  });

  it('is booted once, however often it is named', async () => {
    const card = await world.bob.types('/power boot server:web-1,192.0.2.101,WEB-1,101,web-2');
    expect(card).toContain('ACCEPTED /power boot · 2 servers');
    expect(world.panel.requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/servers/101/power/boot',
      '/servers/102/power/boot',
    ]);
  });

  it('is stored and shown by its id, not as it was typed', async () => {
    await world.bob.types('/power boot server:192.0.2.103');
    expect(world.ledger().at(-1)).toMatchObject({ options: { server: '103' }, server: { id: 103, name: 'web-3' } });
  });
});
