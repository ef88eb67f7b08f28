import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../helpers/world.ts';

/** What alice types, how the card begins in the end, and for a change its effect: the number of the endpoint and the server. */
const night: [line: string, headline: string, effect?: [number: number, server: number]][] = [
  ['/panel check', 'Panel check'],
  ['/hypervisors groups', 'Hypervisor groups'],
  ['/hypervisors group group:2', 'Hypervisor group 2'],
  ['/hypervisors resources group:2', 'Capacity of group 2'],
  ['/firewall disable server:db-2', 'SUCCEEDED /firewall disable · db-2 (112, production)', [5, 112]],
  ['/firewall enable server:db-2', 'SUCCEEDED /firewall enable · db-2 (112, production)', [6, 112]],
  ['/firewall show server:db-2', 'Firewall of db-2 · primary'],
  ['/firewall sync server:db-2', 'SUCCEEDED /firewall sync · db-2 (112, production)', [7, 112]],
  ['/firewall replace server:db-2 rulesets:3', 'SUCCEEDED /firewall replace · db-2 (112, production)', [8, 112]],
  ['/firewall flush server:lab-2', 'SUCCEEDED /firewall flush · lab-2 (202, lab)', [8, 202]],
  ['/whitelist add server:db-2 network:192.0.2.0/28', 'SUCCEEDED /whitelist add · db-2 (112, production)', [9, 112]],
  [
    '/whitelist remove server:db-2 address:192.0.2.0',
    'SUCCEEDED /whitelist remove · db-2 (112, production)',
    [10, 112],
  ],
  ['/ipv4 assign server:db-2 quantity:1', 'SUCCEEDED /ipv4 assign · db-2 (112, production)', [11, 112]],
  ['/ipv4 add server:db-2 addresses:203.0.113.30', 'SUCCEEDED /ipv4 add · db-2 (112, production)', [12, 112]],
  ['/ipv4 remove server:db-2 addresses:203.0.113.30', 'SUCCEEDED /ipv4 remove · db-2 (112, production)', [13, 112]],
  ['/power boot server:lab-1', 'ACCEPTED /power boot · lab-1 (201, lab)', [14, 201]],
  ['/power shutdown server:lab-1', 'ACCEPTED /power shutdown · lab-1 (201, lab)', [15, 201]],
  ['/power restart server:lab-1', 'ACCEPTED /power restart · lab-1 (201, lab)', [16, 201]],
  ['/power poweroff server:lab-1', 'ACCEPTED /power poweroff · lab-1 (201, lab)', [17, 201]],
  ['/traffic add server:lab-1 month:1 amount:100', 'SUCCEEDED /traffic add · lab-1 (201, lab)', [18, 201]],
  ['/traffic show server:lab-1', 'Traffic of lab-1'],
  ['/backup restore server:lab-1 disks:0 reason:drill', 'ACCEPTED /backup restore · lab-1 (201, lab)', [20, 201]],
  ['/cpu throttle server:lab-1 percent:80', 'SUCCEEDED /cpu throttle · lab-1 (201, lab)', [21, 201]],
  ['/vlan set server:web-1 vlan:8 trunk:1', 'SUCCEEDED /vlan set · web-1 (101, production)', [22, 101]],
];

describe('alice does the operations of the panel in one night', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  /** Goes on until the card is terminal: confirms, and types the server's name where that is asked. */
  async function does(line: string): Promise<string> {
    const card = await world.alice.types(line);
    if (!card.includes('panelops: QUESTION')) return card;
    const next = await world.alice.clicks('Confirm');
    return next.startsWith('modal: ') ? world.alice.fills('lab-1') : next;
  }

  it.each(night)('%s', async (line, headline, effect) => {
    const before = world.panel.effects.length;
    const card = await does(line);
    expect(card.split('\n')[1]).toBe(`panelops: ${headline} (edited)`);
    const seen = world.panel.effects.slice(before).map(({ number, serverId }) => [number, serverId]);
    expect(seen).toEqual(effect === undefined ? [] : [effect]);
  });

  it('every change was written down twice, before and after, and nothing else was sent', () => {
    const kinds = (kind: string): number => world.ledger().filter((entry) => entry.kind === kind).length;
    expect([kinds('intent'), kinds('outcome'), world.panel.effects.length]).toEqual([18, 18, 18]);
  });
});
