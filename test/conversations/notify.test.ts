import { describe, expect, it } from 'vitest';
import { textOf, until } from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, worldForAll } from '../helpers/world.ts';

const broken = { kind: 'status-after', status: 500, match: { changes: true } } as const;

describe('a ping means: look at this', () => {
  const world = worldForAll({
    policy: examplePolicy.replace('unknown: nobody', 'unknown: requester'),
    panel: { powerMs: 200 },
  });

  const pinged = () => world.discord.messages('alice', 'ops').filter((message) => message.pinged.length > 0);

  it('what ended unknown pings whoever ordered it, once, also over a restart', async () => {
    world.panel.order(broken);
    await world.alice.types('/firewall enable server:web-1');
    await until(() => world.ledger().at(-1)?.kind === 'pinged', 'the ping');
    expect(pinged()).toMatchObject([{ pinged: ['alice'] }]);
    const [message] = pinged();
    expect(message?.content).toContain('UNKNOWN /firewall enable');
    expect(world.ledger().at(-1)).toMatchObject({
      run: expect.stringMatching(/\.1$/),
      place: { message: message?.id },
    });
    await world.restart();
    await world.alice.types('/firewall enable server:web-2');
    expect(pinged()).toHaveLength(1);
  });

  it('a ping has one fact and the buttons; once somebody says there how it ended, it says that', async () => {
    const [ping] = pinged();
    const seen = () => world.discord.messages('alice', 'ops').find(({ id }) => id === ping?.id);
    const links = (text: string | null | undefined) =>
      (text ?? '').replaceAll(/discord\.com\/channels\/[\d/]+/g, 'card').replaceAll(/run \w+/g, 'run R');
    expect(links(seen()?.embeds[0]?.description)).toBe(
      [
        '**It may or may not have been done.**',
        '→ Press Check now, or look at the server in the panel.',
        '→ Then press Say what happened. The bot will not send it again.',
        '→ [Its card](https://card) has the rest.',
        '-# run R · outcome',
      ].join('\n'),
    );
    const card = () => world.discord.messages('alice', 'ops').find(({ id }) => id === ping?.replyTo);
    expect(seen()?.buttons.map(({ label }) => label)).toEqual(['Check now', 'Say what happened', 'Details']);
    expect(card()?.buttons).toEqual([]);
    await world.bob.clicks('Say what happened');
    await world.bob.fills('It happened: it is on');
    await until(() => seen()?.content.startsWith('◆') === true, 'the settled ping');
    expect(seen()?.content).toBe('◆ **HAPPENED /firewall enable · web-1 (101, production)** <@1400000000000000001>');
    expect(seen()?.buttons).toEqual([]);
    expect(links(seen()?.embeds[0]?.description)).toBe(
      [
        `**It happened, says <@${world.ledger().at(-1)?.actor.id}>.**`,
        '→ [Its card](https://card) has the rest.',
        '-# run R · outcome',
      ].join('\n'),
    );
  });

  it('a reboot that ends well in a moment edits its card, and pings nobody', async () => {
    await world.bob.types('/power boot server:web-2');
    await until(() => world.ledger().some((entry) => entry.step === 'announced'), 'its end');
    expect(world.ledger().find((entry) => entry.step === 'announced')?.place.message).toBeUndefined();
    expect(pinged()).toHaveLength(1);
  });
});

describe('whoever waits for others is told, each thing once', () => {
  const world = worldForAll({ policy: examplePolicy.replaceAll(/(answered|done): nobody/g, '$1: requester') });
  const { cardWith, click, denialOf, submit } = deedsIn(() => world);
  const told = () => world.discord.messages('bob', 'ops').filter(({ pinged }) => pinged.includes('bob'));
  const toldOf = (words: string) => world.discord.until(() => told().find((one) => textOf(one).includes(words)));

  async function asks(line: string): Promise<void> {
    await world.bob.types(line);
    const { id, buttons } = await denialOf('bob', 'Ask a lead');
    await world.discord.click('bob', id, buttons[0]?.customId ?? '');
  }

  it('that it was declined, by whom and why', async () => {
    await asks('/firewall flush server:web-1 reason:"locked out"');
    await submit('alice', await cardWith('Decline'), 'Decline', 'not at night');
    const said = textOf(await toldOf('CANCELLED'));
    expect(said).toContain('Declined by <@1400000000000000001>: `not at night`');
    expect(told()).toHaveLength(1);
  });

  it('that somebody took it on, and how it ended', async () => {
    await asks('/firewall flush server:web-2 reason:"locked out"');
    await click('alice', await cardWith('Decline'), 'Approve');
    expect(textOf(await toldOf('took it on'))).toContain('Nothing is sent before <@1400000000000000001> confirms it');
    await click('alice', await cardWith('Flush web-2'), 'Flush web-2');
    expect(textOf(await toldOf('SUCCEEDED'))).toContain('By <@1400000000000000001>, for <@1400000000000000002>');
    expect(told()).toHaveLength(3);
  });

  it('that it was approved', async () => {
    await world.bob.types('/power poweroff server:build-1 reason:stuck');
    await world.bob.clicks('Confirm');
    await click('alice', await cardWith('Approve: power off build-1'), 'Approve: power off build-1');
    expect(textOf(await toldOf('ACCEPTED'))).toContain('approved by <@1400000000000000001>');
  });
});
