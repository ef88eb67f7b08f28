import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('IPv4 addresses', () => {
  const world = worldForAll();

  it('bob has two assigned: asked because the policy says so, with the largest free pool', async () => {
    expect(await world.bob.types('/ipv4 assign server:web-1 quantity:2')).toShow(
      'QUESTION /ipv4 assign · web-1 (101, production)',
      '2 IPv4 addresses, picked by the panel, will be assigned to web-1 (101), primary interface.',
      'The largest free IPv4 pool of group 1 has 40 addresses.',
      '[Assign 2 addresses to web-1] [Cancel]',
    );
    expect(await world.bob.clicks('Confirm')).toShow(
      'SUCCEEDED /ipv4 assign · web-1 (101, production)',
      'Assigned to web-1 (101): `203.0.113.10` and `203.0.113.11`.',
      '[Undo: remove 2 addresses from web-1]',
    );
    expect(world.panel.effects).toMatchObject([
      { path: '/servers/101/ipv4Qty', body: { interface: 'primary', quantity: 2 } },
    ]);
  });

  it('more than are free is said before it is asked, and the panel refuses it', async () => {
    expect(await world.alice.types('/ipv4 assign server:lab-1 quantity:4')).toShow(
      'QUESTION /ipv4 assign · lab-1 (201, lab)',
      'The largest free IPv4 pool of group 3 has 3 addresses. Those are too few: the panel will probably refuse.',
      '[Assign 4 addresses to lab-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'REJECTED /ipv4 assign · lab-1 (201, lab)',
      'The panel refused what was sent (422).',
      'The panel says: `quantity: Only 3 IPv4 addresses are free in this group.`',
      '[Ask again]',
    );
  });

  it('how many are free is only told: when it cannot be read, the question is asked all the same', async () => {
    world.panel.order({ kind: 'status-before', status: 403, body: { errors: [] }, match: { path: '/resources' } });
    expect(await world.alice.types('/ipv4 assign server:web-2 quantity:1')).toShow(
      'QUESTION /ipv4 assign · web-2 (102, production)',
      '1 IPv4 address, picked by the panel, will be assigned to web-2 (102), primary interface.',
      "How many addresses are free could not be read. The panel knows the bot's token, but it lacks the permission for this (403).",
      '[Assign 1 address to web-2] [Cancel]',
    );
    await world.alice.clicks('Cancel');
  });

  it('bob adds two that he names', async () => {
    expect(await world.bob.types('/ipv4 add server:web-1 addresses:203.0.113.20,203.0.113.21')).toShow(
      'SUCCEEDED /ipv4 add · web-1 (101, production)',
      'web-1 (101) has `203.0.113.20` and `203.0.113.21` now.',
      '[Undo: remove 2 addresses from web-1]',
    );
    expect(world.panel.effects.at(-1)).toMatchObject({
      method: 'POST',
      path: '/servers/101/ipv4',
      body: { ip: ['203.0.113.20', '203.0.113.21'] },
    });
  });

  it('alice removes one of them', async () => {
    expect(await world.alice.types('/ipv4 remove server:web-1 addresses:203.0.113.20')).toShow(
      'QUESTION /ipv4 remove · web-1 (101, production)',
      'web-1 (101) loses `203.0.113.20`.',
      'It will no longer be reachable there, and a freed address may go to another server.',
      '[Remove 1 address from web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /ipv4 remove · web-1 (101, production)',
      'Removed from web-1 (101): `203.0.113.20`.',
      '[Undo: add 1 address to web-1]',
    );
    expect(world.panel.effects.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/servers/101/ipv4',
      body: { ip: ['203.0.113.20'] },
    });
  });
});
