import { beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../helpers/person.ts';
import { examplePolicy, worldForAll } from '../helpers/world.ts';

const steady = (text: string): string => plain(text).replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M');

/** What stands above the rules. */
const aboveRules = (card: string): string => steady(card).split('\n  │ ```')[0] ?? '';

/** carol sees firewalls alone. */
const policy = examplePolicy.replace('name: viewer, allow: [read]', 'name: viewer, allow: [firewall.show]');

describe('a firewall that is not as usual', () => {
  const world = worldForAll({ still: true, policy });
  beforeAll(async () => {
    await world.alice.types('/firewall disable server:web-1 reason:"locked out by rule 7"');
    await world.alice.clicks('Confirm');
  });

  it('says who disabled it, when and why, with the card and the button that ends it', async () => {
    const card = await world.bob.types('/firewall show server:web-1');
    expect(aboveRules(card)).toShow(
      'Firewall of web-1 · primary',
      'The firewall of web-1 (101), primary interface, is disabled with 4 rules.',
      '**Disabled** T ago by @alice · [card](https://discord.com/channels/G/C/M). Reason: `locked out by rule 7`',
    );
    expect(card).toContain('[Enable firewall, primary] [Share]');
  });

  it('says nothing of that on its other interface, nor to who may not see what is open', async () => {
    expect(await world.bob.types('/firewall show server:web-1 interface:secondary')).not.toContain('Disabled');
    const card = await world.carol.types('/firewall show server:web-1');
    expect(card).toContain('is disabled with 4 rules');
    expect(card).not.toMatch(/alice|rule 7|Enable|through this bot/);
  });

  it('is enabled by that button, and says no more of it', async () => {
    await world.bob.types('/firewall show server:web-1');
    expect(await world.bob.clicks('Enable firewall, primary')).toContain('SUCCEEDED /firewall enable');
    const card = await world.bob.types('/firewall show server:web-1');
    expect(card).toContain('is enabled with 4 rules');
    expect(card).not.toContain('Disabled');
  });

  it('says of what is only stored that it is not applied', async () => {
    await world.alice.types('/firewall flush server:web-2 sync:false');
    await world.alice.clicks('Confirm');
    const card = await world.bob.types('/firewall show server:web-2');
    expect(aboveRules(card)).toShow(
      'Firewall of web-2 · primary',
      'The firewall of web-2 (102), primary interface, is enabled and has no rules.',
      '**A change is stored and not applied**: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '[Apply firewall, primary] [Share]',
      '(only bob sees this)',
    );
    expect(card).toContain('[Apply firewall, primary] [Share]');
  });

  const newestWith = (words: string): Promise<string> =>
    world.discord.until(() =>
      world.discord
        .messages('alice', 'ops')
        .map((each) => world.discord.viewMessage('alice', each))
        .findLast((text) => text.includes(words)),
    );

  it('that is enabled says of one that ended unknown that a look tells no more, and the older card says so too', async () => {
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await world.alice.types('/firewall disable server:db-1 reason:"locked out by rule 7"');
    await world.alice.clicks('Confirm');
    await newestWith('UNKNOWN /firewall disable');
    expect(steady(await world.bob.types('/firewall enable server:db-1'))).toShow(
      'SUCCEEDED /firewall enable · db-1 (111, production)',
      'Primary interface: the firewall is enabled.',
      '**/firewall disable by @alice T ago ended unknown**: whether it was done or not, this was sent after it. What a look shows is this change: if you know how that one ended, say so on its card.',
    );
    expect(steady(await newestWith('Any effect of it was ended since'))).toShow(
      'UNKNOWN /firewall disable · db-1 (111, production)',
      'It may or may not have been done.',
      'Any effect of it was ended since, by @bob: see the newer card.',
      '[Check now] [Say what happened]',
    );
  });
});
