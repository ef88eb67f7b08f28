import { describe, expect, it } from 'vitest';
import { confirms } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { examplePolicy, openWorld, worldForAll } from '../helpers/world.ts';

describe('/firewall show', () => {
  /** carol sees firewalls alone. */
  const policy = examplePolicy.replace('name: viewer, allow: [read]', 'name: viewer, allow: [firewall.show]');
  const world = worldForAll({ still: true, policy });
  /** What stands above the rules. */
  const aboveRules = (card: string): string => card.split('\n  │ ```')[0] ?? '';

  it('says who disabled it, when and why, with the button that ends it, to who may see what is open, and then no more', async () => {
    await confirms(world.alice, '/firewall disable server:web-1 reason:"locked out by rule 7"');
    const card = await world.bob.types('/firewall show server:web-1');
    expect(aboveRules(card)).toShow(
      'Firewall of web-1 · primary',
      'The firewall of web-1 (101), primary interface, is disabled with 4 rules.',
      '**Disabled** T ago by @alice · [card](https://discord.com/channels/G/C/M). Reason: `locked out by rule 7`',
    );
    expect(card).toContain('[Enable firewall, primary] [Share]');
    expect(await world.bob.types('/firewall show server:web-1 interface:secondary')).not.toContain('Disabled');
    const carols = await world.carol.types('/firewall show server:web-1');
    expect(carols).toContain('is disabled with 4 rules');
    expect(carols).not.toMatch(/alice|rule 7|Enable|through this bot/);
    await world.bob.types('/firewall show server:web-1');
    expect(await world.bob.clicks('Enable firewall, primary')).toContain('SUCCEEDED /firewall enable');
    expect(await world.bob.types('/firewall show server:web-1')).not.toContain('Disabled');
  });

  it('says of what is only stored that it is not applied', async () => {
    await confirms(world.alice, '/firewall flush server:web-2 sync:false');
    expect(aboveRules(await world.bob.types('/firewall show server:web-2'))).toShow(
      'Firewall of web-2 · primary',
      '**A change is stored and not applied**: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '[Apply firewall, primary] [Share]',
      '(only bob sees this)',
    );
  });
});

describe('/server show', () => {
  const world = worldForAll({ still: true, audit: true });

  it('says that all is well, by name, id or address, and what cannot be known', async () => {
    expect(await world.alice.types('/server show server:web-1')).toShow(
      'Server web-1 (101, production)',
      'Nothing is open here.',
      'Nothing is followed.',
      'Firewall, primary: enabled, 4 rules.',
      'No change is recorded.',
      'Power: not known. The panel documents no way to read whether it is on.',
      '[Rules] [Look again] [Share]',
      '(only alice sees this)',
    );
    for (const named of ['101', '192.0.2.101'])
      expect(await world.alice.types(`/server show server:${named}`)).toContain('panelops: Server web-1');
  });

  it('says what is wrong first, and offers what closes it', async () => {
    await confirms(world.alice, '/firewall disable server:web-1,web-2 reason:"locked out by rule 7"');
    await world.bob.types('/cpu throttle server:web-1 percent:40');
    await world.alice.types('/firewall flush server:web-1');
    expect(await world.alice.types('/server show server:web-1')).toShow(
      'Server web-1 (101, production)',
      'Open: 1 firewall disabled, 1 throttle set and 1 open question.',
      '**Firewall disabled** primary interface: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '**Throttle set** limited to 40 %: T ago by @bob',
      '**Open question** /firewall flush, run R, waits for @alice to confirm, runs out in 2 minutes: T ago by @alice',
      '⚠ **Firewall, primary: disabled**, 4 rules.',
      'Last changes',
      '**SUCCEEDED** /cpu throttle: T ago by @bob',
      '**SUCCEEDED** /firewall disable: T ago by @alice',
      '[Enable firewall, primary] [Rules] [Look again] [Share]',
      '(only alice sees this)',
    );
    await confirms(world.alice, '/firewall flush server:web-1 interface:secondary reason:x');
    expect(await world.alice.types('/server show server:web-1')).toContain(
      '│ ⚠ **Firewall, secondary: enabled** without a rule: the panel does not say what that lets through.',
    );
  });

  it('has what somebody said of an unknown change in the words of /audit history', async () => {
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await confirms(world.alice, '/power restart server:web-3');
    await world.bob.clicks('Say what happened');
    await world.bob.fills('It is under way: the panel shows it');
    const shown = plain(await world.alice.types('/server show server:web-3'));
    expect(shown).toContain('Open: 1 power action under way.');
    expect(shown).toContain('**IS RUNNING**, says @bob: /power restart: T ago by @alice');
    expect(plain(await world.alice.types('/audit history server:web-3'))).toContain(
      '**IS RUNNING**, says @bob: /power restart web-3 (103) · @alice T ago',
    );
  });

  it('is what a denied /audit history points to, where this person may run it', async () => {
    const strict = await openWorld({ still: true, audit: true, policy: examplePolicy.replace('audit.history, ', '') });
    const denied = await strict.bob.types('/audit history server:web-1');
    expect(denied).toContain('│ You may run `/server show server:web-1`: it shows what is open there, since when and');
    expect(denied).toContain('│ What was done is also in #audit, if you may read that channel.');
    expect(await strict.bob.types('/server show server:web-1')).toContain(
      'Last changes: not shown, you may not run /audit history. They are also in #audit, if you may read it.',
    );
    expect(await strict.bob.types('/audit history')).toContain('You may run `/server show server:NAME`');
    for (const elsewhere of ['lab-1', 'nowhere'])
      expect(await strict.bob.types(`/audit history server:${elsewhere}`)).not.toContain('You may run');
    expect(await strict.mallory.types('/audit history server:web-1')).not.toContain('You may run');
  });
});

describe('a change that ends what another one left', () => {
  const world = worldForAll({ still: true });

  it('says which, once it is done, and a sync what it applied', async () => {
    await confirms(world.alice, '/firewall disable server:web-1,web-2 reason:"customers cannot log in"');
    expect(await world.bob.types('/firewall enable server:web-1,web-2')).toShow(
      'SUCCEEDED /firewall enable · 2 servers',
      'This ended: /firewall disable of web-1 (101) by @alice T ago.',
      'This ended: /firewall disable of web-2 (102) by @alice T ago.',
    );
    await confirms(world.alice, '/power shutdown server:web-1');
    expect(await confirms(world.bob, '/power restart server:web-1')).toShow(
      'ACCEPTED /power restart · web-1 (101, production)',
      'Once it is done, this ends: /power shutdown by @alice T ago.',
    );
    await world.alice.types('/firewall enable server:web-3 sync:false');
    expect(await world.bob.types('/firewall sync server:web-2,web-3')).toShow(
      'SUCCEEDED /firewall sync · 2 servers',
      '**SUCCEEDED** web-2 (102): Primary interface: applied. The firewall is enabled with 2 rules.',
      'This applied what was only stored: /firewall enable of web-3 (103) by @alice T ago.',
    );
  });

  it('that ended unknown is said: a look tells no more, and the older card says so too', async () => {
    const newestWith = (words: string): Promise<string> =>
      world.discord.until(() => {
        const texts = world.discord.messages('alice', 'ops').map((each) => world.discord.viewMessage('alice', each));
        return texts.findLast((text) => text.includes(words));
      });
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await confirms(world.alice, '/firewall disable server:db-1 reason:"locked out by rule 7"');
    await newestWith('UNKNOWN /firewall disable');
    expect(await world.bob.types('/firewall enable server:db-1')).toContain(
      '**/firewall disable by @alice T ago ended unknown**: whether it was done or not, this was sent after it.',
    );
    expect(plain(await newestWith('Any effect of it was ended since'))).toShow(
      'UNKNOWN /firewall disable · db-1 (111, production)',
      'Any effect of it was ended since, by @bob: see the newer card.',
      '[Check now] [Say what happened]',
    );
  });
});
