import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Actor, Server } from '../../src/outcome.ts';
import { type Question, questionKey, questions, type Taker } from '../../src/questions/questions.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { notes, ownRedis, serverAt } from '../redis/instance.ts';

const { connect } = ownRedis();
const key = questionKey('a bot token');
const asked = 1_795_125_600_000;
const expires = asked + 120_000;

const requester: Actor = { id: '1100000000000000002', name: 'bob', roles: ['1200000000000000002'] };
const server: Server = { id: 101, name: 'web-1', tier: 'production', group: 1, ips: ['192.0.2.101'] };

const newQuestion = (changed: Partial<Question> = {}): Question => ({
  id: randomBytes(16).toString('base64url'),
  stem: '9kq3v1x7m2a',
  runs: [{ run: '9kq3v1x7m2a.1', server, facts: { enabled: true, rules: 4 } }, { run: '9kq3v1x7m2a.2' }],
  requester,
  place: { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' },
  command: 'firewall.flush',
  options: { server: 'web-1', sync: true, reason: 'incident 7' },
  expires,
  ...changed,
});

const confirmed: Taker = { who: 'bob', what: 'confirmed', at: asked + 1_000 };
const expired: Taker = { who: 'bob', what: 'expired', at: expires };

async function desk(options = {}) {
  const redis = await connect();
  return {
    redis,
    desk: questions(redis, key, { now: () => asked, prefix: `${randomBytes(6).toString('hex')}:`, ...options }),
  };
}

describe('A question', () => {
  test('comes back as it was put, without what a question does not have', async () => {
    const { desk: one } = await desk();
    const question = newQuestion({ typed: 'web-1' });
    await one.put(question);
    expect(await one.get(question.id)).toEqual({
      ...question,
      runs: [
        {
          run: '9kq3v1x7m2a.1',
          server: { id: 101, name: 'web-1', tier: 'production' },
          facts: { enabled: true, rules: 4 },
        },
        { run: '9kq3v1x7m2a.2' },
      ],
    });
  });

  test('can be taken as it was put and as it was got', async () => {
    const { desk: one } = await desk();
    const [first, second] = [newQuestion(), newQuestion()];
    await one.put(first);
    await one.put(second);
    expect(await one.take(first, confirmed)).toEqual({ taken: true });
    const got = await one.get(second.id);
    expect(got && (await one.take(got, confirmed))).toEqual({ taken: true });
    expect(await one.get(first.id)).toBeUndefined();
  });

  test('has no time to live', async () => {
    const { redis, desk: one } = await desk({ prefix: 'ttl:' });
    const question = newQuestion();
    await one.put(question);
    expect(await redis.ttl(`ttl:question:${question.id}`)).toBe(-1);
  });

  test('is taken by exactly one of 50 who try at once over two connections, and the others learn by whom', async () => {
    const [here, there] = [await connect(), await connect()];
    const [one, two] = [here, there].map((redis) => questions(redis, key, { now: () => asked, prefix: 'fifty:' }));
    if (!one || !two) throw new Error('two desks');
    const question = newQuestion();
    await one.put(question);
    const takers = Array.from({ length: 50 }, (_, at): Taker => ({ ...confirmed, who: `person-${at}` }));
    const results = await Promise.all(takers.map((taker, at) => (at % 2 ? one : two).take(question, taker)));
    const winner = results.findIndex(({ taken }) => taken);
    expect(results.filter(({ taken }) => taken)).toHaveLength(1);
    const faster = { taken: false, by: { who: `person-${winner}`, what: 'confirmed', at: 1_795_125_601_000 } };
    expect(results.toSpliced(winner, 1)).toEqual(Array.from({ length: 49 }, () => faster));
  });

  test('leaves behind for an hour who ended it and how', async () => {
    const { redis, desk: one } = await desk({ prefix: 'hour:' });
    const question = newQuestion();
    await one.put(question);
    expect(await one.gone(question.id)).toBeUndefined();
    await one.take(question, { who: 'alice', what: 'cancelled', at: asked + 5_000 });
    expect(await one.gone(question.id)).toEqual({ who: 'alice', what: 'cancelled', at: 1_795_125_605_000 });
    expect(await redis.ttl(`hour:question-gone:${question.id}`)).toBeGreaterThan(3_590);
  });

  test('is not taken when it is stored otherwise than it was read', async () => {
    const { redis, desk: one } = await desk({ prefix: 'altered:' });
    const question = newQuestion();
    await one.put(question);
    const stored = await redis.get(`altered:question:${question.id}`);
    await redis.set(`altered:question:${question.id}`, String(stored).replace('web-1', 'web-2'));
    expect(await one.take(question, confirmed)).toEqual({ taken: false });
    expect(await one.gone(question.id)).toBeUndefined();
  });

  test('cannot be confirmed once it has lapsed, but can be ended', async () => {
    const { desk: one } = await desk({ now: () => expires });
    const question = newQuestion();
    await one.put(question);
    expect(await one.take(question, confirmed)).toEqual({ taken: false });
    expect(await one.take(question, expired)).toEqual({ taken: true });
  });

  test.each([
    ['of nobody', '../../etc'],
    ['never put', 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['empty', ''],
  ])('with a forged id (%s) does not exist', async (_what, id) => {
    const { desk: one } = await desk();
    expect(await one.get(id)).toBeUndefined();
    expect(await one.gone(id)).toBeUndefined();
  });

  test.each([
    ['no JSON', () => '{"id":'],
    ['no question', () => '{"id":"AAAAAAAAAAAAAAAAAAAAAA"}'],
    ['another question', () => JSON.stringify(newQuestion())],
    ['of another shape', (text: string) => text.replace('"expires":1795125720000', '"expires":"never"')],
  ])('whose stored value is %s is not read, and does not hold up the sweeper', async (_what, alter) => {
    const { redis, desk: one } = await desk({ prefix: 'shape:' });
    const [broken, sound] = [newQuestion(), newQuestion()];
    await one.put(broken);
    await one.put(sound);
    const name = `shape:question:${broken.id}`;
    await redis.set(name, alter(String(await redis.get(name))));
    expect(await one.get(broken.id)).toBeUndefined();
    expect((await one.due(expires)).map(({ id }) => id)).toEqual([sound.id]);
    expect(await redis.zcard('shape:questions-due')).toBe(1);
    expect(await redis.exists(name)).toBe(0);
    await one.take(sound, expired);
  });
});

describe('The seal of a question', () => {
  test('fits into a button together with the id', async () => {
    const { desk: one } = await desk();
    const question = newQuestion();
    expect(`${question.id}.${one.seal(question)}`).toMatch(/^[\w-]{22}\.[\w-]{22}$/);
  });

  test('is the same for the question that was put and the one that came back, in whatever order its keys are', async () => {
    const { desk: one } = await desk();
    const question = newQuestion();
    await one.put(question);
    const got = await one.get(question.id);
    expect(got && one.matches(got, one.seal(question))).toBe(true);
    const reordered = { ...question, options: { reason: 'incident 7', sync: true, server: 'web-1' } };
    expect(one.matches(reordered, one.seal(question))).toBe(true);
  });

  test.each([
    ['another id', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['another requester', { requester: { ...requester, id: '1100000000000000003' } }],
    ['another role', { requester: { ...requester, roles: [] } }],
    ['another message', { place: { ...newQuestion().place, message: '1400000000000000002' } }],
    ['another command', { command: 'firewall.disable' }],
    ['another option', { options: { server: 'web-2', sync: true, reason: 'incident 7' } }],
    ['one option less', { options: { server: 'web-1', sync: true } }],
    ['another server', { runs: [{ run: '9kq3v1x7m2a.1', server: { id: 102 } }] }],
    ['other facts', { runs: [{ ...newQuestion().runs[0], run: '9kq3v1x7m2a.1', facts: { enabled: true, rules: 5 } }] }],
    ['another expiry', { expires: expires + 1 }],
    ['something to type', { typed: 'web-1' }],
  ])('does not match %s', async (_what, changed: Partial<Question>) => {
    const { desk: one } = await desk();
    const question = newQuestion();
    expect(one.matches({ ...question, ...changed }, one.seal(question))).toBe(false);
  });

  test.each(['', 'AAAAAAAAAAAAAAAAAAAAAA', 'ä'.repeat(22)])('is not "%s"', async (forged) => {
    const { desk: one } = await desk();
    expect(one.matches(newQuestion(), forged)).toBe(false);
  });

  test('is another with the token of another bot', async () => {
    const redis = await connect();
    const question = newQuestion();
    const [ours, theirs] = [questions(redis, key), questions(redis, questionKey('another token'))];
    expect(ours.matches(question, theirs.seal(question))).toBe(false);
    expect(ours.matches(question, questions(redis, questionKey('a bot token')).seal(question))).toBe(true);
  });
});

describe('The sweeper', () => {
  test('finds what has lapsed, the oldest first, until it is taken', async () => {
    const { desk: one } = await desk();
    const [late, early, later] = [
      newQuestion(),
      newQuestion({ expires: expires - 1 }),
      newQuestion({ expires: expires + 1 }),
    ];
    for (const question of [late, early, later]) await one.put(question);
    expect(await one.due(expires - 2)).toEqual([]);
    expect((await one.due(expires)).map(({ id }) => id)).toEqual([early.id, late.id]);
    await one.take(early, { ...expired, at: expires });
    expect((await one.due(expires)).map(({ id }) => id)).toEqual([late.id]);
  });

  test('finds nothing of a question that was confirmed', async () => {
    const { redis, desk: one } = await desk({ prefix: 'swept:' });
    const question = newQuestion();
    await one.put(question);
    await one.take(question, confirmed);
    expect(await redis.zcard('swept:questions-due')).toBe(0);
    expect(await one.due(expires + 1)).toEqual([]);
  });
});

describe('Restoring', () => {
  test('brings back what Redis has lost, with the same seal, and nothing that was taken or is there', async () => {
    const { redis, desk: one } = await desk({ prefix: 'restore:' });
    const [lost, taken, there] = [newQuestion(), newQuestion(), newQuestion()];
    for (const question of [lost, taken, there]) await one.put(question);
    await one.take(taken, confirmed);
    await redis.del(`restore:question:${lost.id}`, 'restore:questions-due');
    await one.restore([lost, taken, { ...there, command: 'firewall.disable' }]);
    const back = await one.get(lost.id);
    expect(back && one.matches(back, one.seal(lost))).toBe(true);
    expect(await one.get(taken.id)).toBeUndefined();
    expect((await one.get(there.id))?.command).toBe('firewall.flush');
    expect((await one.due(expires)).map(({ id }) => id)).toEqual([lost.id]);
    expect(await one.take(lost, confirmed)).toEqual({ taken: true });
  });
});

describe('A Redis that is gone', () => {
  test('makes everything fail soon, and everything works again when one is back', async () => {
    const server = await startEmbeddedRedis(notes());
    const handle = connectRedis(server.url, notes());
    onTestFinished(() => handle.close());
    await handle.ready();
    const one = questions(handle.redis, key, { now: () => asked });
    const question = newQuestion();
    await one.put(question);
    process.kill(server.pid, 'SIGKILL');
    await server.close();

    const start = Date.now();
    const attempts = [
      () => one.put(question),
      () => one.get(question.id),
      () => one.take(question, confirmed),
      () => one.gone(question.id),
      () => one.due(expires),
      () => one.restore([question]),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ name: 'RedisUnavailable' });
    expect(Date.now() - start).toBeLessThan(4_000);

    const { port, password } = new URL(server.url);
    expect(await serverAt(Number(port), password)).toEqual({ port: Number(port) });
    await handle.ready();
    expect(await one.get(question.id)).toBeUndefined();
    await one.restore([question]);
    expect(await one.take(question, confirmed)).toEqual({ taken: true });
  });
});
