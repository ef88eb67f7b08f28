import { describe, expect, it } from 'vitest';
import { confirms, until } from '../../helpers/messages.ts';
import { endOfInput, interrupt, openShell, shellPolicy } from '../../helpers/terminal.ts';

const flush = { what: 'do', line: 'firewall flush server:web-1 interface:primary' } as const;

describe('a change at the terminal', () => {
  it('asks, is confirmed by its label in full, and says how it ended', async () => {
    const { world, opens } = await openShell({ audit: true });
    const at = opens(flush, { sudo: 'root' });
    await at.after('Type "Flush web-1" or "Cancel": ', '');
    await at.after('Type "Flush web-1" or "Cancel": ', 'y');
    expect(world.panel.effects).toHaveLength(0);
    await at.after('Type "Flush web-1" or "Cancel": ', 'flush web-1');
    expect(await at.code, at.seen()).toBe(0);
    expect(at.seen()).toContain('QUESTION /firewall flush · web-1 (101, production)');
    expect(at.seen()).toContain('SUCCEEDED /firewall flush · web-1 (101, production)');
    expect(world.panel.effects).toHaveLength(1);
    const steps = world.ledger().map(({ kind, actor, place }) => [kind, actor.id, actor.name, place.channel]);
    const alice = ['1400000000000000001', 'uid 1001 (sudo by root)', 'shell'];
    expect(steps.slice(0, 4)).toEqual(['asked', 'confirmed', 'intent', 'outcome'].map((kind) => [kind, ...alice]));
    await until(() => world.discord.view('alice', 'audit').includes('SUCCEEDED'), 'the trail');
    expect(world.discord.view('alice', 'audit')).toMatch(/SUCCEEDED.* · shell/);
    expect(world.discord.messages('alice', 'ops')).toEqual([]);
  });

  it.each([
    ['Ctrl-C', interrupt],
    ['Ctrl-D', endOfInput],
  ])('is cancelled by %s before it is confirmed', async (_, key) => {
    const { world, opens } = await openShell();
    const at = opens(flush);
    await at.after('Type "Flush web-1"', key);
    expect(await at.code, at.seen()).toBe(2);
    expect(world.ledger()).toMatchObject([{ kind: 'asked' }, { kind: 'outcome', outcome: 'cancelled' }]);
    expect(world.panel.effects).toHaveLength(0);
  });

  it('waits for the outcome at Ctrl-C once its request may have left', async () => {
    const { world, opens } = await openShell();
    world.panel.order({ kind: 'delay', ms: 1_000, match: { changes: true } });
    const at = opens(flush);
    await at.after('Type "Flush web-1"', 'Flush web-1');
    await until(() => world.ledger().some(({ kind }) => kind === 'intent'), 'the intent');
    await at.after('WORKING', interrupt);
    expect(await at.code, at.seen()).toBe(0);
    expect(at.seen()).toContain('A request may have been sent');
  });

  it('asks for what the policy wants typed, and a wrong answer changes nothing', async () => {
    const { world, opens } = await openShell();
    const line = 'backup restore server:web-2 disks:0';
    const at = opens({ what: 'do', line, reason: 'lost update' });
    await at.after('Type "Restore', 'Restore disk 0 of web-2');
    await at.after('Type web-2: ', 'web-1');
    await at.after('NOT-SENT', interrupt);
    expect(await at.code, at.seen()).toBe(2);
    expect(world.panel.effects).toHaveLength(0);
  });

  it('ends in the ledger, not at the terminal: a client that goes away leaves a question that expires', async () => {
    const { world, opens } = await openShell({ intervals: { open: { plain: 300, typed: 300 } } });
    opens(flush);
    await until(() => world.ledger().find(({ kind }) => kind === 'outcome'), 'the end');
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'outcome', outcome: 'expired' });
  });
});

describe('a question of the other side', () => {
  const policy = shellPolicy.replace(
    'commands:\n',
    'commands:\n  - { match: ["power.*"], tiers: [production], approvals: 1 }\n',
  );

  it('asked in Discord, is approved at the terminal, by nobody who asked for it', async () => {
    const { world, opens, as } = await openShell({ policy, still: true });
    await confirms(world.bob, '/power shutdown server:web-1');
    const run = world.ledger()[0]?.run ?? '';
    as(1002);
    const own = opens({ what: 'approve', run });
    expect(await own.code, own.seen()).toBe(2);
    expect(world.panel.effects).toHaveLength(0);
    as(1001);
    const other = opens({ what: 'approve', run });
    await other.after('Type "Approve: shut down web-1": ', 'approve: shut down web-1');
    expect(await other.code, other.seen()).toBe(0);
    expect(other.seen()).toContain(`Run \`${run}\`: accepted.`);
    expect(world.panel.effects).toHaveLength(1);
    const again = opens({ what: 'approve', run });
    expect(await again.code).toBe(2);
  });

  it('is shown to nobody who may not approve or cancel it, and to those who see no server of it not even as one', async () => {
    const narrow = policy.replace('name: viewer, allow: [read]', 'name: viewer, allow: [read], servers: [lab-1]');
    const { world, opens, as } = await openShell({ policy: narrow, still: true });
    await confirms(world.alice, '/power shutdown server:web-1');
    const run = world.ledger()[0]?.run.split('.', 1).join() ?? '';
    const denied = () => world.ledger().filter(({ kind }) => kind === 'denied').length;
    const looks = async (uid: number, what: 'approve' | 'cancel', of = run): Promise<string> => {
      as(uid);
      const at = opens({ what, run: of });
      expect(await at.code).toBe(2);
      return at.seen().replaceAll(of, 'RUN').replace(/\s+/g, ' ');
    };
    const asked = await looks(1002, 'approve');
    expect(asked).toContain('Not allowed: none of your roles has the permission `approve`');
    expect(asked).not.toContain('QUESTION');
    expect(await looks(1001, 'approve')).toContain('You asked for this, so somebody else must approve it');
    for (const what of ['approve', 'cancel'] as const)
      expect(await looks(1003, what)).toBe(await looks(1003, what, 'b0000000000'));
    await until(() => denied() === 4, 'the denials');
    expect(world.panel.effects).toHaveLength(0);
  });

  it('that asks others is taken on at the terminal, and confirmed there', async () => {
    const { world, opens } = await openShell({ still: true });
    await world.bob.types('/firewall flush server:web-1');
    await world.bob.clicks('Ask a lead');
    const at = opens({ what: 'approve', run: world.ledger().at(-1)?.run ?? '' });
    await at.after('Type "Approve"', 'approve');
    await at.after('Type "Flush web-1"', 'flush web-1');
    expect(await at.code, at.seen()).toBe(0);
    expect(world.panel.effects).toHaveLength(1);
    await until(() => world.bob.sees().includes('SUCCEEDED'), 'the card in Discord');
  });

  it('asked at a terminal, is cancelled in Discord where it is listed, by who may change something there', async () => {
    const { world, opens, as } = await openShell({ policy, still: true });
    as(1002);
    const at = opens({ what: 'do', line: 'power shutdown server:web-1' });
    await at.after('Type "Shut down web-1" or "Cancel": ', 'shut down web-1');
    await until(() => world.ledger().some(({ kind }) => kind === 'confirmed'), 'the confirmation');
    expect(await world.carol.types('/handover')).toMatch(
      /\/power shutdown, run \S+, waits for an approval, .*: T ago by @bob · card at a terminal/,
    );
    expect(() => world.carol.clicks('Cancel: web-1')).toThrow('carol sees no button');
    await world.alice.types('/handover');
    expect(await world.alice.clicks('Cancel: web-1')).toContain(
      'Cancelled on web-1 (101): @bob sees it at the terminal.',
    );
    expect(await at.code, at.seen()).toBe(2);
    expect(at.seen()).toContain('Cancelled by @1001');
    expect(world.panel.effects).toHaveLength(0);
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'outcome', outcome: 'cancelled', actor: { name: 'alice' } });
    expect(await world.alice.clicks('Cancel: web-1')).toContain('NOT-SENT');
  });

  it('asked at a terminal, is cancelled at another', async () => {
    const { world, opens, as } = await openShell({ policy, still: true });
    as(1002);
    const at = opens({ what: 'do', line: 'power shutdown server:web-1' });
    await at.after('Type "Shut down web-1" or "Cancel": ', 'shut down web-1');
    await until(() => world.ledger().some(({ kind }) => kind === 'confirmed'), 'the confirmation');
    as(1001);
    const cancels = opens({ what: 'cancel', run: world.ledger().at(-1)?.run ?? '' });
    await cancels.after('Type "Cancel": ', 'cancel');
    expect([await cancels.code, await at.code]).toEqual([0, 2]);
    expect(at.seen()).toContain('CANCELLED /power shutdown');
  });
});
