import { describe, expect, it } from 'vitest';
import { reasons } from '../../../src/reasons.ts';
import { does } from '../../helpers/every-command/deeds.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';
import { canaries } from '../../helpers/surroundings.ts';

/** Every reason, by hand: a word for it must not get lost. */
const known = `token-refused token-lacks-permission not-found no-backups vlan-not-found protected conflict validation
  tasks-pending rate-limited authentication-limited maintenance refused refused-before requests-limited connection-refused proxy-failed name-not-resolved connect-timeout
  certificate circuit-open read-limit look-limit kept-for-confirmed waited-too-long look-failed changed-since undone-meanwhile done-meanwhile not-allowed-now frozen held earlier-unknown bot-restarted discord-broke bot-fault timeout
  connection-lost server-error not-the-panel no-success answer-too-large not-json not-understood redirected bot-stopped bot-failed store-failed ledger-replaced denied cancelled expired given-up
  went-on server-busy ledger-unavailable card-unrecorded redis-unavailable ledger-damaged trail-behind trail-closed trail-contradicted`
  .split(/\s+/)
  .sort();

/** Nothing is left to do but to type the command again, or, for a look that failed, the card says why it did. */
const withoutNext = ['cancelled', 'expired', 'look-failed'];

describe('the words for a reason', () => {
  it('are there for each reason', () => {
    expect(Object.keys(reasons).sort()).toEqual(known);
  });

  it.each(Object.entries(reasons))('%s: a cause and a next step, in whole sentences', (reason, { why, next }) => {
    expect(why).toMatch(/^[A-Z].{10,}\.$/);
    if (withoutNext.includes(reason)) expect(next).toBe('');
    else expect(next).toMatch(/^(\/|[A-Z]).{5,}\.$/);
    expect(`${why} ${next}`).not.toMatch(/https?:|www\.|Bearer|canary|undefined|null|\[object|`|UND_|ECONN/);
    expect(`${why} ${next}`.length).toBeLessThan(280);
  });

  it('tell doubt from failure: what is unknown is looked at by hand, and nothing else is', () => {
    const manualCheck = Object.entries(reasons).filter(([, { next }]) => next.includes('press Say what happened'));
    expect(manualCheck.map(([reason]) => reason).sort()).toEqual([
      'answer-too-large',
      'bot-failed',
      'bot-stopped',
      'connection-lost',
      'ledger-replaced',
      'no-success',
      'not-json',
      'not-the-panel',
      'not-understood',
      'redirected',
      'server-error',
      'store-failed',
      'timeout',
    ]);
  });
});

describe('the panel itself refuses', () => {
  const world = sharedWorld();

  it.each(changings)('%s while tasks are pending, and in maintenance', async (_id, row) => {
    const server = world().panel.state.server(101);
    server.pendingTasks = true;
    expect(await does(world().alice, row)).toContain('Other tasks are pending for this server (423).');
    server.pendingTasks = false;
    server.maintenance = true;
    expect(await does(world().alice, row)).toContain("The server's hypervisor is in maintenance (503).");
  });

  it('and whatever it says stays text: no mention, no link, no address of the panel, no token', async () => {
    const said = `@everyone [look](https://elsewhere.example) \`x\` <@1400000000000000002>\u202e ${'long '.repeat(100)}`;
    const fault = { kind: 'status-before', status: 422, body: { errors: [said] }, match: { changes: true } } as const;
    world().panel.order(fault);
    await world().alice.types('/power boot server:web-1');
    const last = world().discord.messages('alice', 'ops').at(-1);
    expect(last?.mentions).toEqual({ users: [], roles: [], everyone: false });
    expect(last?.pinged).toEqual([]);
    expect(last?.embeds[0]?.description).toContain(
      'The panel says: `@everyone [look](https://elsewhere.example) ˋxˋ <@14',
    );
    expect(last?.embeds[0]?.description).not.toContain('\u202e');
    expect(JSON.stringify(last)).not.toContain(canaries.panel);
    expect(JSON.stringify(last)).not.toContain(world().panel.url);
  });
});
