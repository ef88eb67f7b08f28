import { describe, expect, it } from 'vitest';
import { openCards } from '../helpers/ledger/reading.ts';
import { until } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

/** What Discord does not keep: private use, unassigned, and letters under a pile of marks. */
const strange = `a\ue000b\u0378c${'\u0301'.repeat(30)}d\u{10fffd}`;

describe('text that Discord does not keep as it is', () => {
  const world = worldForAll({ audit: true, still: true, intervals: { cards: { late: 0 } } });

  it('is written as Discord keeps it, so that nothing has to be edited again', async () => {
    const card = await world.alice.types(`/firewall enable server:web-1 reason:"${strange}"`);
    expect(card).toContain(`Reason: \`a\ufffdb\ufffdc${'\u0301'.repeat(5)}d\ufffd\``);
    await until(() => openCards(world).length === 0, 'the card to be done');
    const edits = (): number => world.discord.requests.filter(({ method }) => method === 'PATCH').length;
    const before = edits();
    // A read edits once.
    await world.carol.types('/firewall show server:web-1');
    expect(edits()).toBe(before + 1);
  });

  it('is no false finding: the trail says what its messages say', async () => {
    await until(
      () => world.discord.messages('alice', 'audit').some(({ content }) => content.includes('SUCCEEDED')),
      'it',
    );
    await world.restart();
    expect(await world.alice.types('/audit verify')).toMatch(/^panelops: Check of ledger and trail/m);
    expect(world.entries().map(({ kind }) => kind)).not.toContain('tampered');
  });

  it('names an incident whose first message is found again', async () => {
    await world.alice.types(`/incident start title:"${strange}"`);
    const thread = world.discord.threads()[0]?.id ?? '';
    await until(() => world.discord.messages('alice', thread).length > 0, 'the first message');
    const post = (): Promise<unknown> =>
      until(
        () => world.discord.messages('alice', thread).some(({ content }) => content.startsWith('**Timeline**')),
        'it',
      );
    await world.alice.types('/incident end', thread);
    await post();
    const [first, timeline] = world.discord.messages('alice', thread).map(({ content }) => content.split('\n', 1)[0]);
    expect(first).toContain(`**Incident** \`a\ufffdb\ufffdc${'\u0301'.repeat(5)}d\ufffd\`, since `);
    expect(timeline).toContain('/incident end');
  });
});
