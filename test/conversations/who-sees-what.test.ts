import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('who is answered, where, and who sees it', () => {
  const world = worldForAll({ still: true });

  it('in #random nothing is answered, whoever asks', async () => {
    expect(await world.alice.types('/firewall show server:web-1', 'random')).toShow(
      'NOT-SENT /firewall show',
      'Commands are not answered here, but in #ops. Nothing was read.',
      '(only alice sees this)',
    );
    expect(await world.alice.types('/power boot server:web-1', 'random')).toContain('NOT-SENT /power boot');
    expect(world.carol.sees('random')).toBe('');
    expect(world.panel.requests).toEqual([]);
  });

  it('what a person writes is shown as it is and pings nobody', async () => {
    expect(
      await world.bob.types(
        '/power boot server:web-1 reason:"@everyone **look** <@1400000000000000001> `x` [a](https://example.org)"',
      ),
    ).toShow(
      'ACCEPTED /power boot · web-1 (101, production)',
      'Reason: `@everyone **look** <@1400000000000000001> ˋxˋ [a](https://example.org)`',
    );
    const card = world.discord.messages('alice', 'ops').at(-1);
    expect(card?.pinged).toEqual([]);
    expect(card?.mentions).toEqual({ users: [], roles: [], everyone: false });
  });
});
