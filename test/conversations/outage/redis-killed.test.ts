import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerTo,
  asks,
  changes,
  ended,
  idOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whispers,
} from '../../helpers/messages.ts';
import { listenerOn } from '../../helpers/redis/listener.ts';
import { startWorld, type World } from '../../helpers/world.ts';

/** The card of a command, when it is terminal. */
async function typed(world: World, line: string): Promise<{ state: string; text: string }> {
  const id = await world.discord.type('alice', 'ops', line);
  const states = ['SUCCEEDED', 'ACCEPTED', 'UNAVAILABLE', 'UNKNOWN', 'NOT-SENT', 'BLOCKED', 'QUESTION'];
  const card = await answerTo(world, id, states);
  return { state: stateOf(card), text: textOf(card) };
}

/** How often something stands in the log, as it does without the details that are for debugging. */
const logged = (world: World, text: string): number =>
  world
    .logged()
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('{"level":20,')).length;

/** The process of the bot's Redis. */
const redisOf = ({ app }: World): Promise<number> => listenerOn(Number(new URL(app.redis ?? '').port));

describe('a bot whose embedded Redis is killed', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ redis: 'own' });
  });
  afterAll(() => world.stop());

  it('has another one soon, on the same port, and says so once', async () => {
    const killed = await redisOf(world);
    const from = performance.now();
    process.kill(killed, 'SIGKILL');
    await until(() => logged(world, '"Redis is back"') === 1, 'Redis is back');
    expect(performance.now() - from).toBeLessThan(15_000);
    expect(await redisOf(world)).not.toBe(killed);
    expect(logged(world, 'embedded Redis exited; restarting it')).toBe(1);
    expect(await typed(world, '/power boot server:web-1')).toMatchObject({ state: 'ACCEPTED' });
  });

  it('still has the questions that were open, and does once what is confirmed', async () => {
    const card = await asks(world, '/firewall flush server:web-2');
    const sent = changes(world).length;
    const back = logged(world, '"Redis is back"');
    process.kill(await redisOf(world), 'SIGKILL');
    await until(() => logged(world, '"Redis is back"') > back, 'Redis is back');
    expect(stateOf(messageOf(world, card.id))).toBe('QUESTION');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    expect(changes(world)).toHaveLength(sent + 1);
  });

  it('does not bring back a question that was answered before', async () => {
    const card = await asks(world, '/firewall flush server:web-3');
    await world.discord.click('alice', card.id, idOf(card, 'Cancel'));
    expect(stateOf(await ended(world, card))).toBe('CANCELLED');
    const sent = changes(world).length;
    const back = logged(world, '"Redis is back"');
    process.kill(await redisOf(world), 'SIGKILL');
    await until(() => logged(world, '"Redis is back"') > back, 'Redis is back');
    await world.discord.forge('alice', card.id, idOf(card, 'Confirm'));
    await world.discord.until(() =>
      world.discord.messages('alice', 'ops').some(({ content, replyTo }) => replyTo === card.id && content !== ''),
    );
    expect(stateOf(messageOf(world, card.id))).toBe('CANCELLED');
    expect(changes(world)).toHaveLength(sent);
  });
});

describe('a bot whose embedded Redis is frozen', () => {
  let world: World;
  let redis: number;
  beforeAll(async () => {
    world = await startWorld({ redis: 'own' });
    redis = await redisOf(world);
  });
  afterAll(async () => {
    process.kill(redis, 'SIGCONT');
    await world.stop();
  });

  const lines = [
    '/firewall show server:web-1',
    '/power boot server:web-1',
    '/power boot server:web-2,web-3,db-1,db-2',
    '/backup restore server:mail-1 disks:0 reason:x',
  ];
  const states = ['SUCCEEDED', 'ACCEPTED', 'ACCEPTED', 'QUESTION'];

  it('refuses nobody, and answers everybody in time', async () => {
    process.kill(redis, 'SIGSTOP');
    const first = await Promise.all(lines.map((line) => typed(world, line)));
    expect(first.map(({ state }) => state)).toEqual(states);

    await until(() => logged(world, 'Redis cannot be reached') >= 1, 'Redis cannot be reached');
    for (const [at, line] of lines.entries()) {
      const { state } = await typed(world, line);
      expect(state).toBe(states[at]);
    }
    expect(changes(world)).toHaveLength(10);
  });

  it('does what is confirmed meanwhile, once', async () => {
    const card = await asks(world, '/firewall flush server:web-3');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
    await world.discord.forge('alice', card.id, idOf(card, 'Confirm'));
    await world.discord.until(() => whispers(world, card).length > 0);
    expect(changes(world)).toHaveLength(11);
  });

  it('lets go of a server when the panel has answered, and not before', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const sent = changes(world).length;
    const id = await world.discord.type('alice', 'ops', '/power boot server:db-1');
    await world.panel.until(() => changes(world).length > sent);
    expect(await typed(world, '/power boot server:db-1')).toMatchObject({ state: 'BLOCKED' });
    await world.panel.clear();
    await answerTo(world, id, ['ACCEPTED']);
    expect(await typed(world, '/power boot server:db-1')).toMatchObject({ state: 'ACCEPTED' });
  });

  it('sees it again within two seconds of its going on', async () => {
    const from = performance.now();
    process.kill(redis, 'SIGCONT');
    await until(() => logged(world, '"Redis is back"') === 1, 'Redis is back');
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(await typed(world, '/power boot server:web-1,web-2')).toMatchObject({ state: 'ACCEPTED' });
  });
});
