import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/discord/validate/index.ts';
import {
  flat,
  type Limit,
  many,
  type Rule,
  testLimits,
  testRules,
  x,
} from '../../../helpers/sandbox/discord/validate/flat.ts';

const button = (more: object = {}) => ({ type: 2, style: 1, label: 'Confirm', custom_id: 'a', ...more });
const link = (more: object = {}) => ({ type: 2, style: 5, label: 'Docs', url: 'https://example.com', ...more });
const row = (...components: object[]) => ({ type: 1, components });
const select = (more: object = {}) => ({ type: 3, custom_id: 's', options: [{ label: 'a', value: 'b' }], ...more });

const sound = { components: [row(button(), link())] };
const confirm = 'components.0.components.0';
const docs = 'components.0.components.1';
const url = (length: number) => `https://example.com/${x(length - 20)}`;
const limits: Limit[] = [
  [
    'components',
    'BASE_TYPE_MAX_LENGTH',
    many(5, (i) => row(button({ custom_id: `${i}` }))),
    many(6, () => row(link())),
  ],
  ['components.0.components', 'BASE_TYPE_BAD_LENGTH', many(5, () => link()), many(6, () => link())],
  ['components.0.components', 'BASE_TYPE_BAD_LENGTH', [link()], []],
  ['components.0.type', 'BASE_TYPE_REQUIRED', 1, undefined],
  [`${confirm}.label`, 'BASE_TYPE_MAX_LENGTH', x(80), x(81)],
  [`${confirm}.label`, 'BASE_TYPE_REQUIRED', 'x', ''],
  [`${confirm}.custom_id`, 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  [`${confirm}.custom_id`, 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'x', undefined],
  [`${confirm}.custom_id`, 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'x', ''],
  [`${confirm}.style`, 'BASE_TYPE_CHOICES', 4, 7],
  [`${confirm}.style`, 'BASE_TYPE_REQUIRED', 1, undefined],
  [`${docs}.url`, 'BASE_TYPE_REQUIRED', 'https://example.com', ''],
  [`${docs}.url`, 'URL_TYPE_INVALID_SCHEME', 'discord://-/channels', 'steam://run/1'],
  [`${docs}.url`, 'BASE_TYPE_MAX_LENGTH', url(512), url(513)],
];

const rules: Rule[] = [
  ['only rows at the top', [row(button())], [button()], 'components.0 UNION_TYPE_CHOICES'],
  ['no row in a row', [row(button())], [row(row(button()))], 'components.0.components.0 UNION_TYPE_CHOICES'],
  [
    'a label or an emoji',
    [row(button({ label: undefined, emoji: { name: '🔥' } }))],
    [row(button({ label: undefined }))],
    `${confirm}.label BASE_TYPE_REQUIRED`,
  ],
  [
    'custom_id once in a message',
    [row(button()), row(button({ custom_id: 'b' }))],
    [row(button(), button({ custom_id: 'b' })), row(button({ custom_id: 'b' }))],
    'components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'disabled does not excuse the same custom_id',
    [row(button({ disabled: true }))],
    [row(button({ disabled: true }), button({ disabled: true }))],
    'components.0.components.1.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'a select menu stands alone',
    [row(select()), row(button())],
    [row(select(), button())],
    'components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  ],
  [
    '25 options of a select menu',
    [row(select({ options: many(25, (index) => ({ label: 'a', value: `${index}` })) }))],
    [row(select({ options: many(26, (index) => ({ label: 'a', value: `${index}` })) }))],
    'components.0.components.0.options BASE_TYPE_BAD_LENGTH',
  ],
];

describe("a message's components", () => {
  testLimits(checkMessage, sound, limits);
  testRules((components) => checkMessage({ components }), rules);

  it('are refused when a button has both an id and a url', () => {
    expect(flat(checkMessage({ components: [row(link({ custom_id: 'a' }))] }))).toEqual([
      'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
      'components.0.components.0.url BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    ]);
  });
});
