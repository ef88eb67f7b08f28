import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/shell/limits.ts';
import type { RunLine } from '../helpers/ledger/reading.ts';
import { fileOf } from '../helpers/record/scene.ts';
import { examplePolicy, startWorld, type World, worldForAll } from '../helpers/world.ts';

describe('a denial whose answer Discord does not take, or takes and does not say so,', () => {
  const world = worldForAll({ still: true });

  const denied = (): (string | undefined)[] =>
    world.ledger().flatMap(({ kind, command, actor }) => (kind === 'denied' ? [`${actor.name} ${command}`] : []));
  const answers = { method: 'POST', path: '/interactions/*' };

  it('is on record when Discord fails, and never shows the answer', async () => {
    world.discord.order({ kind: 'status', status: 400, match: answers, times: 2 });
    await world.discord.type('mallory', 'ops', '/power restart server:web-1');
    await expect.poll(denied).toContain('mallory power.restart');
  });

  it('is on record soon when Discord does not answer at all', async () => {
    world.discord.order({ kind: 'delay', ms: 6_000, match: answers });
    await world.discord.type('mallory', 'ops', '/power poweroff server:web-1');
    await expect.poll(denied, { timeout: 5_000 }).toContain('mallory power.poweroff');
    world.discord.clear();
  });
});

describe('what one person is denied again and again', () => {
  let world: World;
  beforeAll(async () => {
    const auditor = '  - { role: "1200000000000000001", name: auditor, allow: [audit], servers: ["web-*"] }';
    const policy = examplePolicy.replace(/ {2}- \{ role: "1200000000000000001".*/, auditor);
    world = await startWorld({ still: true, audit: true, policy, limits: defaultLimits });
  });
  afterAll(() => world.stop());

  const denials = (): RunLine[] => world.ledger().filter(({ kind }) => kind === 'denied');
  const tries = async (times: number, line: string): Promise<void> => {
    for (let n = 0; n < times; n += 1) expect(await world.mallory.types(line)).toContain('DENIED');
  };

  it('is five entries, and then one for all the others, when ten minutes are over', async () => {
    await tries(5, '/power boot server:web-1');
    await tries(20, '/power boot server:web-1');
    await tries(10, '/firewall flush server:db-1 reason:"let me in"');
    await tries(1, '/handover');
    // Nobody else's are among them.
    await world.bob.types('/power boot server:lab-1');
    await expect
      .poll(() =>
        denials()
          .map(({ actor }) => actor.name)
          .join(),
      )
      .toMatch(/bob/);
    expect(denials().map(({ actor, folded }) => [actor.name, folded?.count])).toEqual([
      ...Array.from({ length: 5 }, () => ['mallory', undefined]),
      ['bob', undefined],
    ]);
    world.timePasses(10 * 60_000);
    await expect.poll(() => denials().length).toBe(7);
    expect(denials().at(-1)).toMatchObject({
      actor: { id: world.discord.people.mallory.id, name: 'mallory' },
      command: 'power.boot',
      options: {},
      outcome: 'denied',
      folded: {
        count: 31,
        commands: [
          { command: 'power.boot', server: 'web-1', count: 20 },
          { command: 'firewall.flush', server: 'db-1', count: 10 },
          { command: 'handover', count: 1 },
        ],
      },
    });
  });

  it('is in the trail, in /audit history and in /audit run', async () => {
    const line =
      /DENIED ×31 · `\/power boot server:web-1` ×20, `\/firewall flush server:db-1` ×10, `\/handover` ×1 · @mallory · /;
    await expect.poll(() => world.alice.sees('audit')).toMatch(line);
    expect(await world.alice.types('/audit history person:@mallory')).toContain(
      '**DENIED ×31** /power boot `server:web-1` and others · @mallory',
    );
    for (const meant of ['command:firewall.flush', 'server:db-1'])
      expect(await world.alice.types(`/audit history ${meant}`), meant).toContain('**DENIED ×31**');
    expect(await world.alice.types('/audit history server:web-2')).not.toContain('DENIED');
    const run = denials().at(-1)?.run;
    const told = await world.alice.types(`/audit run id:${run}`);
    expect(told).toContain('`/power boot server:web-1` ×20, `/firewall flush server:db-1` ×10 and `/handover` ×1.');
  });

  it('names no other server to an auditor of web-*', async () => {
    expect(await world.carol.types('/audit history person:@mallory')).toContain(
      '**DENIED ×31** /power boot `server:web-1` and others · @mallory',
    );
    const run = denials().at(-1)?.run;
    const told = await world.carol.types(`/audit run id:${run}`);
    expect(told).toContain('`/power boot server:web-1` ×20, `/handover` ×1 and others ×10.');
    expect(told).not.toContain('db-1');
    for (const format of ['csv', 'md', 'jsonl']) {
      await world.carol.types(`/audit export format:${format}`);
      expect(fileOf(world, 'carol').text).not.toContain('db-1');
    }
    expect(await world.alice.types('/audit export format:jsonl')).not.toContain('left out');
    expect(fileOf(world, 'alice').text).toContain('"commands":[{"command":"power.boot","count":20,"server":"web-1"}');
  });

  it('starts over with the next ten minutes', async () => {
    const before = denials().length;
    await tries(1, '/power boot server:web-1');
    await expect
      .poll(() =>
        denials()
          .slice(before)
          .map(({ folded }) => folded?.count),
      )
      .toEqual([undefined]);
  });

  it('is on record when the bot stops, before it says so', async () => {
    await tries(4 + 2, '/power restart server:web-1');
    await world.restart();
    const kinds = world
      .entries()
      .map((entry) => ('folded' in entry ? `${entry.kind} ×${entry.folded?.count}` : entry.kind));
    expect(kinds.slice(-3)).toEqual(['denied ×2', 'stopped', 'started']);
  });
});

describe('what is kept of what somebody typed who may not', () => {
  const world = worldForAll({ still: true });

  it('is 300 characters of each option', async () => {
    await world.mallory.types(`/ipv4 add server:web-1 addresses:${'1'.repeat(900)} reason:why`);
    await expect
      .poll(() => world.ledger().map(({ options }) => options))
      .toEqual([{ server: 'web-1', addresses: `${'1'.repeat(300)}…`, reason: 'why' }]);
  });
});

describe('what more people are denied than are told apart', () => {
  it('is one entry for all of them', async () => {
    const world = await startWorld({ still: true, limits: { denials: { window: 600_000, alone: 1, people: 1 } } });
    try {
      for (const who of ['mallory', 'carol', 'bob', 'carol'] as const)
        expect(await world[who].types('/whitelist add server:web-1 network:192.0.2.0/24')).toContain('DENIED');
      await expect.poll(() => world.logged().split('"denied again"').length - 1).toBe(3);
      world.timePasses(600_000);
      await expect
        .poll(() => world.ledger().map(({ actor, folded }) => [actor.name, folded?.count]))
        .toEqual([
          ['mallory', undefined],
          ['several people', 3],
        ]);
    } finally {
      await world.stop();
    }
  });
});
