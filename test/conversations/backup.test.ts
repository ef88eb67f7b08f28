import { describe, expect, it } from 'vitest';
import { policyWithout } from '../helpers/follow-ups/story.ts';
import { worldForAll } from '../helpers/world.ts';

describe('the dates of backups', () => {
  const world = worldForAll({ still: true });
  const line = '/backup restore server:web-1 disks:0 reason:x';
  const namesOf = async (typed: string): Promise<string[]> =>
    (await world.alice.chooses(typed, 'until')).map(({ name }) => name);

  it('are offered for `until` before the usual times, and what is offered can be sent as it is', async () => {
    const offered = await world.alice.chooses(line, 'until');
    expect(offered.slice(0, 7).map(({ name }) => name.replace(/\w+ \d+ \w+/, 'DAY'))).toEqual(
      Array.from({ length: 7 }, () => 'backup of DAY, 02:00 (UTC)'),
    );
    expect(offered[7]?.name).toMatch(/^30m · /);
    const third = offered[2];
    const [, , day] = third?.name.split(' ') ?? [];
    expect(await namesOf(`${line} until:${day}`)).toEqual([third?.name]);
    const card = await world.alice.types(`${line} until:${third?.value}`);
    expect(card).toMatch(/Disk 0: \d+ \w+ \d+, 02:00 UTC \(.*\)\./);
    expect(card).toMatch(/The newest backup of web-1 before then is from \d+ \w+ \d+ 02:00 UTC\./);
    await world.alice.clicks('Cancel');
  });

  it('are in the question: of all backups, where none was chosen; and where the time is older than all of them', async () => {
    expect(await world.alice.types(line)).toMatch(/The panel lists 7 backups of web-1: \S+ to \S+\.\n/);
    await world.alice.clicks('Cancel');
    expect(await world.alice.types(`${line} until:30d`)).toMatch(/⚠ Oldest backup of web-1: \S+\.\n/);
    await world.alice.clicks('Cancel');
    expect(await world.alice.types('/backup restore server:legacy-1 disks:0 until:6h reason:x')).toContain(
      '⚠ The panel lists no backup of legacy-1.',
    );
    await world.alice.clicks('Cancel');
  });

  it('that cannot be read stop nothing: the suggestions and the question say so', async () => {
    world.panel.order({ kind: 'status-before', status: 500, match: { path: '/backups/' }, times: 0 });
    expect((await namesOf('/backup restore server:web-2 disks:0 until:6h reason:x'))[0]).toMatch(
      /^6h · .* · backups could not be read$/,
    );
    expect(await world.alice.types('/backup restore server:web-2 disks:0 until:6h reason:x')).toContain(
      'The dates of the backups of web-2 could not be read.',
    );
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-2')).toContain('ACCEPTED /backup restore');
    await world.panel.clear();
  });
});

describe('without backup-list in the policy', () => {
  const world = worldForAll({ still: true, policy: policyWithout('backup-list') });

  it('nobody asks the panel for backups, and the question recommends `until`', async () => {
    expect(
      (await world.alice.chooses('/backup restore server:web-1 disks:0 until:6h reason:x', 'until')).map(
        ({ name }) => name,
      ),
    ).toEqual([expect.stringMatching(/^6h · [^·]+$/)]);
    expect(await world.alice.types('/backup restore server:web-1 disks:0 reason:x')).toContain(
      'To choose: Cancel, and add a time, such as `until:6h`.',
    );
    expect(world.panel.requests).toEqual([]);
  });
});
