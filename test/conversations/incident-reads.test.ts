import { beforeAll, describe, expect, it } from 'vitest';
import { fileIn, steady, threadsOf } from '../helpers/incidents/scene.ts';
import { labelsOf } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

describe("what is read in an incident's thread", () => {
  let thread = '';
  const world = worldForAll({ still: true });
  beforeAll(async () => {
    await world.alice.types('/incident start title:"rules are gone"');
    [thread = ''] = threadsOf(world);
  });

  it('is for everybody, and needs no Share', async () => {
    const card = await world.carol.types('/firewall show server:web-3', thread);
    expect(card).toContain('panelops: Firewall of web-3 · primary');
    expect(card).toContain('Showing 1–10 of 200 rules.\n  │ By @carol\n  [Next]');
    expect(card).not.toContain('sees this)');
    expect(world.bob.sees(thread)).toContain(card);
  });

  it('can be paged by anybody who may read it, and shows who did', async () => {
    expect(await world.bob.clicks('Next')).toContain('Showing 11–20 of 200 rules.\n  │ By @bob\n  [Previous] [Next]');
    expect(world.carol.sees(thread)).toContain('Showing 11–20 of 200 rules.');
    const before = world.carol.sees(thread);
    expect(await world.mallory.clicks('Next')).toContain('panelops: DENIED /firewall show\n');
    expect(world.carol.sees(thread)).toBe(before);
  });

  it('can be asked for again when it failed', async () => {
    world.panel.order({ kind: 'status-before', status: 500, times: 3 });
    const failed = await world.carol.types('/traffic show server:web-1', thread);
    expect(failed).toContain('panelops: UNKNOWN /traffic show');
    expect(failed).not.toContain('sees this)');
    expect(await world.bob.clicks('Ask again')).toContain('panelops: Traffic of ');
  });

  it('is in the ledger and in the timeline: who asked what, and nothing of what it showed', async () => {
    await world.alice.types('/hypervisors groups', thread);
    await world.bob.types('/follow-ups list', thread);
    const looks = () => world.entries().filter((entry) => entry.kind === 'incident' && entry.step === 'looked');
    // They are answered first and recorded then. What the panel is not asked for is none of them.
    const server = { id: 103, name: 'web-3' };
    const show = { command: 'firewall.show', options: { server: '103', interface: 'primary' }, server };
    const traffic = { command: 'traffic.show', options: { server: '101' }, server: { id: 101 } };
    await expect
      .poll(() => looks().map((entry) => ('look' in entry ? [entry.actor.name, entry.look] : [])))
      .toMatchObject([
        ['carol', show],
        ['bob', { ...show, part: 2 }],
        ['carol', { ...traffic, outcome: 'unknown' }],
        ['bob', traffic],
        ['alice', { command: 'hypervisors.groups' }],
      ]);
    expect(
      looks().map((entry) =>
        'look' in entry
          ? Object.keys(entry.look ?? {})
              .sort()
              .join()
          : '',
      ),
    ).toEqual([
      'command,options,server',
      'command,options,part,server',
      'command,options,outcome,server',
      'command,options,server',
      'command,options',
    ]);
    expect(JSON.stringify(looks())).not.toContain('accept');
    await world.alice.types('/incident end', thread);
    const timeline = steady(fileIn(world, thread));
    expect(timeline).toMatch(/- Took part: .*`carol`/);
    expect(timeline).toContain('- Reads: 5\n');
    expect(timeline).toContain(
      '- **TIME UTC** `carol` read `/firewall show` on web-3 (103) with `interface:primary`.\n',
    );
    expect(timeline).toContain(
      '- **TIME UTC** `bob` read `/firewall show` on web-3 (103) with `interface:primary`, part 2.\n',
    );
    expect(timeline).toContain('- **TIME UTC** `carol` read `/traffic show` on web-1 (101): **unknown**.\n');
    expect(timeline).toContain('- **TIME UTC** `bob` read `/traffic show` on web-1 (101).\n');
    expect(timeline).toContain('`alice` read `/hypervisors groups`');
  });

  it('is private again elsewhere, and once the incident has ended', async () => {
    expect(await world.carol.types('/firewall show server:web-1')).toContain('[Share]\n  (only carol sees this)');
    expect(await world.carol.types('/firewall show server:web-1', thread)).toContain('(only carol sees this)');
    const earlier = world.discord.messages('bob', thread).find((each) => labelsOf(each).includes('Previous'));
    expect(earlier?.ephemeral).toBe(false);
    const before = world.entries().length;
    expect(await world.bob.clicks('Previous')).toContain('Showing 1–10 of 200 rules.');
    await world.carol.types('/handover');
    expect(world.entries()).toHaveLength(before);
    expect(world.logged()).not.toContain('cannot add a read to a timeline');
  });
});
