import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('a firewall at 3 a.m.', () => {
  const world = worldForAll();

  it('alice flushes it: asked first, then done', async () => {
    expect(await world.alice.types('/firewall flush server:web-1 reason:"locked out"')).toShow(
      'QUESTION /firewall flush · web-1 (101, production)',
      'All firewall rules of web-1 (101), primary interface, will be removed.',
      '**Cannot be undone; a file keeps the rules.** 4 rules are set now. The firewall is enabled.',
      '[Flush web-1] [Cancel]',
    );
    expect(world.panel.effects).toEqual([]);
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall flush · web-1 (101, production)',
      'Primary interface: all rules were removed.',
      'Cannot be undone: the panel takes rulesets, not single rules.',
      'In the file: the 4 rules from before.',
      'The firewall stays on. If nothing gets through: `/firewall disable` switches it off.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
    );
    expect(world.panel.effects).toMatchObject([
      { path: '/servers/101/firewall/primary/rules?sync=true', body: { rulesets: [] } },
    ]);
  });

  it('alice switches it off on three servers: one question names them all, and each has its line', async () => {
    expect(await world.alice.types('/firewall disable server:web-1,web-2,103 reason:"customers cannot log in"')).toShow(
      'QUESTION /firewall disable · 3 servers (2 production, 1 staging)',
      'The firewall of web-1 (101), web-2 (102) and web-3 (103), primary interface, will be disabled.',
      'Rules set now: web-1: 0, web-2: 2, web-3: 200; all enabled.',
      '[Disable firewall of 3 servers] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall disable · 3 servers',
      'Disable firewall of 3 servers: 3 succeeded.',
      '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
      '**SUCCEEDED** web-2 (102): Primary interface: the firewall is disabled.',
      '**SUCCEEDED** web-3 (103): Primary interface: the firewall is disabled.',
      '[Undo: enable firewall of 3 servers]',
    );
    expect(world.panel.effects.slice(-3).map(({ path }) => path)).toEqual([
      '/servers/101/firewall/primary/disable?sync=true',
      '/servers/102/firewall/primary/disable?sync=true',
      '/servers/103/firewall/primary/disable?sync=true',
    ]);
  });

  it('bob switches it on again, which is not asked about', async () => {
    expect(await world.bob.types('/firewall enable server:web-1,web-2')).toShow(
      'SUCCEEDED /firewall enable · 2 servers',
      'Enable firewall of 2 servers: 2 succeeded.',
      '**SUCCEEDED** web-1 (101): Primary interface: the firewall is enabled.',
      '**SUCCEEDED** web-2 (102): Primary interface: the firewall is enabled.',
      'This ended: /firewall disable of web-1 (101) by @alice T ago.',
      'This ended: /firewall disable of web-2 (102) by @alice T ago.',
    );
    expect(await world.bob.types('/firewall enable server:web-3')).toShow(
      'SUCCEEDED /firewall enable · web-3 (103, staging)',
      'This ended: /firewall disable by @alice T ago.',
    );
  });
});

describe('a firewall that is changed without sync', () => {
  const world = worldForAll();

  it('alice stores that it is off: the card says that it does not hold yet', async () => {
    expect(await world.alice.types('/firewall disable server:web-1 interface:secondary sync:false')).toShow(
      'QUESTION /firewall disable · web-1 (101, production)',
      'The firewall of web-1 (101), secondary interface, will be disabled.',
      '2 rules are set now. The firewall is enabled.',
      'Only stored: the running server stays as it is until somebody applies it.',
      '[Disable firewall of web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'ACCEPTED /firewall disable · web-1 (101, production)',
      'Secondary interface: stored, not applied.',
      'The running server is as it was.',
      '[Apply now] [Undo: enable firewall of web-1]',
    );
    const { firewall } = world.panel.state.server(101).interfaces.secondary ?? {};
    expect([firewall?.stored.enabled, firewall?.applied.enabled]).toEqual([false, true]);
  });

  it('she applies it now, with a command and a card of its own', async () => {
    expect(await world.alice.clicks('Apply now')).toShow(
      'SUCCEEDED /firewall sync · web-1 (101, production)',
      'Secondary interface: applied.',
      'The firewall is disabled with 2 rules.',
    );
    expect(world.panel.effects.at(-1)).toMatchObject({
      method: 'GET',
      path: '/servers/101/firewall/secondary?sync=true',
    });
    expect(world.panel.state.server(101).interfaces.secondary?.firewall.applied.enabled).toBe(false);
  });

  it('bob syncs by hand what alice stored on two servers', async () => {
    await world.alice.types('/firewall enable server:web-2 sync:false');
    expect(await world.bob.types('/firewall sync server:web-1,web-2 reason:"as agreed"')).toShow(
      'SUCCEEDED /firewall sync · 2 servers',
      'Apply firewall of 2 servers: 2 succeeded.',
      '**SUCCEEDED** web-1 (101): Primary interface: applied. The firewall is enabled with 4 rules.',
      '**SUCCEEDED** web-2 (102): Primary interface: applied. The firewall is enabled with 2 rules.',
      'This applied what was only stored: /firewall enable of web-2 (102) by @alice T ago.',
    );
    expect(await world.bob.types('/firewall sync server:web-2')).toShow(
      'SUCCEEDED /firewall sync · web-2 (102, production)',
      'Primary interface: applied.',
      'The firewall is enabled with 2 rules.',
    );
  });

  it('an interface that the server does not have cannot be read first, so nothing is sent', async () => {
    expect(await world.alice.types('/firewall flush server:mail-1 interface:secondary')).toShow(
      'NOT-SENT /firewall flush · mail-1 (121, production)',
      'Nothing was sent, because what is set now could not be read.',
      'The panel says: `Server 121 has no secondary interface.`',
      '[Ask again]',
    );
    expect(world.panel.requests.at(-1)).toMatchObject({ method: 'GET', status: 404 });
  });
});
