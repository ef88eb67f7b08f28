import { expect, it } from 'vitest';

const asked = `alice used /firewall flush
panelops: QUESTION /firewall flush · web-1 (101, production) (edited)
  │ All rules will be removed.
  │ 4 rules are set now.
  │ By @alice · run R
  📎 rules.txt (506 bytes)
  [Flush web-1] [Cancel]
  (only alice sees this)`;
const first = 'QUESTION /firewall flush · web-1 (101, production)';
const last = ['📎 rules.txt (506 bytes)', '[Flush web-1] [Cancel]', '(only alice sees this)'];

it('a message shows its first line, some of its others, and all that it has to press and open', () => {
  expect(asked).toShow(first, ...last);
  expect(asked).toShow(first, 'will be removed', '4 rules', ...last);
});

it.each([
  ['another first line', 'QUESTION /firewall flush', ...last],
  ['a line that it does not have', first, '5 rules', ...last],
  ['lines in another order', first, '4 rules', 'will be removed', ...last],
  ['fewer buttons', first, last[0] ?? '', '[Flush web-1]', '(only alice sees this)'],
  ['no file', first, ...last.slice(1)],
  ['no reader of its own', first, ...last.slice(0, 2)],
  ['another reader', first, ...last.slice(0, 2), '(only bob sees this)'],
])('but not %s', (_what, state, ...more) => {
  expect(asked).not.toShow(state, ...more);
  expect(() => expect(asked).toShow(state, ...more)).toThrow('The message:\nalice used');
});
