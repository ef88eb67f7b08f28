import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../world.ts';

describe('a denial whose answer Discord does not take, or takes and does not say so,', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  const denied = (): (string | undefined)[] =>
    world.ledger().flatMap(({ kind, command, actor }) => (kind === 'denied' ? [`${actor.name} ${command}`] : []));
  const answers = { method: 'POST', path: '/interactions/*' };

  it('is on record when the connection breaks after the answer', async () => {
    world.discord.order({ kind: 'lose-request', by: 'close', match: answers });
    await world.discord.type('mallory', 'ops', '/power boot server:web-1');
    await expect.poll(denied).toEqual(['mallory power.boot']);
  });

  it('is on record when Discord fails, and never shows the answer', async () => {
    world.discord.order({ kind: 'status', status: 400, match: answers, times: 2 });
    await world.discord.type('mallory', 'ops', '/power restart server:web-1');
    await expect.poll(denied).toContain('mallory power.restart');
  });

  it('is on record when Discord has given the command up', async () => {
    world.discord.order({ kind: 'status', status: 404, body: { code: 10062 }, match: answers });
    await world.discord.type('mallory', 'ops', '/power shutdown server:web-1');
    await expect.poll(denied).toContain('mallory power.shutdown');
  });

  it('is on record soon when Discord does not answer at all', async () => {
    world.discord.order({ kind: 'delay', ms: 6_000, match: answers });
    await world.discord.type('mallory', 'ops', '/power poweroff server:web-1');
    await expect.poll(denied, { timeout: 5_000 }).toContain('mallory power.poweroff');
    world.discord.clear();
  });

  it('is on record when it was a Confirm, and the private word about it is lost', async () => {
    await world.alice.types('/firewall flush server:web-1');
    const question = world.discord.messages('bob', 'ops').findLast(({ content }) => content.startsWith('QUESTION'));
    const confirm = question?.buttons.find(({ label }) => label === 'Confirm');
    if (question === undefined || confirm === undefined) throw new Error('no question');
    world.discord.order({ kind: 'lose-request', by: 'close', match: { method: 'POST', path: '/webhooks/*' } });
    await world.discord.click('carol', question.id, confirm.customId);
    await expect.poll(denied).toContain('carol firewall.flush');
  });
});
