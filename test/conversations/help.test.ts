import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';
import type { Person } from '../helpers/person.ts';
import { worldForAll } from '../helpers/world.ts';

/** What the example policy gives to on-call. A freeze, its end and the list of servers are a lead's. */
const isBobs = ({ id, danger }: Command): boolean =>
  id === 'audit.history' ||
  danger === 'read' ||
  (danger === 'write' && !['freeze', 'thaw', 'panel.refresh'].includes(id)) ||
  id.startsWith('power.');

describe('help and can', () => {
  const world = worldForAll();

  /** As Discord gets it: links and all. */
  async function helpOf(person: Person): Promise<string> {
    await person.types('/help');
    const messages = ['alice', 'bob', 'carol', 'mallory'].flatMap((who) => world.discord.messages(who, 'ops'));
    messages.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    return messages.at(-1)?.embeds[0]?.description ?? '';
  }

  /** The commands that help links, without their ids, and those that are not this person's. */
  async function listed(person: Person): Promise<{ mine: string[]; others: string[] }> {
    const card = await helpOf(person);
    const [yours = '', after = ''] = card.split('**Not yours**');
    const [rest = ''] = after.split('\n');
    return {
      mine: [...yours.matchAll(/<\/(.+?):\d+>/g)].map(([, name = '']) => idOf(name)),
      others: [...rest.matchAll(/\/([a-z0-9-]+) ([a-z-]+(?:, [a-z-]+)*)|\/([a-z0-9-]+)(?=;|$)/gm)].flatMap(
        ([, word = '', names = '', alone]) => alone ?? names.split(', ').map((name) => `${word}.${name}`),
      ),
    };
  }

  const idOf = (name: string): string => name.replace(' ', '.');
  // Without a calendar, that of the shift is not there.
  const typed = commands.filter(({ needs, menu }: Command) => menu === undefined && needs !== 'onCall');
  const ids = (of: readonly Command[]): string[] => of.map(({ id }) => id).sort();

  it('shows alice everything on one screen, in groups, each as a link that types it', async () => {
    const card = await helpOf(world.alice);
    expect(card).toMatch(/\*\*Firewall\*\* <\/firewall disable:\d+>, <\/firewall enable:\d+>, <\/firewall show:\d+>/);
    expect(card).toMatch(/\*\*Help\*\* <\/help:\d+>, <\/can:\d+>/);
    expect(card).toMatch(/\*\*Network\*\* <\/ipv4 assign:\d+>/);
    expect(card).toContain("Add to incident timeline (a message's menu, Apps)");
    expect(card).not.toContain('Not yours');
    expect(world.alice.sees()).not.toContain('[Next]');
    const { mine } = await listed(world.alice);
    expect(mine.sort()).toEqual(ids(typed));
    expect(card.split('\n').length).toBeLessThan(14);
    expect(card).not.toContain('**More**');
  });

  it('lists commands that they may not run apart, without links', async () => {
    for (const [person, may] of [
      [world.carol, ({ danger }: Command) => danger === 'read'],
      [world.bob, isBobs],
      [world.mallory, ({ id }: Command) => id === 'help' || id === 'can'],
    ] as const) {
      const { mine, others } = await listed(person);
      expect(mine.sort()).toEqual(ids(typed.filter(may)));
      expect(others.sort()).toEqual(ids(typed.filter((command) => !may(command))));
    }
  });

  it('tells all about one command', async () => {
    expect(await world.carol.types('/help command:"/backup restore"')).toShow(
      'About `backup.restore`',
      'Example: `/backup restore server:web-1 disks:0,1 until:"yesterday 22:00" reason:"lost update"`',
      '- `server` (required): The server: name, id or address; several where the policy allows it',
      '- `until`: Back to when: yesterday 22:00, 22:00 or 6h; by disk: 0=22:00,1=6h (UTC)',
      "It asks first, and you type the server's name to confirm.",
      'It requires a reason.',
      'Not allowed: none of your roles has the permission `backup.restore`.',
      'Roles that may: `lead`.',
      '(only carol sees this)',
    );
    expect(await world.carol.types('/help command:reboot')).toContain(
      '`command:reboot`: there is no such command.\n  │ Did you mean `power.boot`?',
    );
    expect(await world.carol.types('/help command:"firewal flush"')).toContain('Did you mean `firewall.flush`?');
    expect(await world.carol.types('/help command:shift')).toContain('Did you mean `handover`?');
    const offered = await world.alice.chooses('/help command:restores', 'command');
    expect(offered.map(({ value }) => value).slice(0, 2)).toEqual(['backup.restore', 'follow-ups.list']);
  });

  it('is answered privately in any channel, but cannot be shared there', async () => {
    const card = await world.alice.types('/help', 'random');
    expect(card).toContain('**Firewall** ');
    expect(card).toContain('(only alice sees this)');
    expect(card).not.toContain('[Share]');
    expect(await world.alice.types('/help command:power.boot', 'random')).toContain('You may run it.');
    expect(await world.alice.types('/can command:power.boot', 'random')).toContain('Commands are not answered here');
    expect(await world.alice.chooses('/help command:boot', 'command', 'random')).toHaveLength(1);
  });

  it('says yes, and by which rule', async () => {
    expect(await world.bob.types('/can command:power.poweroff server:web-1')).toShow(
      'May you run `/power poweroff` on `web-1`?',
      'Yes: you may run /power poweroff on web-1 (101).',
      'Role `on-call`, by the rule `power.*`.',
      'It asks first.',
      '[What would be sent?]',
      '(only bob sees this)',
    );
    expect(await world.mallory.types('/can command:help')).toContain('Everyone may.');
  });

  it('says what would be sent, by the rights of who presses, and sends nothing', async () => {
    const before = [world.entries().length, world.panel.requests.length];
    await world.bob.types('/can command:power.poweroff server:web-1');
    const poweroff = await world.bob.clicks('What would be sent?');
    for (const words of [
      'Dry run: /power poweroff',
      'It asks first.',
      'POST /servers/101/power/poweroff',
      '(only bob sees',
    ])
      expect(poweroff).toContain(words);
    await world.alice.types('/can command:"backup restore" server:db-1');
    expect(await world.alice.clicks('What would be sent?')).toBe('modal: /backup restore');
    expect(await world.alice.fills('disk:0')).toContain('this command has no such option. It has: server, disks');
    await world.alice.clicks('What would be sent?');
    const restore = await world.alice.fills('disks:0');
    for (const words of ['and the name is typed', 'POST /servers/111/backupManager/restore {"disks":["0"]}'])
      expect(restore).toContain(words);
    expect(world.entries().length).toBe(before[0]);
    expect(world.panel.requests.slice(before[1]).map(({ path }) => path)).toEqual(['/backups/server/111']);
  });
});
