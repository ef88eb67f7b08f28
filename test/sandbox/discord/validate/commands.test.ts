import { describe, expect, it } from 'vitest';
import { checkCommands } from '../../../../src/sandbox/discord/validate/index.ts';
import {
  flat,
  type Limit,
  many,
  type Rule,
  testLimits,
  testRules,
  x,
} from '../../../helpers/sandbox/discord/validate/flat.ts';

const command = (more: object = {}) => ({ name: 'power', description: 'Power of a server', ...more });
const option = (more: object = {}) => ({ type: 3, name: 'server', description: 'Which', ...more });
const withOptions = (...options: object[]) => [command({ options })];
const sub = (more: object = {}) => option({ type: 1, name: 'boot', ...more });
const group = (more: object = {}) => option({ type: 2, name: 'bulk', options: [sub()], ...more });
const choice = (name: string, value: unknown) => ({ name, value });

const sound = [
  command({
    contexts: [0, 1, 2],
    integration_types: [0, 1],
    options: [option(), option({ name: 'choices', choices: [choice('a', 'a')] })],
  }),
];
const options = (count: number) => many(count, (index) => option({ name: `o${index}` }));
const choices = (count: number) => many(count, (index) => choice('a', `${index}`));
const limits: Limit[] = [
  ['0.name', 'BASE_TYPE_BAD_LENGTH', x(32), x(33)],
  ['0.name', 'BASE_TYPE_REQUIRED', 'a', ''],
  ['0.name', 'STRING_TYPE_REGEX', "l'été-2_ก", 'a b'],
  ['0.name', 'APPLICATION_COMMAND_INVALID_NAME', 'power', 'Power'],
  ['0.description', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['0.description', 'BASE_TYPE_REQUIRED', 'x', undefined],
  ['0.options', 'BASE_TYPE_MAX_LENGTH', options(25), options(26)],
  ['0.options.0.name', 'APPLICATION_COMMAND_INVALID_NAME', 'native-mode', 'nativeMode'],
  ['0.options.0.description', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['0.options.0.options', 'APPLICATION_COMMAND_OPTIONS_INVALID', [], [option()]],
  ['0.options.0.max_length', 'NUMBER_TYPE_MAX', 6000, 6001],
  ['0.options.1.choices', 'BASE_TYPE_MAX_LENGTH', choices(25), choices(26)],
  ['0.options.1.choices.0.name', 'BASE_TYPE_BAD_LENGTH', x(100), x(101)],
  ['0.options.1.choices.0.value', 'BASE_TYPE_MAX_LENGTH', x(100), x(101)],
  ['0.contexts.0', 'BASE_TYPE_CHOICES', 0, 3],
  ['0.integration_types.0', 'BASE_TYPE_CHOICES', 0, 2],
  ['0.default_member_permissions', 'STRING_TYPE_CONVERT', null, 8],
  ['0.default_member_permissions', 'NUMBER_TYPE_COERCE', '8', 'ADMIN'],
];

const rules: Rule[] = [
  [
    '100 commands',
    many(100, (index) => command({ name: `c${index}` })),
    many(101, (index) => command({ name: `c${index}` })),
    'BASE_TYPE_MAX_LENGTH',
  ],
  ['a list', [], {}, 'LIST_TYPE_CONVERT'],
  [
    'a name once',
    [command(), command({ name: 'other' })],
    [command(), command()],
    '1 APPLICATION_COMMANDS_DUPLICATE_NAME',
  ],
  ['a known type', [command({ type: 1 })], [command({ type: 9 })], '0 UNION_TYPE_CHOICES'],
  [
    'an option once',
    withOptions(option(), option({ name: 'other' })),
    withOptions(option(), option()),
    '0.options.1 APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ],
  ['type 11', withOptions(option({ type: 11 })), withOptions(option({ type: 12 })), '0.options.0 UNION_TYPE_CHOICES'],
  [
    'required before optional',
    withOptions(option({ required: true }), option({ name: 'b' })),
    withOptions(option(), option({ name: 'b', required: true })),
    '0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  [
    'required before optional in a subcommand',
    withOptions(sub({ options: [option({ required: true }), option({ name: 'b' })] })),
    withOptions(sub({ options: [option(), option({ name: 'b', required: true })] })),
    '0.options.0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  [
    'subcommands not mixed with plain options',
    withOptions(sub(), group()),
    withOptions(option(), sub()),
    '0.options.1 APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  ],
  [
    'subcommands not in subcommands',
    withOptions(group()),
    withOptions(sub({ options: [sub()] })),
    '0.options.0.options.0 UNION_TYPE_CHOICES',
  ],
  [
    'groups not in groups',
    withOptions(group({ options: [sub({ options: [option()] })] })),
    withOptions(group({ options: [group()] })),
    '0.options.0.options.0 UNION_TYPE_CHOICES',
  ],
  [
    "an integer choice's value",
    withOptions(option({ type: 4, choices: [choice('a', 1)] })),
    withOptions(option({ type: 4, choices: [choice('a', 1.5)] })),
    '0.options.0.choices.0.value NUMBER_TYPE_COERCE',
  ],
  [
    'choices or autocomplete',
    withOptions(option({ autocomplete: true, choices: [] })),
    withOptions(option({ autocomplete: true, choices: [choice('a', 'a')] })),
    '0.options.0.choices APPLICATION_COMMAND_CHOICES_INVALID',
  ],
  [
    'autocomplete of text and numbers',
    withOptions(option({ type: 10, autocomplete: true })),
    withOptions(option({ type: 5, autocomplete: true })),
    '0.options.0.autocomplete APPLICATION_COMMAND_AUTOCOMPLETE_INVALID',
  ],
  [
    'values of numbers',
    withOptions(option({ type: 4, min_value: 1, max_value: 1 })),
    withOptions(option({ type: 3, min_value: 1 })),
    '0.options.0.min_value APPLICATION_COMMAND_MIN_VALUE_INVALID',
  ],
  [
    'lengths of text',
    withOptions(option({ min_length: 1, max_length: 6000 })),
    withOptions(option({ type: 4, max_length: 5 })),
    '0.options.0.max_length APPLICATION_COMMAND_MAX_LENGTH_INVALID',
  ],
  [
    'min_value up to max_value',
    withOptions(option({ type: 4, min_value: 0, max_value: 100 })),
    withOptions(option({ type: 4, min_value: 101, max_value: 100 })),
    '0.options.0.min_value NUMBER_TYPE_MAX',
  ],
  [
    'a message command has no description',
    [{ type: 3, name: 'Open Incident', description: '' }],
    [{ type: 3, name: 'Open Incident', description: 'x' }],
    '0.description APPLICATION_COMMAND_INVALID_DESCRIPTION',
  ],
  [
    'a message command has no options',
    [{ type: 3, name: 'Open Incident' }],
    [{ type: 3, name: 'Open Incident', options: [option()] }],
    '0.options APPLICATION_COMMAND_INVALID_OPTIONS',
  ],
  [
    "a message command's name 32",
    [{ type: 3, name: 'N'.repeat(32) }],
    [{ type: 3, name: 'N'.repeat(33) }],
    '0.name BASE_TYPE_BAD_LENGTH',
  ],
];

describe('the list of commands', () => {
  testLimits(checkCommands, sound, limits);
  testRules(checkCommands, rules);

  it('takes 8,000 characters of one command with all below it, and no more', () => {
    // 2 for the command itself, 19 options of 400, and a last one that fills up the remaining 398.
    const options = many(19, (index) =>
      option({ name: `o${index + 10}`, description: x(97), choices: [choice(x(100), x(100)), choice(x(50), x(50))] }),
    );
    const rest = (length: number) => {
      const choices = [choice(x(100), x(100)), choice(x(44), x(length))];
      return [
        { name: 'a', description: 'b', options: [...options, option({ name: 'last', description: x(100), choices })] },
      ];
    };
    expect(checkCommands(rest(50))).toBeUndefined();
    expect(flat(checkCommands(rest(51)))).toEqual(['0 APPLICATION_COMMAND_TOO_LARGE']);
  });
});
