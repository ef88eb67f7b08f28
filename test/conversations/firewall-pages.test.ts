import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

describe('two hundred rules', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('alice pages through them, ten at a time', async () => {
    expect(await world.alice.types('/firewall show server:web-3')).toShow(
      'Firewall of web-3 · primary',
      '1 accept in tcp 20000',
      '10 accept in tcp 20009',
      'Showing 1–10 of 200 rules.',
      '[Next] [Share]',
      '(only alice sees this)',
    );
    expect(await world.alice.clicks('Next')).toShow(
      'Firewall of web-3 · primary',
      '11 accept in tcp 20010',
      '20 accept in tcp 20019',
      'Showing 11–20 of 200 rules.',
      '[Previous] [Next] [Share]',
      '(only alice sees this)',
    );
    expect(await world.alice.clicks('Next')).toContain('Showing 21–30 of 200 rules.');
    expect(await world.alice.clicks('Previous')).toContain('Showing 11–20 of 200 rules.');
  });

  it('and through those that concern an address, by their numbers', async () => {
    const { rules } = world.panel.state.server(103).interfaces.primary.firewall.stored;
    for (const [at, rule] of rules.entries()) if (at % 2 === 0) rule['source'] = '2001:db8:1234:5678::/64';
    const line = '/firewall show server:web-3 source:2001:db8:1234:5678:9abc:def0:1234:5678 direction:in';
    expect(await world.alice.types(line)).toContain(
      '**100 of 200 rules** for source `2001:db8:1234:5678:9abc:def0:1234:5678` and direction in:',
    );
    expect(await world.alice.clicks('Next')).toShow(
      'Firewall of web-3 · primary',
      '**100 of 200 rules** for source `2001:db8:1234:5678:9abc:def0:1234:5678` and direction in:',
      '21 accept in tcp 20020',
      '39 accept in tcp 20038',
      'Showing 11–20 of 100 such rules.',
      '[Previous] [Next] [Share]',
      '(only alice sees this)',
    );
    for (const rule of rules) rule['source'] = '0.0.0.0/0';
  });

  it('a person has twenty reads a minute; who pages on and on is told to wait', async () => {
    let card = await world.bob.types('/firewall show server:web-3');
    for (let read = 2; read <= 20; read += 1) card = await world.bob.clicks(read % 2 === 0 ? 'Next' : 'Previous');
    expect(card).toContain('Showing 11–20 of 200 rules.');
    expect(await world.bob.clicks('Next')).toShow(
      'NOT-SENT /firewall show · web-3 (103, staging)',
      'You have used your 20 reads of this minute.',
      'Wait a moment, then ask again.',
      '[Ask again]',
      '(only bob sees this)',
    );
    expect(await world.carol.types('/firewall show server:web-3')).toContain('Showing 1–10 of 200 rules.');
  });

  it('after a minute he asks again, for the page where he was', async () => {
    world.minutePasses();
    expect(await world.bob.clicks('Ask again')).toContain('Showing 21–30 of 200 rules.');
  });

  it('carol, whose role is taken while she reads, gets no further page', async () => {
    await world.carol.types('/firewall show server:web-3');
    world.discord.setRoles('carol', []);
    const before = world.panel.requests.length;
    expect(await world.carol.clicks('Next')).toShow(
      'DENIED /firewall show',
      'Not allowed: none of your roles has the permission `firewall.show`.',
      'Roles that may: `viewer`, `on-call` and `lead`.',
      '(only carol sees this)',
    );
    expect(world.panel.requests).toHaveLength(before);
    await expect
      .poll(world.ledger)
      .toMatchObject([{ kind: 'denied', actor: { name: 'carol' }, command: 'firewall.show' }]);
  });
});
