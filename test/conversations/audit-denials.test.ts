import { beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/shell/limits.ts';
import { since } from '../helpers/every-command/deeds.ts';
import { threadsOf } from '../helpers/incidents/scene.ts';
import type { RunLine } from '../helpers/ledger/reading.ts';
import { fileOf, listed } from '../helpers/record/scene.ts';
import { examplePolicy, openWorld, worldForAll } from '../helpers/world.ts';

/** carol is an auditor of web-*. */
const policy = examplePolicy.replace(
  / {2}- \{ role: "1200000000000000001".*/,
  '  - { role: "1200000000000000001", name: auditor, allow: [audit], servers: ["web-*"] }',
);

describe('what is found', () => {
  const world = worldForAll({ still: true, policy: policy.replace('audit.history, ', '') });
  beforeAll(async () => {
    const news = since(world);
    for (let i = 0; i < 10; i += 1) await world.bob.types('/power boot server:lab-1');
    await world.bob.types('/power boot server:web-1');
    await world.mallory.types('/firewall flush server:lab-2');
    // Ten denials, three steps of the boot, and one denial more.
    await news.recorded(14);
  });

  it("ends at the servers that are the asker's", async () => {
    const runs = listed(await world.carol.types('/audit history'));
    expect(runs).toEqual(['ACCEPTED /power boot']);
    // Whether there is such a server or not: alike, and what is recorded of that is not found, either.
    const asks = async (name: string) =>
      (await world.carol.types(`/audit history server:${name}`)).replaceAll(name, 'IT');
    const denied = await asks('lab-1');
    expect(denied).toContain('panelops: DENIED /audit history\n');
    for (const name of ['201', 'lab-9', '4711']) expect(await asks(name)).toBe(denied);
    const hidden = world.ledger().find(({ server }) => server?.id === 201)?.run ?? '';
    const typed = world.ledger().find(({ actor }) => actor.name === 'mallory')?.run ?? '';
    const none = 'there is no such run, or it is on a server that you may not see.';
    for (const run of [hidden, typed]) expect(await world.carol.types(`/audit run id:${run}`)).toContain(none);
    expect(await world.alice.types(`/audit run id:${hidden}`)).toContain('DENIED');
    const suggested = await world.carol.chooses('/audit run id:', 'id');
    expect(suggested.map(({ name }) => name)).toEqual(['web-1 /power boot, just now, by bob: accepted']);
    expect((await world.alice.chooses('/audit run id:lab-1', 'id')).length).toBeGreaterThan(9);
    expect(await world.carol.types('/audit export')).toContain(
      'It leaves out entries of servers that you may not see.',
    );
    expect(fileOf(world, 'carol').text).not.toMatch(/lab-|\b201\b|\b4711\b/);
    expect(await world.alice.types('/audit export')).not.toContain('not yours');
    // A denial is answered before it is recorded. A role that is for any server finds them all.
    await expect
      .poll(() => world.ledger().filter(({ kind, actor }) => kind === 'denied' && actor.name === 'carol').length)
      .toBe(4);
    const history = await world.alice.types('/audit history');
    for (const name of ['lab-1 (201)', 'server:lab-9', 'server 4711']) expect(history).toContain(name);
    await world.alice.types('/incident start title:slow');
    await world.alice.types('/firewall show server:lab-1', threadsOf(world)[0]);
    // A read is answered before it is recorded.
    await expect
      .poll(() => [...world.app.entries()].some((entry) => 'step' in entry && entry.step === 'looked'))
      .toBe(true);
    const read = '**READ** `/firewall show` lab-1 (201) by @alice';
    expect(await world.alice.types('/audit history')).toContain(read);
    expect(await world.alice.types('/audit history command:firewall.show')).toContain(read);
    expect(await world.carol.types('/audit history')).not.toMatch(/READ|lab-|\b201\b|\b4711\b/);
  });

  it('names no server of others, of a command for several', async () => {
    const news = since(world);
    await world.alice.types('/firewall enable server:web-1,lab-1,web-2 reason:"hunting on all"');
    await news.recorded(6);
    const run = world.ledger().find(({ command }) => command === 'firewall.enable')?.run ?? '';
    const shown = await world.carol.types(`/audit run id:${run}`);
    expect(shown).toContain('Options: `server:web-1,web-2 interface:primary sync:true reason:"hunting on all"`.');
    expect(shown).not.toMatch(/,201|lab-/);

    for (const format of ['csv', 'md']) {
      const told = await world.carol.types(`/audit export format:${format} server:web-1`);
      const { text } = fileOf(world, 'carol');
      expect(told).toMatch(/\b\d+ entries name servers that are not yours beside one that is: those are left out/);
      expect(text).toContain('hunting on all');
      expect(text).not.toMatch(/,201\b|lab-/);
    }
    const told = await world.carol.types('/audit export format:jsonl');
    expect(told).toMatch(/\b\d+ entries name servers that are not yours .* left out. As csv or md they are shown/);
    const lines = fileOf(world, 'carol').text;
    expect(lines).toContain('power.boot');
    expect(lines).not.toMatch(/hunting|,201|lab-/);
    const whole = await world.alice.types('/audit export format:jsonl');
    expect(whole).not.toContain('not yours');
    expect(fileOf(world, 'alice').text).toContain('"server":"101,201,102"');
  });

  it('names no server of others, of those that come after it in turn', async () => {
    await world.alice.types('/power restart server:web-1,lab-1 reason:kernel');
    await world.alice.clicks('One after the other');
    const run = world.ledger().findLast(({ kind }) => kind === 'asked')?.run ?? '';
    expect(await world.alice.types(`/audit run id:${run}`)).toContain('Then, one after the other: `lab-1`.');
    const shown = await world.carol.types(`/audit run id:${run}`);
    expect(shown).toContain('QUESTION');
    expect(shown).not.toMatch(/one after the other|\b201\b|lab-/);
  });
});

describe('what one person is denied again and again', () => {
  const world = worldForAll({ still: true, audit: true, policy, limits: defaultLimits });

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
    await expect.poll(() => denials().map(({ actor }) => actor.name)).toContain('bob');
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

  it('is on record when the bot stops, before it says so', async () => {
    // The next ten minutes start over.
    await tries(5 + 2, '/power restart server:web-1');
    await world.restart();
    const kinds = world
      .entries()
      .map((entry) => ('folded' in entry ? `${entry.kind} ×${entry.folded?.count}` : entry.kind));
    expect(kinds.slice(-3)).toEqual(['denied ×2', 'stopped', 'started']);
  });
});

it('What more people are denied than are told apart is one entry for all of them, with 300 characters of each option', async () => {
  const limits = { denials: { window: 600_000, alone: 1, people: 1 } };
  const world = await openWorld({ still: true, limits });
  await world.mallory.types(`/ipv4 add server:web-1 addresses:${'1'.repeat(900)} reason:why`);
  for (const who of ['carol', 'bob', 'carol'] as const)
    expect(await world[who].types('/whitelist add server:web-1 network:192.0.2.0/24')).toContain('DENIED');
  await expect.poll(() => world.logged().split('"denied again"').length - 1).toBe(3);
  world.timePasses(600_000);
  await expect
    .poll(() => world.ledger().map(({ actor, folded }) => [actor.name, folded?.count]))
    .toEqual([
      ['mallory', undefined],
      ['several people', 3],
    ]);
  const options = { server: 'web-1', addresses: `${'1'.repeat(300)}…`, reason: 'why' };
  expect(world.ledger()[0]?.options).toEqual(options);
});
