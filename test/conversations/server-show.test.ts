import { describe, expect, it } from 'vitest';
import { plain } from '../helpers/person.ts';
import { examplePolicy, openWorld, worldForAll } from '../helpers/world.ts';

/** However many seconds ago it was, and wherever the card is. */
const steady = (text: string): string =>
  plain(text)
    .replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M')
    .replaceAll(/run b\w+/g, 'run R');

describe('one server at a glance', () => {
  const world = worldForAll({ still: true, audit: true });

  it('says that all is well, by name, id or address', async () => {
    const byName = await world.alice.types('/server show server:web-1');
    expect(steady(byName)).toShow(
      'Server web-1 (101, production)',
      'Nothing is open here.',
      'Nothing is followed.',
      'Firewall, primary: enabled, 4 rules.',
      'Firewall, secondary: enabled, 2 rules.',
      'Traffic: nothing added in period 1, `2026-11-01` to `2026-11-30`.',
      'No change is recorded.',
      '[Rules] [Look again] [Share]',
      '(only alice sees this)',
    );
    for (const named of ['101', '192.0.2.101'])
      expect(await world.alice.types(`/server show server:${named}`)).toContain('panelops: Server web-1');
  });

  it('says what is wrong first, and offers what closes it', async () => {
    await world.alice.types('/firewall disable server:web-1,web-2 reason:"locked out by rule 7"');
    await world.alice.clicks('Confirm');
    await world.bob.types('/cpu throttle server:web-1 percent:40');
    await world.alice.types('/firewall flush server:web-1');
    expect(steady(await world.alice.types('/server show server:web-1'))).toShow(
      'Server web-1 (101, production)',
      'Open: 1 firewall disabled, 1 throttle set and 1 open question.',
      '**Firewall disabled** primary interface: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '**Throttle set** limited to 40 %: T ago by @bob · [card](https://discord.com/channels/G/C/M)',
      '**Open question** /firewall flush, run R, waits for @alice to confirm, runs out in 2 minutes: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '⚠ **Firewall, primary: disabled**, 4 rules.',
      'Nothing is followed.',
      'Firewall, secondary: enabled, 2 rules.',
      'Traffic: nothing added in period 1, `2026-11-01` to `2026-11-30`.',
      'Last changes',
      '**SUCCEEDED** /cpu throttle: T ago by @bob · [card](https://discord.com/channels/G/C/M)',
      '**SUCCEEDED** /firewall disable: T ago by @alice · [card](https://discord.com/channels/G/C/M)',
      '[Enable firewall, primary] [Rules] [Look again] [Share]',
      '(only alice sees this)',
    );
  });

  it('reports an enabled firewall without rules as a problem', async () => {
    await world.alice.types('/firewall flush server:web-1 interface:secondary reason:x');
    await world.alice.clicks('Confirm');
    const card = await world.alice.types('/server show server:web-1');
    expect(card).toContain(
      '│ ⚠ **Firewall, secondary: enabled** without a rule: the panel does not say what that lets through. Check that this is intended.',
    );
    expect(card).not.toContain('Nothing is open here.');
  });

  it('is what a denied /audit history points to, where this person may run it', async () => {
    const strict = await openWorld({ still: true, audit: true, policy: examplePolicy.replace('audit.history, ', '') });
    const denied = await strict.bob.types('/audit history server:web-1');
    expect(denied).toContain(
      '│ You may run `/server show server:web-1`: it shows what is open there, since when and by whom, as far as you may see it.',
    );
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
