import { afterAll, beforeAll, expect, it } from 'vitest';
import { plain, startWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ still: true });
});
afterAll(() => world.stop());

const steady = (text: string): string => plain(text).replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M');

const newestWith = (words: string): Promise<string> =>
  world.discord.until(() =>
    world.discord
      .messages('alice', 'ops')
      .map((each) => world.discord.viewMessage('alice', each))
      .findLast((text) => text.includes(words)),
  );

it('a firewall that somebody else had disabled is enabled, and the card says whose disabling that ended', async () => {
  await world.alice.types('/firewall disable server:web-1 reason:"locked out by rule 7"');
  await world.alice.clicks('Confirm');
  expect(steady(await world.bob.types('/firewall enable server:web-1'))).toShow(
    'SUCCEEDED /firewall enable · web-1 (101, production)',
    'Primary interface: the firewall is enabled.',
    'This ended: /firewall disable by @alice T ago.',
  );
});

it('of one that ended unknown it says that a look tells no more, and the older card says so too', async () => {
  world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
  await world.alice.types('/firewall disable server:web-2 reason:"locked out by rule 7"');
  await world.alice.clicks('Confirm');
  await newestWith('UNKNOWN /firewall disable');
  expect(steady(await world.bob.types('/firewall enable server:web-2'))).toShow(
    'SUCCEEDED /firewall enable · web-2 (102, production)',
    'Primary interface: the firewall is enabled.',
    '**/firewall disable by @alice T ago ended unknown**: whether it was done or not, this was sent after it. What a look shows is this change: if you know how that one ended, say so on its card.',
  );
  expect(steady(await newestWith('Whatever it did was ended since'))).toShow(
    'UNKNOWN /firewall disable · web-2 (102, production)',
    'It may have been done, or not.',
    'Whatever it did was ended since, by @bob: see the newer card.',
    '[Check now] [It happened] [It did not]',
  );
});
