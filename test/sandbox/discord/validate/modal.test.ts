import { describe, expect, it } from 'vitest';
import { checkChoices, checkModal } from '../../../../src/sandbox/discord/validate/index.ts';
import { flat, many, x } from '../../../helpers/sandbox/discord/validate/flat.ts';

const input = (more: object = {}) => ({ type: 4, custom_id: 'name', label: 'Server', style: 1, ...more });
const row = (...components: object[]) => ({ type: 1, components });
const labelled = (more: object = {}, inner: object = {}) => ({
  type: 18,
  label: 'Server',
  component: { type: 4, custom_id: 'name', style: 1, ...inner },
  ...more,
});
const modal = (more: object = {}) => ({ custom_id: 'm', title: 'Confirm', components: [row(input())], ...more });
const withInput = (more: object) => modal({ components: [row(input(more))] });

const rules: [rule: string, taken: unknown, refused: unknown, expected: string][] = [
  ['title 45', modal({ title: x(45) }), modal({ title: x(46) }), 'title BASE_TYPE_BAD_LENGTH'],
  ['title there', modal({ title: 'x' }), modal({ title: '' }), 'title BASE_TYPE_REQUIRED'],
  ['custom_id 100', modal({ custom_id: x(100) }), modal({ custom_id: x(101) }), 'custom_id BASE_TYPE_BAD_LENGTH'],
  ['custom_id there', modal(), modal({ custom_id: undefined }), 'custom_id BASE_TYPE_REQUIRED'],
  [
    'five components',
    modal({ components: many(5, (index) => row(input({ custom_id: `${index}` }))) }),
    modal({ components: many(6, (index) => row(input({ custom_id: `${index}` }))) }),
    'components BASE_TYPE_BAD_LENGTH',
  ],
  ['one component', modal(), modal({ components: [] }), 'components BASE_TYPE_BAD_LENGTH'],
  ['rows and labels only', modal(), modal({ components: [input()] }), 'components.0 UNION_TYPE_CHOICES'],
  [
    'text inputs only',
    modal(),
    modal({ components: [row({ type: 2, style: 1, label: 'x', custom_id: 'x' })] }),
    'components.0.components.0 UNION_TYPE_CHOICES',
  ],
  [
    'one input a row',
    modal({ components: [row(input()), row(input({ custom_id: 'b' }))] }),
    modal({ components: [row(input(), input({ custom_id: 'b' }))] }),
    'components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  ],
  [
    'an id once',
    modal({ components: [row(input()), row(input({ custom_id: 'b' }))] }),
    modal({ components: [row(input()), labelled()] }),
    'components.1.component.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'label 45',
    withInput({ label: x(45) }),
    withInput({ label: x(46) }),
    'components.0.components.0.label BASE_TYPE_BAD_LENGTH',
  ],
  ['label there', withInput({}), withInput({ label: undefined }), 'components.0.components.0.label BASE_TYPE_REQUIRED'],
  ['style', withInput({ style: 2 }), withInput({ style: 3 }), 'components.0.components.0.style BASE_TYPE_CHOICES'],
  [
    'min_length 4,000',
    withInput({ min_length: 4000 }),
    withInput({ min_length: 4001 }),
    'components.0.components.0.min_length NUMBER_TYPE_MAX',
  ],
  [
    'min_length 0',
    withInput({ min_length: 0 }),
    withInput({ min_length: -1 }),
    'components.0.components.0.min_length NUMBER_TYPE_MIN',
  ],
  [
    'max_length 4,000',
    withInput({ max_length: 4000 }),
    withInput({ max_length: 4001 }),
    'components.0.components.0.max_length NUMBER_TYPE_MAX',
  ],
  [
    'max_length 1',
    withInput({ max_length: 1 }),
    withInput({ max_length: 0 }),
    'components.0.components.0.max_length NUMBER_TYPE_MIN',
  ],
  [
    'min_length up to max_length',
    withInput({ min_length: 5, max_length: 5 }),
    withInput({ min_length: 6, max_length: 5 }),
    'components.0.components.0.min_length NUMBER_TYPE_MAX',
  ],
  [
    'placeholder 100',
    withInput({ placeholder: x(100) }),
    withInput({ placeholder: x(101) }),
    'components.0.components.0.placeholder BASE_TYPE_MAX_LENGTH',
  ],
  [
    'value 4,000',
    withInput({ value: x(4000) }),
    withInput({ value: x(4001) }),
    'components.0.components.0.value BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a label component of 45',
    modal({ components: [labelled({ label: x(45) })] }),
    modal({ components: [labelled({ label: x(46) })] }),
    'components.0.label BASE_TYPE_BAD_LENGTH',
  ],
  [
    'a label component around an input',
    modal({ components: [labelled({}, { max_length: 4000 })] }),
    modal({ components: [labelled({}, { max_length: 4001 })] }),
    'components.0.component.max_length NUMBER_TYPE_MAX',
  ],
];

describe('a modal', () => {
  it.each(rules)('is taken at the limit and refused beyond it: %s', (_rule, taken, refused, expected) => {
    expect(checkModal(taken)).toBeUndefined();
    expect(flat(checkModal(refused))).toEqual([expected]);
  });
});

const choices = (...all: object[]) => ({ choices: all });
const choice = (name: unknown, value: unknown) => ({ name, value });

const suggestions: [rule: string, taken: unknown, refused: unknown, expected: string][] = [
  [
    '25 choices',
    choices(...many(25, (index) => choice(`${index}`, index))),
    choices(...many(26, (index) => choice(`${index}`, index))),
    'choices BASE_TYPE_MAX_LENGTH',
  ],
  ['a list', choices(), {}, 'choices BASE_TYPE_REQUIRED'],
  ['name 100', choices(choice(x(100), 'a')), choices(choice(x(101), 'a')), 'choices.0.name BASE_TYPE_BAD_LENGTH'],
  ['name there', choices(choice('a', 'a')), choices(choice('', 'a')), 'choices.0.name BASE_TYPE_REQUIRED'],
  ['value 100', choices(choice('a', x(100))), choices(choice('a', x(101))), 'choices.0.value BASE_TYPE_MAX_LENGTH'],
  ['value there', choices(choice('a', 0)), choices(choice('a', undefined)), 'choices.0.value BASE_TYPE_REQUIRED'],
  [
    'numbers up to 2^53',
    choices(choice('a', 9007199254740992)),
    choices(choice('a', 9007199254740994)),
    'choices.0.value NUMBER_TYPE_MAX',
  ],
  [
    'numbers from -2^53',
    choices(choice('a', -9007199254740992)),
    choices(choice('a', -9007199254740994)),
    'choices.0.value NUMBER_TYPE_MIN',
  ],
];

describe('suggestions', () => {
  it.each(suggestions)('are taken at the limit and refused beyond it: %s', (_rule, taken, refused, expected) => {
    expect(checkChoices(taken)).toBeUndefined();
    expect(flat(checkChoices(refused))).toEqual([expected]);
  });
});
