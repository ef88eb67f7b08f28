import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { examplePolicy, startWorld, type World } from '../../helpers/world.ts';

let world: World;
const start = async (policy = examplePolicy): Promise<void> => {
  world = await startWorld({ still: true, policy });
};

/** The servers that the newest command was about, as the ledger has them. */
const asked = (): unknown[] => {
  const last = world.ledger().at(-1)?.run.split('.')[0] ?? 'none';
  const mine = world.ledger().filter(({ run, kind }) => run.startsWith(`${last}.`) && kind !== 'outcome');
  return [...new Set(mine.map(({ server }) => server?.name))];
};

describe('servers by tier, group and glob', () => {
  beforeAll(() => start());
  afterAll(() => world.stop());

  it.each([
    ['tier:staging', ['web-3', 'cache-1']],
    ['TIER:Staging', ['web-3', 'cache-1']],
    ['tier: lab', ['lab-1', 'lab-2']],
    ['group:3', ['lab-1', 'lab-2']],
    ['web-*', ['web-1', 'web-2', 'web-3']],
    ['WEB-?', ['web-1', 'web-2', 'web-3']],
    ['db-1,tier:lab', ['db-1', 'lab-1', 'lab-2']],
    ['web-3,tier:staging,103,web-3,192.0.2.131,cache-*', ['web-3', 'cache-1']],
    ['mail-*', ['mail-1']],
  ])('%s', async (typed, names) => {
    expect(await world.alice.types(`/power restart server:"${typed}"`)).toContain('QUESTION /power restart · ');
    expect(asked()).toEqual(names);
    await world.alice.clicks('Cancel');
  });

  it('are named in the question, counted by tier, and recorded by their ids', async () => {
    expect(await world.alice.types('/power restart server:group:1')).toShow(
      'QUESTION /power restart · 5 servers (4 production, 1 staging)',
      'web-1 (101), web-2 (102), web-3 (103), db-1 (111) and db-2 (112) will be restarted.',
      '[Restart 5 servers] [Cancel] [One after the other]',
    );
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'asked', options: { server: '101,102,103,111,112' } });
    await world.alice.clicks('Cancel');
  });

  it('are one run each, without a question where none is asked', async () => {
    const before = changes(world).length;
    expect(await world.bob.types('/power boot server:tier:staging')).toContain('ACCEPTED /power boot · 2 servers');
    expect(
      changes(world)
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/servers/103/power/boot', '/servers/131/power/boot']);
  });

  it('that match nothing are INVALID to somebody from whom no server is hidden', async () => {
    for (const typed of ['nothing-*', 'tier:stagin', 'group:9', 'tier:', 'group:web'])
      expect(await world.alice.types(`/power boot server:"web-1,${typed}"`)).toContain(
        `the policy names no server \`${typed}\`. Type a name, an id or an address, or pick a suggestion.`,
      );
  });

  it('are not taken by a command for one server', async () => {
    for (const line of [
      '/traffic show server:tier:staging',
      '/ipv4 assign server:web-* quantity:1',
      '/can command:power.boot server:web-?',
      '/backup restore server:group:3 disks:0 reason:x',
    ])
      expect(await world.alice.types(line)).toMatch(/: (?:this command takes|the policy wants) one server/);
  });
});

describe('a selector with servers that somebody may not touch', () => {
  beforeAll(() => start());
  afterAll(() => world.stop());

  it('is denied as a whole, and says which server stands in the way, and what would be allowed', async () => {
    world.discord.setRoles('bob', ['viewer', 'on-call']);
    expect(await world.bob.types('/power boot server:web-1,tier:lab')).toShow(
      'DENIED /power boot · lab-1 (201)',
      'Not allowed: your roles have `power.boot`, but not for this server.',
      'Roles that may: `lead`.',
      '`tier:lab` includes it, and the bot never drops part of what you typed.',
      'You may: `/power boot server:web-1`.',
      '(only bob sees this)',
    );
    expect(changes(world)).toEqual([]);
    await expect
      .poll(() => world.ledger().at(-1))
      .toMatchObject({ kind: 'denied', server: { id: 201 }, options: { server: 'web-1,tier:lab' } });
    world.discord.setRoles('bob', ['on-call']);
  });

  it('that are hidden from them is about the others', async () => {
    expect(await world.bob.types('/power restart server:*-1')).toContain('QUESTION /power restart · 7 servers');
    expect(asked()).toEqual(['web-1', 'db-1', 'mail-1', 'cache-1', 'build-1', 'legacy-1', 'vpn-1']);
    await world.bob.clicks('Cancel');
  });

  it('that are all hidden from them is answered as one that stands for none', async () => {
    const answers: string[] = [];
    for (const typed of ['lab-*', 'lab-9*', 'tier:lab', 'tier:nowhere', 'group:3', 'group:77', 'lab-1', 'nothing'])
      answers.push((await world.bob.types(`/power boot server:"web-1,${typed}"`)).replaceAll(typed, 'IT'));
    expect(answers[0]).toContain('DENIED /power boot');
    expect(answers[0]).toContain('not for `IT`, or the policy names no such server');
    expect(new Set(answers).size).toBe(1);
    expect(changes(world)).toEqual([]);
  });

  it('does not say by its limit how many there are', async () => {
    const answer = await world.bob.types('/power boot server:*');
    expect(answer).not.toContain('lab');
    expect(answer).toContain('ACCEPTED /power boot · 10 servers');
  });

  it('is denied to somebody without the command before anything is said of servers', async () => {
    const answers: string[] = [];
    for (const typed of ['tier:lab', 'tier:nowhere', '*'])
      answers.push((await world.carol.types(`/power boot server:${typed}`)).replaceAll(typed, 'IT'));
    expect(answers[0]).toContain('none of your roles has the permission `power.boot`');
    expect(new Set(answers).size).toBe(1);
  });
});

describe('the limit of the policy', () => {
  beforeAll(() => start(examplePolicy.replace('most: 10', 'most: 3')));
  afterAll(() => world.stop());

  it('counts servers, however they are typed', async () => {
    expect(await world.alice.types('/power boot server:web-*')).toContain('ACCEPTED /power boot · 3 servers');
    expect(await world.alice.types('/power boot server:tier:production')).toContain(
      '`server:tier:production`: these are 6 servers; the policy allows at most 3 in one command.',
    );
    expect(await world.alice.types('/power boot server:web-*,db-1')).toContain(
      'these are 4 servers; the policy allows at most 3',
    );
    expect(await world.alice.types('/power boot server:web-1,web-2,db-1,db-2')).toContain(
      'these are 4 servers; the policy allows at most 3',
    );
    expect(await world.alice.types('/power boot server:web-1,101,web-*,WEB-3')).toContain('ACCEPTED');
  });
});
