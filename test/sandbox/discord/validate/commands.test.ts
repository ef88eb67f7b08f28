import { ApplicationCommandType, ContextMenuCommandBuilder, SlashCommandBuilder } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { checkCommands } from '../../../../src/sandbox/discord/validate/index.ts';
import { flat, many, x } from '../../../helpers/sandbox/discord/validate/flat.ts';

const command = (more: object = {}) => ({ name: 'power', description: 'Power of a server', ...more });
const option = (more: object = {}) => ({ type: 3, name: 'server', description: 'Which', ...more });
const withOptions = (...options: object[]) => [command({ options })];
const sub = (more: object = {}) => option({ type: 1, name: 'boot', ...more });
const group = (more: object = {}) => option({ type: 2, name: 'bulk', options: [sub()], ...more });
const named = (name: string) => [command({ name })];
const choice = (name: string, value: unknown) => ({ name, value });

const rules: [rule: string, taken: unknown, refused: unknown, expected: string][] = [
  [
    '100 commands',
    many(100, (index) => command({ name: `c${index}` })),
    many(101, (index) => command({ name: `c${index}` })),
    'BASE_TYPE_MAX_LENGTH',
  ],
  ['a list', [], {}, 'LIST_TYPE_CONVERT'],
  ['name 32', named(x(32)), named(x(33)), '0.name BASE_TYPE_BAD_LENGTH'],
  ['name there', named('a'), named(''), '0.name BASE_TYPE_REQUIRED'],
  ['name without spaces', named("l'été-2_ก"), named('a b'), '0.name STRING_TYPE_REGEX'],
  ['name in lower case', named('power'), named('Power'), '0.name APPLICATION_COMMAND_INVALID_NAME'],
  [
    'a name once',
    [command(), command({ name: 'other' })],
    [command(), command()],
    '1 APPLICATION_COMMANDS_DUPLICATE_NAME',
  ],
  [
    'description 100',
    [command({ description: x(100) })],
    [command({ description: x(101) })],
    '0.description BASE_TYPE_BAD_LENGTH',
  ],
  ['description there', [command()], [{ name: 'power' }], '0.description BASE_TYPE_REQUIRED'],
  ['a known type', [command({ type: 1 })], [command({ type: 9 })], '0 UNION_TYPE_CHOICES'],
  [
    '25 options',
    withOptions(...many(25, (index) => option({ name: `o${index}` }))),
    withOptions(...many(26, (index) => option({ name: `o${index}` }))),
    '0.options BASE_TYPE_MAX_LENGTH',
  ],
  [
    'an option once',
    withOptions(option(), option({ name: 'other' })),
    withOptions(option(), option()),
    '0.options.1 APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
  ],
  [
    "an option's name",
    withOptions(option({ name: 'native-mode' })),
    withOptions(option({ name: 'nativeMode' })),
    '0.options.0.name APPLICATION_COMMAND_INVALID_NAME',
  ],
  [
    "an option's description",
    withOptions(option({ description: x(100) })),
    withOptions(option({ description: x(101) })),
    '0.options.0.description BASE_TYPE_BAD_LENGTH',
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
    'no options below a plain option',
    withOptions(option({ options: [] })),
    withOptions(option({ options: [option()] })),
    '0.options.0.options APPLICATION_COMMAND_OPTIONS_INVALID',
  ],
  [
    '25 choices',
    withOptions(option({ choices: many(25, (index) => choice('a', `${index}`)) })),
    withOptions(option({ choices: many(26, (index) => choice('a', `${index}`)) })),
    '0.options.0.choices BASE_TYPE_MAX_LENGTH',
  ],
  [
    "a choice's name 100",
    withOptions(option({ choices: [choice(x(100), 'a')] })),
    withOptions(option({ choices: [choice(x(101), 'a')] })),
    '0.options.0.choices.0.name BASE_TYPE_BAD_LENGTH',
  ],
  [
    "a text choice's value 100",
    withOptions(option({ choices: [choice('a', x(100))] })),
    withOptions(option({ choices: [choice('a', x(101))] })),
    '0.options.0.choices.0.value BASE_TYPE_MAX_LENGTH',
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
    'max_length 6,000',
    withOptions(option({ max_length: 6000 })),
    withOptions(option({ max_length: 6001 })),
    '0.options.0.max_length NUMBER_TYPE_MAX',
  ],
  [
    'min_value up to max_value',
    withOptions(option({ type: 4, min_value: 0, max_value: 100 })),
    withOptions(option({ type: 4, min_value: 101, max_value: 100 })),
    '0.options.0.min_value NUMBER_TYPE_MAX',
  ],
  [
    'contexts',
    [command({ contexts: [0, 1, 2], integration_types: [0, 1] })],
    [command({ contexts: [3] })],
    '0.contexts.0 BASE_TYPE_CHOICES',
  ],
  [
    'integration types',
    [command({ integration_types: [0] })],
    [command({ integration_types: [2] })],
    '0.integration_types.0 BASE_TYPE_CHOICES',
  ],
  [
    'permissions are text',
    [command({ default_member_permissions: '0' }), command({ name: 'b', default_member_permissions: null })],
    [command({ default_member_permissions: 8 })],
    '0.default_member_permissions STRING_TYPE_CONVERT',
  ],
  [
    'permissions are digits',
    [command({ default_member_permissions: '8' })],
    [command({ default_member_permissions: 'ADMIN' })],
    '0.default_member_permissions NUMBER_TYPE_COERCE',
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
  it.each(rules)('is taken at the limit and refused beyond it: %s', (_rule, taken, refused, expected) => {
    expect(checkCommands(taken)).toBeUndefined();
    expect(flat(checkCommands(refused))).toEqual([expected]);
  });

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

  it('reports both the capitals and the spaces of a name', () => {
    expect(checkCommands(named('Bad Name'))).toEqual({
      '0': {
        name: {
          _errors: [
            { code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' },
            { code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' },
          ],
        },
      },
    });
  });

  it('takes required options of every type, with what fits each', () => {
    const types = [3, 4, 5, 6, 7, 8, 9, 10, 11];
    const fitting: Record<number, object> = {
      3: { min_length: 0, max_length: 1 },
      7: { channel_types: [0] },
      10: { choices: [choice('a', 0.5)], min_value: -(2 ** 53), max_value: 2 ** 53 },
    };
    const options = types.map((type) => option({ type, name: `o${type}`, required: true, ...fitting[type] }));
    expect(checkCommands(withOptions(...options))).toBeUndefined();
  });

  it('may hold one name for two kinds of command', () => {
    expect(checkCommands([command(), { type: 3, name: 'power' }])).toBeUndefined();
  });

  it('takes what the builders of discord.js make', () => {
    const slash = new SlashCommandBuilder()
      .setName('firewall')
      .setDescription('Firewall of a server')
      .setDefaultMemberPermissions(0)
      .addSubcommand((one) =>
        one
          .setName('flush')
          .setDescription('Remove all rules')
          .addStringOption((text) =>
            text.setName('server').setDescription('Name or id').setRequired(true).setAutocomplete(true),
          )
          .addStringOption((text) =>
            text
              .setName('interface')
              .setDescription('Which')
              .addChoices({ name: 'primary', value: 'primary' }, { name: 'secondary', value: 'secondary' }),
          )
          .addIntegerOption((page) => page.setName('page').setDescription('Page').setMinValue(1).setMaxValue(100))
          .addBooleanOption((sync) => sync.setName('sync').setDescription('Apply now')),
      )
      .toJSON();
    const menu = new ContextMenuCommandBuilder()
      .setName('Open incident')
      .setType(ApplicationCommandType.Message)
      .toJSON();
    expect(checkCommands(JSON.parse(JSON.stringify([slash, menu])))).toBeUndefined();
  });
});
