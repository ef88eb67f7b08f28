import { expect, it } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { examplePolicy } from '../helpers/check/scene.ts';

/** The line of the example with this text. */
const lineOf = (text: string): number => examplePolicy.split('\n').findIndex((line) => line.includes(text)) + 1;

const problemsOf = (from: string, to: string): string[] => {
  const read = policyFor(examplePolicy.replace(from, to), '1100000000000000001');
  return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
};

it.each([
  [
    'allow: [read] }',
    'allow: [read]',
    'name: viewer',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    'allow: [read] }',
    'allow: [read }',
    'name: viewer',
    '`]` is missing in this line before `}`: the `[` of this line is not closed.',
  ],
  [
    'whitelist.add: { ipv4: 24, ipv6: 48 } }',
    'whitelist.add: { ipv4: 24, ipv6: 48 }',
    'limits: {',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    '100-199],\n    }',
    '100-199],',
    'servers: ["web-*"',
    '`}` is missing in this line at its end: the `{` of line 26 is not closed.',
  ],
  ['group: 1 }', 'group: 1', 'id: 101', '`}` is missing in this line at its end: the `{` of this line is not closed.'],
  [
    'running: [queued, running]',
    'running: [queued, running',
    'running: [queued',
    '`]` is missing in this line at its end: the `[` of this line is not closed.',
  ],
  [
    'vlans: { 8: backup-net }',
    'vlans: { 8: backup-net',
    'vlans: { 8',
    '`}` is missing in this line at its end: the `{` of this line is not closed.',
  ],
  [
    '"1200000000000000001", name',
    '"1200000000000000001, name',
    'name: viewer',
    'A quotation mark (") is missing in this line.',
  ],
])('%j without its last sign is named in its line', (from, to, line, rule) => {
  expect(problemsOf(from, to)).toEqual([`line ${lineOf(line)}: ${rule}`]);
});

it('lists what there is once, however many words are wrong, and knows approve', () => {
  const problems = problemsOf('allow: ["*", approve, freeze, thaw', 'allow: ["*", approve, aprove, freez, wirte');
  expect(problems).toEqual([
    expect.stringMatching(/"aprove"\. The nearest is approve\. Dangers: read, .* Ids begin with: panel, /),
    expect.stringMatching(/"freez"\. The nearest is freeze\.$/),
    expect.stringMatching(/"wirte"\. The nearest is write\.$/),
  ]);
});
