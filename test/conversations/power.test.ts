import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

describe('power: queued is not done', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  it('bob boots two servers, which is not asked about', async () => {
    expect(await world.bob.types('/power boot server:web-1,web-2')).toShow(
      'ACCEPTED /power boot · 2 servers',
      'Boot 2 servers: 2 accepted.',
      "**ACCEPTED** web-1 (101): The boot of web-1 is in the panel's queue (item 5001), not done yet.",
      "**ACCEPTED** web-2 (102): The boot of web-2 is in the panel's queue (item 5002), not done yet.",
    );
  });

  it('alice shuts one down', async () => {
    expect(await world.alice.types('/power shutdown server:web-1')).toShow(
      'QUESTION /power shutdown · web-1 (101, production)',
      'web-1 (101) will be asked to shut down.',
      'A guest may ignore that.',
      "It goes into the panel's queue. Not touched: disks, network and firewall settings.",
      '**The boot of web-1 (101) is under way**: queue item 5001, started T ago by @bob (run R.1).',
      '[Shut down web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'ACCEPTED /power shutdown · web-1 (101, production)',
      "The shutdown of web-1 is in the panel's queue (item 5003), not done yet.",
      '[Undo: boot web-1]',
    );
  });

  it('bob restarts it, as power.* allows him', async () => {
    expect(await world.bob.types('/power restart server:web-1 reason:"hangs since 02:50"')).toShow(
      'QUESTION /power restart · web-1 (101, production)',
      'web-1 (101) will be restarted.',
      'What runs there stops.',
      "It goes into the panel's queue. Not touched: network and firewall settings.",
      '**The shutdown of web-1 (101) is under way**: queue item 5003, started T ago by @alice (run R.1).',
      '[Restart web-1] [Cancel]',
    );
    expect(await world.bob.clicks('Confirm')).toShow(
      'ACCEPTED /power restart · web-1 (101, production)',
      "The restart of web-1 is in the panel's queue (item 5004), not done yet.",
      'Once it is done, this ends: /power shutdown by @alice T ago.',
    );
  });

  it('alice cuts the power of a lab server', async () => {
    expect(await world.alice.types('/power poweroff server:lab-1')).toShow(
      'QUESTION /power poweroff · lab-1 (201, lab)',
      'The power of lab-1 (201) will be cut.',
      'What is not on the disks yet is lost.',
      '[Power off lab-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'ACCEPTED /power poweroff · lab-1 (201, lab)',
      "The power-off of lab-1 is in the panel's queue (item 5005), not done yet.",
      '[Undo: boot lab-1]',
    );
    expect(world.panel.effects.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /servers/101/power/boot',
      'POST /servers/102/power/boot',
      'POST /servers/101/power/shutdown',
      'POST /servers/101/power/restart',
      'POST /servers/201/power/poweroff',
    ]);
  });

  it('bob may not touch the lab', async () => {
    expect(await world.bob.types('/power poweroff server:web-1,lab-1')).toShow(
      'DENIED /power poweroff',
      'Not allowed: your roles have `power.poweroff`, but not for `lab-1`, or the policy names no such server.',
      'Roles that may, each on its own servers: `on-call` and `lead`.',
      'You may: `/power poweroff server:web-1`.',
      '(only bob sees this)',
    );
  });

  it("tasks that are pending, and maintenance, are the panel's no", async () => {
    world.panel.state.server(121).pendingTasks = true;
    expect(await world.alice.types('/power boot server:mail-1')).toShow(
      'REJECTED /power boot · mail-1 (121, production)',
      'Other tasks are pending for this server (423).',
      'The panel says: `Other tasks are pending for this server.`',
      '[Ask again]',
    );
    world.panel.state.server(131).maintenance = true;
    expect(await world.alice.types('/power boot server:cache-1')).toShow(
      'REJECTED /power boot · cache-1 (131, staging)',
      "The server's hypervisor is in maintenance (503).",
      'The panel says: `The hypervisor of this server is in maintenance.`',
      '[Ask again]',
    );
  });

  it('a second change of a server waits for the first: it is told whose that is', async () => {
    world.panel.order({ kind: 'hang-before', match: { path: '/servers/112/power/boot' } });
    const first = world.alice.types('/power boot server:db-2');
    await world.panel.until(() => world.panel.requests.some(({ path }) => path === '/servers/112/power/boot'));
    expect(await world.bob.types('/power boot server:112')).toShow(
      'BLOCKED /power boot · db-2 (112, production)',
      'Nothing was sent, because another change of this server is under way.',
      '`alice` began `/power boot` T ago, run R.1.',
      '[Ask again]',
    );
    await world.panel.clear();
    await first;
    await world.discord.until(() => world.alice.sees().includes('ACCEPTED /power boot · db-2 (112, production)'));
    expect(world.panel.effects.filter(({ serverId }) => serverId === 112)).toHaveLength(1);
  });

  it('after the first unknown the rest is left alone, and can be asked again', async () => {
    world.panel.order({ kind: 'reset-after', match: { path: '/servers/102/' } });
    expect(await world.alice.types('/power boot server:web-1,web-2,web-3')).toShow(
      'UNKNOWN /power boot · 3 servers',
      'Boot 3 servers: 1 accepted, 1 unknown and 1 not-sent.',
      "**ACCEPTED** web-1 (101): The boot of web-1 is in the panel's queue (item 5007), not done yet.",
      '**UNKNOWN** web-2 (102): The connection broke before the answer. It may have been done, or not.',
      '**NOT-SENT** web-3 (103): Nothing was sent, because an earlier server of this command ended unknown.',
      '**The restart of web-1 (101) is under way**: queue item 5004, started T ago by @bob (run R.1).',
      '**The boot of web-2 (102) is under way**: queue item 5002, started T ago by @bob (run R.2).',
      'To check: look in the panel, at the tasks of web-2 (102), and whether it runs.',
      'Then press the button that says what you found. The bot will not send it again.',
      'Once you know how that one ended, ask again for the rest.',
      '[It happened: web-2] [It is under way: web-2] [It did not: web-2] [Ask again]',
    );
    expect(await world.alice.clicks('Ask again')).toShow(
      'ACCEPTED /power boot · web-3 (103, staging)',
      "The boot of web-3 is in the panel's queue (item 5009), not done yet.",
    );
  });
});
