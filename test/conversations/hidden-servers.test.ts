import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf } from '../helpers/record/scene.ts';
import { examplePolicy, startWorld, type World, worldForAll } from '../helpers/world.ts';

/** Some that are listed, by name, id and address; and a name, an id, an address and a text that are nobody's. */
const typed = [
  ...['lab-1', '201', 'lab-9', '4711', 'LAB-1', '0', 'no such thing'],
  ...['198.51.100.201', '::ffff:198.51.100.202', '198.51.100.9', '2001:db8::9'],
];

describe('a server on which somebody may do nothing at all', () => {
  const world = worldForAll({ still: true });

  it('is answered like one that does not exist', async () => {
    expect(await world.bob.types('/power boot server:201')).toMatchInlineSnapshot(`
      "bob used /power boot
      panelops: DENIED /power boot
        │ Not allowed: your roles have \`power.boot\`, but not for \`201\`, or the policy names no such server.
        │ Type a name, an id or an address, or pick a suggestion: those are yours.
        │ Roles that may, each on its own servers: \`on-call\` and \`lead\`.
        │ Nothing was sent.
        (only bob sees this)"
    `);
  });

  it('is never suggested for a mistyped name', async () => {
    expect(await world.bob.types('/power boot server:wbe-1')).toMatchInlineSnapshot(`
      "bob used /power boot
      panelops: DENIED /power boot
        │ Did you mean \`web-1\`?
        │ Your roles have \`power.boot\`, but not for \`wbe-1\`, or the policy names no such server.
        │ Roles that may, each on its own servers: \`on-call\` and \`lead\`.
        │ Nothing was sent.
        (only bob sees this)"
    `);
    for (const name of ['lba-1', 'lab-1', 'lab-11', 'lab-9'])
      expect(await world.bob.types(`/power boot server:${name}`)).not.toContain('Did you mean');
  });

  it.each([
    '/power boot',
    '/firewall flush',
    '/firewall show',
    '/whitelist add network:nonsense',
    '/ipv4 assign quantity:9',
    '/traffic show',
    '/follow-ups list',
  ])('%s says the same of each, but for what was typed', async (line) => {
    const answers: string[] = [];
    for (const name of typed) answers.push((await world.bob.types(`${line} server:"${name}"`)).replaceAll(name, 'IT'));
    expect(answers[0]).toContain('DENIED');
    expect(new Set(answers).size).toBe(1);
  });

  it('hides what else is wrong with the command', async () => {
    for (const name of typed) {
      const answer = await world.bob.types(`/power boot server:"web-1,${name},web-1"`);
      expect(answer.replace(name, 'IT')).toContain('not for `IT`, or the policy names no such server');
      expect(answer).toContain('You may: `/power boot server:web-1`.');
      expect(answer).not.toMatch(/lab-1 \(201\)|INVALID/);
    }
  });

  it('is named in the ledger, where there is one', async () => {
    await world.bob.types('/cpu throttle server:lab-1 percent:20');
    await world.bob.types('/cpu throttle server:lab-9 percent:20');
    await world.bob.types('/cpu throttle server:198.51.100.201 percent:20');
    await expect
      .poll(() =>
        world
          .ledger()
          .flatMap(({ kind, command, server, options }) =>
            kind === 'denied' && command === 'cpu.throttle' ? [[server, options['server']]] : [],
          ),
      )
      .toEqual([
        [expect.objectContaining({ id: 201, name: 'lab-1' }), 'lab-1'],
        [undefined, 'lab-9'],
        [expect.objectContaining({ id: 201, name: 'lab-1' }), '198.51.100.201'],
      ]);
  });

  it('on which somebody may do something is named, with who may do more there', async () => {
    world.discord.setRoles('bob', ['viewer', 'on-call']);
    const answer = await world.bob.types('/power boot server:201');
    expect(answer).toContain('DENIED /power boot · lab-1 (201)');
    expect(answer).toContain('Roles that may: `lead`.');
    expect(await world.bob.types('/power boot server:lab-9')).toContain('INVALID /power boot');
    world.discord.setRoles('bob', ['on-call']);
  });

  it('is hidden from nobody who may act on all servers: a wrong name is INVALID, not DENIED', async () => {
    expect(await world.alice.types('/power boot server:lab-9')).toContain('the policy names no server `lab-9`');
    expect(world.ledger().filter(({ kind, actor }) => kind === 'denied' && actor.name === 'alice')).toEqual([]);
  });
});

describe('an auditor of some servers', () => {
  let world: World;
  beforeAll(async () => {
    const auditor = '  - { role: "1200000000000000001", name: auditor, allow: [audit], servers: ["web-*"] }';
    const policy = examplePolicy.replace(/ {2}- \{ role: "1200000000000000001".*/, auditor);
    world = await startWorld({ still: true, policy });
  });
  afterAll(() => world.stop());

  it('finds out about no other by asking, nor by what is recorded of that', async () => {
    const answers: string[] = [];
    for (const name of ['lab-1', '201', 'lab-9', '4711'])
      answers.push((await world.carol.types(`/audit history server:${name}`)).replaceAll(name, 'IT'));
    expect(answers[0]).toContain('DENIED');
    expect(new Set(answers).size).toBe(1);
    await expect.poll(() => world.ledger().length).toBe(4);
    expect(await world.carol.types('/audit history')).not.toMatch(/lab-|\b201\b|\b4711\b/);
    await world.carol.types('/audit export format:jsonl');
    expect(fileOf(world, 'carol').text).not.toMatch(/lab-|\b201\b|\b4711\b/);
  });

  it('whose role is for any server finds them all', async () => {
    const history = await world.alice.types('/audit history');
    for (const name of ['lab-1 (201)', 'server:lab-9', 'server 4711']) expect(history).toContain(name);
  });
});
