import { expect, it } from 'vitest';
import { inviteLink } from '../../src/setup/ask-discord.ts';
import { documentOf } from '../helpers/docs/documents.ts';

it.each([
  [false, '309237894144'],
  [true, '2252109051579392'],
])('a bot that pins (%s) is invited with what docs/install.md says: %s', (pins, permissions) => {
  const link = inviteLink('1000000000000000001', pins);
  expect(link).toBe(
    `https://discord.com/oauth2/authorize?client_id=1000000000000000001&scope=bot+applications.commands&permissions=${permissions}`,
  );
  const { text } = documentOf('docs/install.md');
  const shown = text.replaceAll('APPLICATION_ID', '1000000000000000001');
  expect(pins ? text.includes(`\`${permissions}\``) : shown.includes(`\`${link}\``)).toBe(true);
});
