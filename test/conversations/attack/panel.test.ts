import { describe, expect, it } from 'vitest';
import { canaries } from '../../helpers/surroundings.ts';
import { worldForAll } from '../../helpers/world.ts';

describe('a panel', () => {
  const world = worldForAll({ hurry: true, still: true });
  // Fails when the token was written anywhere.

  it.each([
    ['a message', 403, { msg: `Invalid ability provided for Bearer ${canaries.panel}` }, 'Bearer (token)', 'rejected'],
    ['errors', 422, { errors: { authorization: [`Bearer ${canaries.panel}`] } }, 'Bearer (token)', 'rejected'],
    ['a message, but for its end', 403, { msg: `Bearer ${canaries.panel.slice(0, -1)}` }, 'Bearer (token)', 'rejected'],
    ['text of a proxy', 400, `Bad request: header authorization: Bearer ${canaries.panel}`, '(token)', 'unknown'],
  ])(
    'that repeats the token in %s gets it neither onto the card nor into the ledger',
    async (_, status, body, said, outcome) => {
      world.panel.order({ kind: 'status-before', status, body, match: { changes: true } });
      const card = await world.alice.types('/power boot server:web-1');
      expect(card).toContain(outcome.toUpperCase());
      expect(card).toContain(said);
      expect(card).not.toContain(canaries.panel.slice(0, 8));
      expect(world.ledger().at(-1)).toMatchObject({ kind: 'outcome', outcome });
      expect(JSON.stringify(world.ledger())).not.toContain(canaries.panel.slice(0, 8));
    },
  );

  it.each([
    ['header', { headers: { 'retry-after': '999999999999' }, body: { message: 'slow' } }],
    ['body', { body: { retry_after_seconds: 1e15, message: 'x' } }],
  ])('with an endless Retry-After in a %s is asked again after 15 minutes', async (_, answer) => {
    world.panel.order({ kind: 'status-before', status: 429, ...answer });
    expect(await world.alice.types('/power boot server:web-1')).not.toContain('ACCEPTED');
    for (let minute = 1; minute <= 14; minute += 1) world.minutePasses();
    const sent = world.panel.requests.length;
    expect(await world.alice.types('/power boot server:web-2')).toContain('NOT-SENT');
    expect(world.panel.requests).toHaveLength(sent);
    for (let minute = 1; minute <= 2; minute += 1) world.minutePasses();
    expect(await world.alice.types('/power boot server:web-2')).toContain('ACCEPTED');
    expect(await world.alice.types('/panel check')).toContain('The connection works');
  });
});
