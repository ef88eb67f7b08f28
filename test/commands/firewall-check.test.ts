import { expect, it } from 'vitest';
import { flushedCheck, replacedCheck, switchedCheck } from '../../commands/firewall-look.ts';

const judges = {
  enable: switchedCheck(true),
  disable: switchedCheck(false),
  flush: flushedCheck,
  replace: replacedCheck,
};
const on = (rules: number) => ({ enabled: true, rules });
const off = { enabled: false, rules: 4 };

/** What is there now, and before; and whether the very same rules are set, where that is known. */
it.each([
  ['enable', [off, off], 'It looks as if it did not happen: the firewall is disabled.'],
  ['enable', [on(4), off], 'It looks as if it happened: the firewall is enabled.'],
  ['enable', [on(4), {}], 'The firewall is enabled, as asked for.'],
  ['enable', [on(4), on(4)], 'This does not show whether it was done: the firewall is enabled, and was before.'],
  ['disable', [on(4), off], 'It looks as if it did not happen: the firewall is enabled.'],
  ['disable', [off, on(4)], 'It looks as if it happened: the firewall is disabled.'],
  ['flush', [on(0), on(4)], 'It looks as if it happened: no rule is left.'],
  ['flush', [on(0), {}], 'It looks as if it happened: no rule is left.'],
  ['flush', [on(0), on(0)], 'This does not show whether it was done: no rule is set, and none was before.'],
  ['flush', [on(4), on(4), true], 'It looks as if it did not happen: 4 rules are set, the same as before.'],
  [
    'flush',
    [on(4), on(4), false],
    'This does not show whether it was done: 4 rules are set, as many as before, but not the same.',
  ],
  ['flush', [on(4), on(4)], 'It looks as if it did not happen: 4 rules are set.'],
  ['flush', [on(1), {}], 'It looks as if it did not happen: 1 rule is set.'],
  [
    'flush',
    [on(2), on(4), false],
    'This does not show whether it was done: 2 rules are set, neither none nor as many as before.',
  ],
  [
    'replace',
    [on(4), on(4), true],
    'It looks as if it did not happen: 4 rules are set, the same as before. If these rulesets give the same rules, it may have.',
  ],
  ['replace', [on(4), on(4), false], 'It looks as if it happened: 4 rules are set, not the same as before.'],
  ['replace', [on(4), on(4)], 'This does not show whether it was done: 4 rules are set, as many as before.'],
  ['replace', [on(4), {}], 'This does not show whether it was done: 4 rules are set.'],
  ['replace', [on(5), on(4)], 'It looks as if it happened: 5 rules are set, and 4 before.'],
] as const)(
  'Check now of a firewall says of what was to %s it, now and before %j: %s',
  (command, [now, before, isSame], expected) => {
    const { happened, says } = judges[command](now, before, isSame);
    expect(says).toBe(expected);
    const verdict = says.startsWith('This does not show') ? undefined : !says.includes('did not happen');
    expect(happened).toBe(verdict);
  },
);
