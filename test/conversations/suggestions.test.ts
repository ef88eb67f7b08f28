import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('what is offered while typing', () => {
  const world = worldForAll();

  const names = async (offered: Promise<{ name: string }[]>): Promise<string[]> =>
    (await offered).map(({ name }) => name);

  it('alice is offered every server, bob only those that he may touch, mallory none', async () => {
    expect(await names(world.alice.chooses('/power boot', 'server'))).toMatchInlineSnapshot(`
      [
        "web-1 · 101 · production · 192.0.2.101",
        "web-2 · 102 · production · 192.0.2.102",
        "web-3 · 103 · staging · 192.0.2.103",
        "db-1 · 111 · production · 192.0.2.111",
        "db-2 · 112 · production · 192.0.2.112",
        "mail-1 · 121 · production · 192.0.2.121",
        "cache-1 · 131 · staging · 192.0.2.131",
        "build-1 · 141 · internal · 192.0.2.141",
        "legacy-1 · 151 · internal · 192.0.2.151",
        "vpn-1 · 161 · production · 192.0.2.161",
        "lab-1 · 201 · lab · 198.51.100.201",
        "lab-2 · 202 · lab · 198.51.100.202",
        "tier:production · 6 servers: web-1, web-2, db-1, db-2, mail-1, vpn-1",
        "tier:staging · 2 servers: web-3, cache-1",
        "tier:internal · 2 servers: build-1, legacy-1",
        "tier:lab · 2 servers: lab-1, lab-2",
        "group:1 · 5 servers: web-1, web-2, web-3, db-1, db-2",
      ]
    `);
    const bobs = await names(world.bob.chooses('/power boot', 'server'));
    expect(bobs.filter((name) => !name.includes('servers:'))).toHaveLength(10);
    expect(bobs.filter((name) => name.startsWith('lab'))).toEqual([]);
    expect(await world.bob.chooses('/power boot server:lab', 'server')).toEqual([]);
  });

  it('somebody who may not run the command is told so while typing, and sees no server', async () => {
    const no = 'You may not run /power boot. Roles that may: on-call, lead';
    expect(await world.mallory.chooses('/power boot', 'server')).toEqual([{ name: no, value: '-' }]);
    expect(await world.carol.chooses('/power boot server:web', 'server')).toEqual([
      { name: `web · ${no}`, value: 'web' },
    ]);
    expect(await world.carol.types('/power boot server:-')).toContain('DENIED');
  });

  it('the last of a list is completed, and what is there already is not offered again', async () => {
    expect(await world.bob.chooses('/power restart server:"web-1, web"', 'server')).toEqual([
      { name: 'web-1, web-2 · 102 · production · 192.0.2.102', value: '101,102' },
      { name: 'web-1, web-3 · 103 · staging · 192.0.2.103', value: '101,103' },
      { name: 'web-1, web-* · 3 servers: web-1, web-2, web-3', value: '101,web-*' },
    ]);
  });

  it('what is offered can be sent as it is', async () => {
    const [first] = await world.bob.chooses('/power boot server:web-1,web-2,', 'server');
    expect(await world.bob.types(`/power boot server:${first?.value}`)).toContain('ACCEPTED /power boot · 3 servers');
  });

  it('nothing is offered in a channel where nothing is answered', async () => {
    expect(await world.alice.chooses('/power boot', 'server', 'random')).toEqual([]);
  });

  it('a panel that does not answer does not delay suggestions', async () => {
    world.panel.order({ kind: 'status-before', status: 500, times: 0 });
    expect(await world.alice.chooses('/hypervisors group', 'group')).toEqual([]);
    await world.panel.clear();
  });
});
