import { expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true });

it('A change that ends what another one left says which, once it is done', async () => {
  await world.alice.types('/firewall disable server:web-1,web-2 reason:"customers cannot log in"');
  await world.alice.clicks('Confirm');
  expect(await world.bob.types('/firewall enable server:web-1,web-2')).toShow(
    'SUCCEEDED /firewall enable · 2 servers',
    'This ended: /firewall disable of web-1 (101) by @alice T ago.',
    'This ended: /firewall disable of web-2 (102) by @alice T ago.',
  );
  await world.alice.types('/power shutdown server:web-1');
  await world.alice.clicks('Confirm');
  await world.bob.types('/power restart server:web-1');
  expect(await world.bob.clicks('Confirm')).toShow(
    'ACCEPTED /power restart · web-1 (101, production)',
    'Once it is done, this ends: /power shutdown by @alice T ago.',
  );
});

it('A sync says what it applied that was only stored', async () => {
  await world.alice.types('/firewall enable server:web-3 sync:false');
  expect(await world.bob.types('/firewall sync server:web-2,web-3')).toShow(
    'SUCCEEDED /firewall sync · 2 servers',
    '**SUCCEEDED** web-2 (102): Primary interface: applied. The firewall is enabled with 2 rules.',
    'This applied what was only stored: /firewall enable of web-3 (103) by @alice T ago.',
  );
});
