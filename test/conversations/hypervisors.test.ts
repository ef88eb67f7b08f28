import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

/** Machines differ a little in the bytes of a picture. */
const sizeless = (card: string): string => card.replace(/\(\d+ bytes\)/g, '(N bytes)');

describe('hypervisors', () => {
  const world = worldForAll();

  it('carol pages through the groups, beyond one page of the panel', async () => {
    expect(await world.carol.types('/hypervisors groups')).toShow(
      'Hypervisor groups',
      '24 hypervisor groups.',
      '**1** `Frankfurt`: enabled, default',
      '**10** `Site 10`: enabled',
      'Showing 1–10 of 24 groups.',
      '[Next] [Share]',
      '(only carol sees this)',
    );
    expect(await world.carol.clicks('Next')).toContain('Showing 11–20 of 24 groups.');
    expect(await world.carol.clicks('Next')).toShow(
      'Hypervisor groups',
      '**24** `Site 24`: **disabled**',
      'Showing 21–24 of 24 groups.',
      '[Previous] [Share]',
      '(only carol sees this)',
    );
    expect(await world.carol.clicks('Previous')).toContain('Showing 11–20 of 24 groups.');
    expect(await world.carol.clicks('Previous')).toContain('Showing 1–10 of 24 groups.');
  });

  it('capacity at a glance, five hypervisors a page', async () => {
    expect(sizeless(await world.alice.types('/hypervisors resources group:1'))).toShow(
      'Capacity of group 1',
      'IPv4: 40 addresses to assign in the largest pool.',
      '**1** `fra-1` · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 12 of 50',
      '**2** `fra-2` · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 31, no limit',
      '**3** `fra-3` · used: **⚠ memory 160 of 128 GB, over-committed**, cores 24 of 64, `Local` 720 of 1800 GB, servers 12 of 50',
      '**4** `fra-4` · ⊘ takes no new servers: disabled · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 12 of 50',
      '**5** `fra-5` · ⊘ takes no new servers: prohibited · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 12 of 50',
      'Showing 1–5 of 7 hypervisors.',
      '📎 capacity.png (N bytes)',
      '[Next] [Share]',
      '(only alice sees this)',
    );
    expect(sizeless(await world.alice.clicks('Next'))).toShow(
      'Capacity of group 1',
      '**6** `fra-6` · ⊘ takes no new servers: not commissioned · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 0 of 50',
      '**7** `fra-7` · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, `nvme-pool` 3900 of 4000 GB, `archive` 4000 of 16000 GB, servers 12 of 50',
      'Showing 6–7 of 7 hypervisors.',
      '📎 capacity.png (N bytes)',
      '[Previous] [Share]',
      '(only alice sees this)',
    );
  });

  it('shows the same hypervisors as a picture, with words in its place, and takes it away when there is nothing to show', async () => {
    const pictures = () => world.discord.messages('alice', 'ops').at(-1)?.files ?? [];
    const words = (): unknown => world.discord.requests.findLast(({ method }) => method === 'PATCH')?.body;
    await world.alice.types('/hypervisors resources group:1');
    const [first] = pictures();
    expect(Buffer.from(first?.bytes.subarray(0, 8) ?? []).toString('hex')).toBe('89504e470d0a1a0a');
    expect(words()).toMatchObject({
      attachments: [
        {
          filename: 'capacity.png',
          description:
            'Group 1: memory, cores, storage, 1–5 of 7 hypervisors, as bars. 1 fra-1: Servers 24%; Memory 38%; Cores 38%; Local 40%. ' +
            '2 fra-2: Servers unlimited; Memory 38%; Cores 38%; Local 40%. ' +
            '3 fra-3: Servers 24%; Memory 125%, over-committed; Cores 38%; Local 40%. ' +
            '4 fra-4 (disabled): Servers 24%; Memory 38%; Cores 38%; Local 40%. ' +
            '5 fra-5 (prohibited): Servers 24%; Memory 38%; Cores 38%; Local 40%.',
        },
      ],
    });
    await world.alice.clicks('Next');
    expect(pictures()).toHaveLength(1);
    expect(pictures()[0]?.bytes).not.toEqual(first?.bytes);
    expect(JSON.stringify(words())).toContain(
      '7 fra-7: Servers 24%; Memory 38%; Cores 38%; Local 40%; nvme-pool 98%; archive 25%.',
    );
    world.panel.order({ kind: 'status-before', status: 404, body: { errors: [] } });
    expect(await world.alice.clicks('Previous')).toContain('REJECTED');
    expect(pictures()).toEqual([]);
  });
});
