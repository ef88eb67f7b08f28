import { describe, expect, it } from 'vitest';
import { labelOf, plain } from '../../src/setup/draft.ts';

const id = '1200000000000000001';

describe('what the policy calls a role', () => {
  it.each([
    ['on-call', 'on-call'],
    ['Équipe «nuit» 🌙', 'Equipe nuit'],
    ['--- night ---', 'night ---'],
    ['夜勤', `role-${id}`],
    ['@everyone', `role-${id}`],
    ['a'.repeat(40), 'a'.repeat(32)],
  ])('%s: %s', (name, label) => {
    expect(labelOf({ id, name }, [])).toBe(label);
  });

  it('is no name that another role has', () => {
    expect(labelOf({ id, name: 'on-call' }, ['on-call'])).toBe(`on-call-${id}`);
    expect(labelOf({ id, name: 'engineers of the night' }, ['engineers of the night'])).toBe(`engineers of-${id}`);
  });
});

describe('a name from outside', () => {
  it('is one line that moves no cursor', () => {
    expect(plain(' a\r\nb\u001b[2Jc\u202ed\u0085e ')).toBe('a b [2Jc d e');
    expect(plain('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
  });
});
