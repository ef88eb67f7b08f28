import { describe, expect, it } from 'vitest';
import { withoutValue } from '../helpers/invalid.ts';
import { worldForAll } from '../helpers/world.ts';

const eleven = '101,102,103,111,112,121,131,141,151,161,201';

/** What is typed, the option that is wrong, and the rule. */
const refused: [line: string, says: string][] = [
  ['/firewall show server:wbe-1', '`server`: the policy names no server `wbe-1`. Did you mean `web-1`?'],
  ['/power boot server:web-1,wbe-2', '`server`: the policy names no server `wbe-2`. Did you mean `web-2`?'],
  [
    '/power boot server:elsewhere',
    '`server`: the policy names no server `elsewhere`. Type a name, an id or an address, or pick a suggestion.',
  ],
  ['/power boot server:","', '`server`: name at least one server.'],
  [`/power boot server:${eleven}`, '`server`: these are 11 servers; the policy allows at most 10 in one command.'],
  [
    '/firewall replace server:web-1 rulesets:","',
    '`rulesets`: list at least one ruleset. To remove all rules use /firewall flush.',
  ],
  [
    '/firewall replace server:web-1 rulesets:web',
    '`rulesets`: write ids, or names from the policy, with commas, such as 1,2.',
  ],
  ['/firewall replace server:web-1 rulesets:1,1', '`rulesets`: a ruleset is listed twice.'],
  [
    '/whitelist add server:web-1 network:192.0.2.0',
    '`network`: a network such as 192.0.2.0/24 or 2001:db8::/48; for one address 192.0.2.7/32.',
  ],
  ['/whitelist add server:web-1 network:192.0.2.0/33', '`network`: a network such as'],
  ['/whitelist add server:web-1 network:010.0.0.0/8', '`network`: a network such as'],
  ['/whitelist remove server:web-1 address:192.0.2', '`address`: write an IPv4 or IPv6 address.'],
  ['/ipv4 assign server:web-1 quantity:9', '`quantity`: the policy allows at most 8 in one command.'],
  [
    '/ipv4 add server:web-1 addresses:2001:db8::1',
    '`addresses`: each must be an IPv4 address, with commas between them, such as 192.0.2.7,192.0.2.8.',
  ],
  ['/ipv4 remove server:web-1 addresses:","', '`addresses`: list at least one IPv4 address.'],
  ['/ipv4 remove server:web-1 addresses:192.0.2.7,192.0.2.7', '`addresses`: an address is listed twice.'],
  [
    `/ipv4 remove server:web-1 addresses:${Array.from({ length: 51 }, (_, i) => `192.0.2.${i}`)}`,
    '`addresses`: at most 50 addresses in one command.',
  ],
  ['/vlan set server:web-1 vlan:7', '`native-mode`: give native-mode, trunk or both: there is nothing to set.'],
  [
    '/vlan set server:web-1 vlan:7 trunk:1 interface:tertiary',
    '`interface`: write primary, secondary or a tag of ten digits.',
  ],
];

/** What a person's app does not send in the first place. */
const notSent = [
  '/firewall show',
  '/firewall show server:web-1 interface:tertiary',
  '/firewall enable server:web-1 sync:perhaps',
  '/ipv4 assign server:web-1 quantity:0',
  '/ipv4 assign server:web-1 quantity:257',
  '/traffic add server:web-1 month:0 amount:1',
  '/traffic add server:web-1 month:1 amount:1000001',
  '/cpu throttle server:web-1 percent:101',
  '/cpu throttle server:web-1 percent:-1',
  '/vlan set server:web-1 vlan:7 trunk:3',
  '/hypervisors groups results:201',
  '/hypervisors groups page:0',
  '/hypervisors group group:0',
  `/power boot server:web-1 reason:${'x'.repeat(201)}`,
];

describe('what cannot be meant', () => {
  const world = worldForAll();

  it.each(refused)('%s: %s', async (line, says) => {
    const card = await world.alice.types(line);
    const name = line.split(' ').slice(0, 2).join(' ');
    expect(card.split('\n')[1]).toBe(`panelops: INVALID ${name}`);
    expect(withoutValue(card)).toContain(`│ ${says}`);
    expect(card).toContain(`│ \`\`\`\n  │ ${line.replace('","', ',')}\n  │ \`\`\`\n`);
    expect(card).toContain(line.startsWith('/firewall show') ? '│ Nothing was read.' : '│ Nothing was sent.');
    expect(card).toContain('(only alice sees this)');
    expect(world.panel.requests).toEqual([]);
    expect(world.ledger()).toEqual([]);
  });

  it.each(notSent)('%s is not even sent by the app', async (line) => {
    await expect(world.discord.type('alice', 'ops', line)).rejects.toThrow();
  });
});
