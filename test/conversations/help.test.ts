import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';
import { type Hand, startWorld, type World } from '../helpers/world.ts';

describe('help and can', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  /** All pages of help, as the names of the commands that it lists. */
  async function listed(hand: Hand): Promise<string[]> {
    let card = await hand.types('/help');
    const names: string[] = [];
    for (;;) {
      names.push(...[...card.matchAll(/\*\*\/(.+?)\*\*/g)].map(([, name = '']) => name));
      if (!card.includes('[Next]')) return names;
      card = await hand.clicks('Next');
    }
  }

  const idOf = (name: string): string => name.replace(' ', '.');
  const typed = commands.filter(({ menu }: Command) => menu === undefined);

  it('shows alice everything, page by page, with an example each', async () => {
    const card = await world.alice.types('/help');
    expect(card).toContain('**/firewall show** Show whether the firewall is on, and its rules.\n');
    expect(card).toContain('**/firewall disable** Switch the firewall of an interface off. Asks first.\n');
    expect(card).toContain('`/firewall disable server:web-1 reason:"locked out by rule 7"`');
    expect(card).toContain(`Showing 1–9 of ${commands.length} commands that you may run.`);
    expect((await listed(world.alice)).map(idOf)).toEqual(typed.map(({ id }) => id));
  });

  it('shows carol what only reads', async () => {
    const reads = typed.filter(({ danger }) => danger === 'read');
    expect((await listed(world.carol)).map(idOf)).toEqual(reads.map(({ id }) => id));
  });

  it('shows bob what reads, writes, and power', async () => {
    const his = typed.filter(({ id, danger }) => danger === 'read' || danger === 'write' || id.startsWith('power.'));
    expect((await listed(world.bob)).map(idOf)).toEqual(his.map(({ id }) => id));
    expect(world.bob.sees()).toContain('**Add to incident timeline** Keep a message');
  });

  it('shows mallory only itself', async () => {
    expect(await world.mallory.types('/help')).toMatchInlineSnapshot(`
      "mallory used /help
      panelops: SUCCEEDED /help (edited)
        │ **/help** What you may run, with an example each.
        │ \`/help\`
        │ **/can** Whether you may run a command, on a server, and by which rule.
        │ \`/can command:power.poweroff server:web-1\`
        (only mallory sees this)"
    `);
  });

  it('says yes, and by which rule', async () => {
    expect(await world.bob.types('/can command:power.poweroff server:web-1')).toMatchInlineSnapshot(`
      "bob used /can
      panelops: SUCCEEDED /can (edited)
        │ Yes: you may run **/power poweroff** on web-1 (101).
        │ Role \`on-call\`, by the rule \`power.*\`.
        │ It asks first.
        (only bob sees this)"
    `);
    expect(await world.alice.types('/can command:"backup restore" server:db-1')).toMatchInlineSnapshot(`
      "alice used /can
      panelops: SUCCEEDED /can (edited)
        │ Yes: you may run **/backup restore** on db-1 (111).
        │ Role \`lead\`, by the rule \`*\`.
        │ It asks first, and you type the server's name to confirm.
        │ It wants a reason.
        (only alice sees this)"
    `);
    expect(await world.mallory.types('/can command:help')).toMatchInlineSnapshot(`
      "mallory used /can
      panelops: SUCCEEDED /can (edited)
        │ Yes: you may run **/help**.
        │ Everyone may.
        (only mallory sees this)"
    `);
  });

  it('without a server it does not promise more than it knows', async () => {
    expect(await world.bob.types('/can command:power.boot')).toMatchInlineSnapshot(`
      "bob used /can
      panelops: SUCCEEDED /can (edited)
        │ Yes: you may run **/power boot**.
        │ Role \`on-call\`, by the rule \`write\`.
        │ Not on every server, perhaps: name one to be sure.
        (only bob sees this)"
    `);
  });

  it('says no, and who may', async () => {
    expect(await world.bob.types('/can command:power.boot server:lab-1')).toMatchInlineSnapshot(`
      "bob used /can
      panelops: SUCCEEDED /can (edited)
        │ No: you may not run **/power boot** on that server.
        │ None of your roles may do anything there, or the policy names no such server. Pick one that is suggested: those are yours.
        (only bob sees this)"
    `);
    expect(await world.carol.types('/can command:/firewall.flush')).toMatchInlineSnapshot(`
      "carol used /can
      panelops: SUCCEEDED /can (edited)
        │ No: you may not run **/firewall flush**.
        │ It needs the permission \`firewall.flush\`, which none of your roles has.
        │ Roles that may: \`lead\`.
        (only carol sees this)"
    `);
    expect(await world.alice.types('/can command:power.boot server:4711')).toMatchInlineSnapshot(`
      "alice used /can
      panelops: SUCCEEDED /can (edited)
        │ No: you may not run **/power boot** on server 4711.
        │ This server is not in the policy, and the policy leaves such servers alone.
        │ No role may.
        (only alice sees this)"
    `);
  });

  it('knows no command of that name', async () => {
    expect(await world.alice.types('/can command:reboot')).toMatchInlineSnapshot(`
      "alice used /can
      panelops: INVALID /can (edited)
        │ There is no command \`reboot\`.
        │ /help lists yours.
        (only alice sees this)"
    `);
    expect(await world.alice.chooses('/can command:rest', 'command')).toEqual([
      { name: 'power restart', value: 'power.restart' },
      { name: 'backup restore', value: 'backup.restore' },
    ]);
  });

  it('asks the panel nothing and leaves nothing in the ledger', () => {
    expect(world.panel.requests).toEqual([]);
    expect(world.ledger()).toEqual([]);
  });
});
