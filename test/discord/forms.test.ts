import type { APIModalSubmission } from 'discord.js';
import { expect, it } from 'vitest';
import { fieldOf } from '../../src/discord/payload.ts';

const input = { type: 4, id: 2, custom_id: 'typed', value: 'web-1' } as const;

const parts: [string, APIModalSubmission['components'][number]][] = [
  ['in a label', { type: 18, id: 1, component: input }],
  ['among radio buttons', { type: 18, id: 1, component: { type: 21, id: 2, custom_id: 'typed', value: 'web-1' } }],
  ['in a menu', { type: 18, id: 1, component: { type: 3, id: 2, custom_id: 'typed', values: ['web-1'] } }],
  ['in a row, as before an upgrade', { type: 1, id: 1, components: [input] }],
];

it.each(parts)('What a form was given is read %s', (_where, part) => {
  expect(fieldOf({ custom_id: 'form', components: [part] }, 'typed')).toBe('web-1');
  expect(fieldOf({ custom_id: 'form', components: [part] }, 'other')).toBeUndefined();
});
