import { expect, it } from 'vitest';
import { until } from '../../helpers/messages.ts';
import { openShell, shellFor, terminalAt } from '../../helpers/terminal.ts';
import { openWorld } from '../../helpers/world.ts';

const show = { what: 'do', line: 'server show server:web-1' } as const;

it('Somebody of the policy reads at the terminal what they may, and nobody in Discord sees it', async () => {
  const { world, opens, as } = await openShell();
  as(1003);
  const read = opens(show, { pipe: true });
  expect(await read.code, read.seen()).toBe(0);
  expect(read.seen().split('\n').slice(0, 4)).toEqual([
    'Server web-1 (101, production)',
    'Nothing is open here.',
    'Nothing is followed.',
    'Firewall, primary: enabled, 4 rules.',
  ]);
  expect(world.discord.messages('carol', 'ops')).toEqual([]);

  const status = opens({ what: 'status' }, { pipe: true, json: true });
  expect(await status.code).toBe(0);
  expect(JSON.parse(status.seen())).toMatchObject({
    kind: 'card',
    code: 0,
    text: expect.stringContaining('Nothing is open.'),
  });
});

it('Who is not of the policy, is root, or may not, is refused; whatever was denied is recorded', async () => {
  const { world, opens, as } = await openShell();
  const denied = async (uid: number, line: string): Promise<[number, string]> => {
    as(uid);
    const at = opens({ what: 'do', line });
    return [await at.code, at.seen().replace(/\s+/g, ' ')];
  };
  expect(await denied(0, show.line)).toEqual([77, expect.stringContaining('You are root')]);
  expect(await denied(65_534, show.line)).toEqual([77, expect.stringContaining('does not see which account you have')]);
  expect(await denied(1004, show.line)).toEqual([
    2,
    expect.stringContaining('The account `uid 1004` has no access to this shell'),
  ]);
  const typo = 'pwoer boot server:web-1';
  for (const line of ['help', typo])
    expect(await denied(1004, line)).toEqual([2, expect.stringContaining('has no access to this shell')]);
  as(1004);
  for (const ask of [{ what: 'status' }, { what: 'approve', run: 'b1x' }] as const)
    expect(await opens(ask).code).toBe(2);
  expect(await denied(1003, 'firewall flush server:web-1 interface:primary')).toEqual([
    2,
    expect.stringContaining('DENIED /firewall flush'),
  ]);
  const entries = () =>
    world
      .ledger()
      .flatMap(({ kind, actor, place, options }) =>
        kind === 'denied' ? [[actor.id, place.channel, options['typed']]] : [],
      );
  await until(() => entries().length === 6, 'the last denial');
  expect(entries()).toEqual([
    ...[show.line, 'help', typo, 'status', 'approve b1x'].map((line) => ['account 1004', 'shell', line]),
    ['1400000000000000003', 'shell', undefined],
  ]);
});

it('Discord says which roles somebody has now, and the policy can only take some of them away', async () => {
  const { world, opens, as } = await openShell();
  world.discord.setRoles('alice', ['viewer']);
  const flush = opens({ what: 'do', line: 'firewall flush server:web-1 interface:primary' });
  expect(await flush.code, flush.seen()).toBe(2);
  as(1002);
  world.discord.setRoles('bob', ['lead', 'on-call']);
  const freeze = opens({ what: 'do', line: 'freeze reason:x' });
  expect(await freeze.code, freeze.seen()).toBe(2);
  expect(freeze.seen()).toContain('DENIED /freeze');
});

const mistyped = [
  ['server shw server:web-1', 'there is no such command. The nearest is server show.'],
  ['server show host:web-1', 'this command has no such option. It has: server'],
  ['server show server:"web-1', 'its quotation mark is not closed.'],
  ['cpu throttle server:web-1 percent:101', 'a whole number from 0 to 100.'],
  ['power boot server:web-1', 'A change needs a terminal at which you can confirm it.'],
] as const;

it('A dry run says what would be asked and sent, and does neither', async () => {
  const { world, opens } = await openShell();
  const tries = async (line: string): Promise<string> => {
    const at = opens({ what: 'do', line, reason: 'drill', dryRun: true }, { pipe: true });
    expect(await at.code).toBe(0);
    return at.seen().replace(/\s+/g, ' ');
  };
  const seen = await tries('backup restore server:web-2 disks:0');
  for (const words of [
    'Dry run: /backup restore',
    'It asks first, and the name is typed. It requires a reason.',
    'POST /servers/102/backupManager/restore {"disks":["0"]}',
  ])
    expect(seen).toContain(words);
  expect(await tries('power poweroff server:build-1')).toContain('It needs 1 approval of others.');
  expect(world.ledger()).toEqual([]);
  expect(world.panel.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('A line that breaks a rule, and a change through a pipe, are refused with the rule', async () => {
  const { opens } = await openShell();
  for (const [line, rule] of mistyped) {
    const at = opens({ what: 'do', line }, { pipe: true });
    expect(await at.code).toBe(2);
    expect(at.seen().replace(/\s+/g, ' ')).toContain(rule);
  }
});

it('Without a shell in the policy nobody listens, and the client says what to do', async () => {
  const { shell } = shellFor();
  await openWorld({ shell });
  const at = terminalAt(shell.socket, show);
  expect(await at.code).toBe(69);
  expect(at.seen()).toContain(`No bot answers at ${shell.socket}: ENOENT.`);
});
