import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('IPv4 addresses', () => {
  const world = worldForAll();

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
});
