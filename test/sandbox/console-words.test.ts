import { expect, it } from 'vitest';
import { unmarked } from '../../src/sandbox/console/words.ts';

it.each([
  ['✓ **SUCCEEDED /firewall flush · web-1** (edited)', '✓ SUCCEEDED /firewall flush · web-1 (edited)'],
  ['**Incident `a**b`**, opened', 'Incident `a**b`, opened'],
  ['  │ -# By @alice · run 9kq', '  │ By @alice · run 9kq'],
  ['see [card](https://discord.com/channels/1/2/3).', 'see card.'],
  ['**see [card](https://discord.com/channels/1/2/3)**', 'see card'],
])('a terminal draws no marks: %s', (text, plain) => {
  expect(unmarked(text)).toBe(plain);
});

it.each(['`**bold** -# small`', '  │ ```\n  │ **typed**\n  │ ```', '2 ** 3', '[a](https://example.com)', 'a -# b'])(
  'what is code, or no mark, stays: %s',
  (text) => {
    expect(unmarked(text)).toBe(text);
  },
);
