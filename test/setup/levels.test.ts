import { expect, it } from 'vitest';
import { levelNamed } from '../../src/setup/levels.ts';

it.each([
  ['viewer', 'Viewer'],
  ['Viewers', 'Viewer'],
  ['on-call', 'On-call'],
  ['On Call', 'On-call'],
  ['lead', 'Lead'],
  ['Leads', 'Lead'],
])('the role %s begins as %s', (role, level) => {
  expect(levelNamed(role)?.label).toBe(level);
});

it.each(['admin', 'misleading', 'on-call-readonly', 'lead-guitar', '運用'])(
  'nothing in the name of %s says what it may do',
  (role) => {
    expect(levelNamed(role)).toBeUndefined();
  },
);
