import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../../src/sandbox/discord/validate/index.ts';
import { flat, many, x } from '../../../helpers/sandbox/discord/validate/flat.ts';

const button = (more: object = {}) => ({ type: 2, style: 1, label: 'Confirm', custom_id: 'a', ...more });
const link = (more: object = {}) => ({ type: 2, style: 5, label: 'Docs', url: 'https://example.com', ...more });
const row = (...components: object[]) => ({ type: 1, components });
const select = (more: object = {}) => ({ type: 3, custom_id: 's', options: [{ label: 'a', value: 'b' }], ...more });

const rules: [rule: string, taken: unknown[], refused: unknown[], expected: string][] = [
  [
    'five rows',
    many(5, (index) => row(button({ custom_id: `${index}` }))),
    many(6, (index) => row(button({ custom_id: `${index}` }))),
    'components BASE_TYPE_MAX_LENGTH',
  ],
  [
    'five buttons a row',
    [row(...many(5, (index) => button({ custom_id: `${index}` })))],
    [row(...many(6, (index) => button({ custom_id: `${index}` })))],
    'components.0.components BASE_TYPE_BAD_LENGTH',
  ],
  ['no empty row', [], [row()], 'components.0.components BASE_TYPE_BAD_LENGTH'],
  ['only rows at the top', [row(button())], [button()], 'components.0 UNION_TYPE_CHOICES'],
  ['a type', [row(button())], [{ components: [button()] }], 'components.0.type BASE_TYPE_REQUIRED'],
  ['no row in a row', [row(button())], [row(row(button()))], 'components.0.components.0 UNION_TYPE_CHOICES'],
  [
    'label 80',
    [row(button({ label: x(80) }))],
    [row(button({ label: x(81) }))],
    'components.0.components.0.label BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a label or an emoji',
    [row(button({ label: undefined, emoji: { name: '🔥' } }))],
    [row(button({ label: '' }))],
    'components.0.components.0.label BASE_TYPE_REQUIRED',
  ],
  [
    'custom_id 100',
    [row(button({ custom_id: x(100) }))],
    [row(button({ custom_id: x(101) }))],
    'components.0.components.0.custom_id BASE_TYPE_BAD_LENGTH',
  ],
  [
    'custom_id there',
    [row(button({ custom_id: 'x' }))],
    [row(button({ custom_id: undefined }))],
    'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED',
  ],
  [
    'custom_id not empty',
    [row(button({ custom_id: 'x' }))],
    [row(button({ custom_id: '' }))],
    'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED',
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
    'style up to 5',
    [row(...[1, 2, 3, 4].map((style) => button({ style, custom_id: `${style}` })), link({ style: 5 }))],
    [row(button({ style: 7 }))],
    'components.0.components.0.style BASE_TYPE_CHOICES',
  ],
  [
    'style there',
    [row(button({ style: 4 }))],
    [row(button({ style: undefined }))],
    'components.0.components.0.style BASE_TYPE_REQUIRED',
  ],
  [
    'a link has a url',
    [row(link(), link())],
    [row(link({ url: '' }))],
    'components.0.components.0.url BASE_TYPE_REQUIRED',
  ],
  [
    'url scheme',
    [row(link({ url: 'discord://-/channels' }))],
    [row(link({ url: 'steam://run/1' }))],
    'components.0.components.0.url URL_TYPE_INVALID_SCHEME',
  ],
  [
    'url 512',
    [row(link({ url: `https://example.com/${x(492)}` }))],
    [row(link({ url: `https://example.com/${x(493)}` }))],
    'components.0.components.0.url BASE_TYPE_MAX_LENGTH',
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
  it.each(rules)('are taken at the limit and refused beyond it: %s', (_rule, taken, refused, expected) => {
    expect(checkMessage({ components: taken })).toBeUndefined();
    expect(flat(checkMessage({ components: refused }))).toEqual([expected]);
  });

  it('are refused when a button has both an id and a url', () => {
    expect(flat(checkMessage({ components: [row(link({ custom_id: 'a' }))] }))).toEqual([
      'components.0.components.0.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
      'components.0.components.0.url BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    ]);
  });

  it('are refused with the types that Discord names', () => {
    expect(checkMessage({ components: [{ type: 17, components: [] }] })).toEqual({
      components: {
        '0': { _errors: [{ code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of (1,).' }] },
      },
    });
    expect(checkMessage({ components: [row({ type: 4, custom_id: 'x' })] })).toEqual({
      components: {
        '0': {
          components: {
            '0': {
              _errors: [
                { code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).' },
              ],
            },
          },
        },
      },
    });
  });
});
