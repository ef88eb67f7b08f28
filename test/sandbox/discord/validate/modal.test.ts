import { describe } from 'vitest';
import { checkChoices, checkModal } from '../../../../src/sandbox/discord/validate/index.ts';
import {
  type Limit,
  many,
  type Rule,
  testLimits,
  testRules,
  x,
} from '../../../helpers/sandbox/discord/validate/flat.ts';

const input = (more: object = {}) => ({ type: 4, custom_id: 'name', label: 'Server', style: 1, ...more });
const row = (...components: object[]) => ({ type: 1, components });
/** The newer form of an input. */
const labelled = { type: 18, label: 'Server', component: { type: 4, custom_id: 'labelled', style: 1 } };
const rows = (count: number) => many(count, (index) => row(input({ custom_id: `${index}` })));
const radios = (count: number) => many(count, (index) => ({ label: `${index}`, value: `${index}` }));
const group = { type: 18, label: 'Which', component: { type: 21, custom_id: 'group', options: radios(2) } };
const modal = { custom_id: 'm', title: 'Confirm', components: [row(input()), labelled, group] };
const limits: Limit[] = [
  ['title', 'BASE_TYPE_BAD_LENGTH', x(45), x(46)],
  ['title', 'BASE_TYPE_REQUIRED', 'x', ''],
  ['custom_id', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['custom_id', 'BASE_TYPE_REQUIRED', 'm', undefined],
  ['components', 'BASE_TYPE_BAD_LENGTH', rows(5), rows(6)],
  ['components', 'BASE_TYPE_BAD_LENGTH', rows(1), []],
  ['components.0.components.0.label', 'BASE_TYPE_BAD_LENGTH', x(45), x(46)],
  ['components.0.components.0.label', 'BASE_TYPE_REQUIRED', 'x', undefined],
  ['components.0.components.0.style', 'BASE_TYPE_CHOICES', 2, 3],
  ['components.0.components.0.min_length', 'NUMBER_TYPE_MAX', 4000, 4001],
  ['components.0.components.0.min_length', 'NUMBER_TYPE_MIN', 0, -1],
  ['components.0.components.0.max_length', 'NUMBER_TYPE_MAX', 4000, 4001],
  ['components.0.components.0.max_length', 'NUMBER_TYPE_MIN', 1, 0],
  ['components.0.components.0.placeholder', 'BASE_TYPE_MAX_LENGTH', x(100), x(101)],
  ['components.0.components.0.value', 'BASE_TYPE_MAX_LENGTH', x(4000), x(4001)],
  ['components.1.label', 'BASE_TYPE_BAD_LENGTH', x(45), x(46)],
  ['components.2.component.options', 'BASE_TYPE_BAD_LENGTH', radios(10), radios(11)],
  ['components.2.component.options', 'BASE_TYPE_BAD_LENGTH', radios(2), radios(1)],
  ['components.2.component.options.0.label', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['components.1.component.max_length', 'NUMBER_TYPE_MAX', 4000, 4001],
];

/** What depends on several places: of components that are taken, what in their place is refused. */
const rules: Rule[] = [
  ['rows and labels only', rows(1), [input()], 'components.0 UNION_TYPE_CHOICES'],
  [
    'text inputs only',
    rows(1),
    [row({ type: 2, style: 1, label: 'x', custom_id: 'x' })],
    'components.0.components.0 UNION_TYPE_CHOICES',
  ],
  [
    'one input a row',
    [row(input()), row(input({ custom_id: 'b' }))],
    [row(input(), input({ custom_id: 'b' }))],
    'components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED',
  ],
  [
    'an id once',
    [row(input()), row(input({ custom_id: 'b' }))],
    [row(input()), row(input())],
    'components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED',
  ],
  [
    'min_length up to max_length',
    [row(input({ min_length: 5, max_length: 5 }))],
    [row(input({ min_length: 6, max_length: 5 }))],
    'components.0.components.0.min_length NUMBER_TYPE_MAX',
  ],
];

describe('a modal', () => {
  testLimits(checkModal, modal, limits);
  testRules((components) => checkModal({ ...modal, components }), rules);
});

const choices = (count: number) => many(count, (index) => ({ name: `${index}`, value: index }));
const suggestions: Limit[] = [
  ['choices', 'BASE_TYPE_MAX_LENGTH', choices(25), choices(26)],
  ['choices', 'BASE_TYPE_REQUIRED', [], undefined],
  ['choices.0.name', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['choices.0.name', 'BASE_TYPE_REQUIRED', 'a', ''],
  ['choices.0.value', 'BASE_TYPE_MAX_LENGTH', x(100), x(101)],
  ['choices.0.value', 'BASE_TYPE_REQUIRED', 0, undefined],
  ['choices.0.value', 'NUMBER_TYPE_MAX', 9007199254740992, 9007199254740994],
  ['choices.0.value', 'NUMBER_TYPE_MIN', -9007199254740992, -9007199254740994],
];

describe('suggestions', () => {
  testLimits(checkChoices, { choices: choices(1) }, suggestions);
});
