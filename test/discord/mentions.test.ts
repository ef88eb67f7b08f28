import { expect, it } from 'vitest';
import { commandMentions } from '../../src/discord/guild.ts';

const flush = { id: 'firewall.flush' };

it('a command is a link once its id is known, and what is in a menu never is', () => {
  const { learn, mention } = commandMentions();
  expect(mention(flush)).toBeUndefined();
  learn([
    { id: '1500000000000000007', name: 'firewall', type: 1 },
    { id: '1500000000000000008', name: 'help' },
    { id: '1500000000000000009', name: 'Add to incident timeline', type: 3 },
  ]);
  expect(mention(flush)).toBe('</firewall flush:1500000000000000007>');
  expect(mention({ id: 'help' })).toBe('</help:1500000000000000008>');
  expect(mention({ id: 'incident.note', menu: 'Add to incident timeline' })).toBeUndefined();
  expect(mention({ id: 'power.boot' })).toBeUndefined();
});

it('an answer that cannot be read changes nothing', () => {
  const { learn, mention } = commandMentions();
  learn([{ id: '1500000000000000007', name: 'firewall' }]);
  learn({ message: 'odd' });
  expect(mention(flush)).toBe('</firewall flush:1500000000000000007>');
});
