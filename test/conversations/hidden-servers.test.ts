import { describe, expect, it } from 'vitest';
import { changes } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

/** Some that are listed, by name, id and address; and a name, an id, an address and a text that are nobody's. */
const typed = [
  ...['lab-1', '201', 'lab-9', '4711', 'LAB-1', '0', 'no such thing'],
  ...['198.51.100.201', '::ffff:198.51.100.202', '198.51.100.9', '2001:db8::9'],
];

describe('a server on which somebody may do nothing at all', () => {
  const world = worldForAll({ still: true });

  /** That the answers differ in nothing but what was typed; one of them. */
  async function isAlike(names: readonly string[], lineWith: (name: string) => string): Promise<string> {
    const answers: string[] = [];
    for (const name of names) answers.push((await world.bob.types(lineWith(name))).replaceAll(name, 'IT'));
    expect(new Set(answers).size).toBe(1);
    return answers[0] ?? '';
  }

  it.each([
    '/power boot',
    '/firewall flush',
    '/firewall show',
    '/whitelist add network:nonsense',
    '/ipv4 assign quantity:9',
    '/traffic show',
    '/follow-ups list',
  ])('%s says the same of each, but for what was typed', async (line) => {
    expect(await isAlike(typed, (name) => `${line} server:"${name}"`)).toContain('DENIED');
  });

  it('is answered like one that does not exist, also by a selector, and hides what else is wrong', async () => {
    const selectors = ['lab-*', 'lab-9*', 'tier:lab', 'tier:nowhere', 'group:3', 'group:77', 'lab-1', 'nothing'];
    for (const answer of [
      await isAlike(selectors, (name) => `/power boot server:"web-1,${name}"`),
      await isAlike(typed, (name) => `/power boot server:"web-1,${name},web-1"`),
    ]) {
      expect(answer).toContain('not for `IT`, or the policy names no such server');
      expect(answer).toContain('You may: `/power boot server:web-1`.');
      expect(answer).not.toContain('INVALID');
    }
    expect(changes(world)).toEqual([]);
  });

  it('is named by no suggestion, not for a mistyped name, and by no answer of /can', async () => {
    expect(await world.bob.types('/power boot server:wbe-1')).toContain('Did you mean `web-1`?');
    for (const name of ['lba-1', 'lab-1', 'lab-11', 'lab-9'])
      expect(await world.bob.types(`/power boot server:${name}`)).not.toContain('Did you mean');
    for (const option of ['', ' server:web', ' server:198.51', ' server:201', ' server:lab'])
      expect(await world.mallory.chooses(`/can command:power.boot${option}`, 'server'), option).toEqual([]);
    const bobs = (await world.bob.chooses('/can command:power.boot', 'server')).map(({ value }) => value);
    expect([bobs.includes('101'), bobs.includes('201')]).toEqual([true, false]);
    // With one that is not theirs before the comma, nothing is added, whether there is such a server or not.
    for (const name of ['201,web-1', 'lab-1,web-1', '999,web-1', 'no-such-1,web-1'])
      expect(await world.bob.chooses(`/power boot server:${name}`, 'server'), name).toEqual([]);
    for (const server of ['101', 'web-1']) {
      const answer = await world.mallory.types(`/can command:power.boot server:${server}`);
      expect(answer).toContain('No: you may not run /power boot on that server.');
      // The title repeats what was typed.
      expect(answer.replaceAll(server, 'SERVER')).not.toMatch(/101|web-1|production|192\.0\.2/);
    }
    expect(await world.bob.types('/can command:power.boot server:201')).not.toMatch(/lab-1|198\.51/);
  });

  it('is named in the ledger, where there is one', async () => {
    for (const name of ['lab-1', 'lab-9', '198.51.100.201'])
      await world.bob.types(`/cpu throttle server:${name} percent:20`);
    const denied = () =>
      world
        .ledger()
        .flatMap(({ command, server, options }) => (command === 'cpu.throttle' ? [[server, options['server']]] : []));
    const lab = expect.objectContaining({ id: 201, name: 'lab-1' });
    await expect.poll(denied).toEqual([
      [lab, 'lab-1'],
      [undefined, 'lab-9'],
      [lab, '198.51.100.201'],
    ]);
  });

  it('on which they may do something else is named, and a selector that includes it is denied as a whole', async () => {
    world.discord.setRoles('bob', ['viewer', 'on-call']);
    expect(await world.bob.types('/power boot server:web-1,tier:lab')).toShow(
      'DENIED /power boot · lab-1 (201)',
      'Not allowed: your roles have `power.boot`, but not for this server.',
      'Roles that may: `lead`.',
      '`tier:lab` includes it, and the bot never drops part of what you typed.',
      'You may: `/power boot server:web-1`.',
      '(only bob sees this)',
    );
    expect(await world.bob.types('/power boot server:lab-9')).toContain('INVALID /power boot');
    const record = { kind: 'denied', server: { id: 201 }, options: { server: 'web-1,tier:lab' } };
    await expect.poll(() => world.ledger().at(-1)).toMatchObject(record);
    expect(changes(world)).toEqual([]);
  });
});
