import {
  boolean,
  byType,
  type Check,
  type Dictionary,
  dictionaries,
  type FieldErrors,
  integer,
  isDictionary,
  lengthOf,
  list,
  number,
  object,
  oneOf,
  refuse,
  text,
  unlikeEarlier,
} from './check.ts';
import { choices, choiceValue } from './choices.ts';

const CHAT_INPUT = 1;
const LARGEST_COMMAND = 8000;

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const nameLength = text(1, 32);
const description = text(1, 100);

const name: Check = (value) => {
  const length = nameLength(value);
  if (length || typeof value !== 'string') return length;
  const errors = [
    NAME.test(value) ? [] : [{ code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' }],
    value === value.toLowerCase()
      ? []
      : [{ code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }],
  ].flat();
  return errors.length > 0 ? { _errors: errors } : undefined;
};

/** The option types that may have the field. */
const FITS: Record<string, number[]> = {
  required: [3, 4, 5, 6, 7, 8, 9, 10, 11],
  options: [1, 2],
  choices: [3, 4, 10],
  autocomplete: [3, 4, 10],
  channel_types: [7],
  min_value: [4, 10],
  max_value: [4, 10],
  min_length: [3],
  max_length: [3],
};

const isSet = (value: unknown) =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

function unfit(option: Dictionary): FieldErrors | undefined {
  for (const [field, types] of Object.entries(FITS)) {
    if (!isSet(option[field]) || types.some((type) => type === option['type'])) continue;
    const code = `APPLICATION_COMMAND_${field.toUpperCase()}_INVALID`;
    const words = field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');
    return { [field]: refuse(code, `${words} cannot be configured for this type of option`) };
  }
  if (isSet(option['autocomplete']) && isSet(option['choices'])) {
    return {
      choices: refuse('APPLICATION_COMMAND_CHOICES_INVALID', 'Choices cannot be configured for an autocomplete option'),
    };
  }
  return reversed(option, 'min_value', 'max_value') ?? reversed(option, 'min_length', 'max_length');
}

function reversed(option: Dictionary, low: string, high: string): FieldErrors | undefined {
  const [min, max] = [option[low], option[high]];
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? { [low]: refuse('NUMBER_TYPE_MAX', `value should be less than or equal to ${max}.`) }
    : undefined;
}

const isSubcommand = (option: unknown) => isDictionary(option) && (option['type'] === 1 || option['type'] === 2);
const isRequired = (option: unknown) => isDictionary(option) && option['required'] === true;
const nameOf = (option: unknown) => (isDictionary(option) ? option['name'] : undefined);

function misplaced(option: unknown, index: number, all: unknown[]): FieldErrors | undefined {
  const earlier = all.slice(0, index);
  if (earlier.some((other) => nameOf(other) === nameOf(option))) {
    const message = `Option name ${String(nameOf(option))} is already used in these options`;
    return refuse('APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message);
  }
  if (isSubcommand(option) !== isSubcommand(all[0])) {
    return refuse(
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      'Sub-command and sub-command group option types are mutually exclusive to all other types',
    );
  }
  if (isRequired(option) && !earlier.every(isRequired)) {
    return refuse(
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      'Required options must be placed before non-required options',
    );
  }
  return undefined;
}

const optionsOf = (types: Record<number, Check>) => list(byType(types), { max: 25, each: misplaced });

const option = (may: Record<string, Check>) =>
  object({ must: { name, description }, may: { required: boolean, autocomplete: boolean, ...may }, whole: unfit });

const double = number(-(2 ** 53), 2 ** 53);
const bounds = { min_value: double, max_value: double };
const plain = option({});

const values: Record<number, Check> = {
  3: option({ choices: choices(choiceValue.text), min_length: integer(0, 6000), max_length: integer(1, 6000) }),
  4: option({ choices: choices(choiceValue.integer), ...bounds }),
  5: plain,
  6: plain,
  7: option({ channel_types: list(integer(0, 16), { max: 25 }) }),
  8: plain,
  9: plain,
  10: option({ choices: choices(choiceValue.number), ...bounds }),
  11: plain,
};
const subcommand = option({ options: optionsOf(values) });
const group = option({ options: optionsOf({ 1: subcommand }) });

const permissions: Check = (value) =>
  text(0, 100)(value) ??
  (/^\d+$/.test(String(value)) ? undefined : refuse('NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`));

const common = {
  default_member_permissions: permissions,
  nsfw: boolean,
  contexts: list(oneOf([0, 1, 2]), { max: 3, each: unlikeEarlier }),
  integration_types: list(oneOf([0, 1]), { max: 2, each: unlikeEarlier }),
};

function sizeOf(part: Dictionary): number {
  return (
    lengthOf(part['name']) +
    lengthOf(part['description']) +
    (part['value'] === undefined ? 0 : String(part['value']).length) +
    [...dictionaries(part['options']), ...dictionaries(part['choices'])].reduce((sum, below) => sum + sizeOf(below), 0)
  );
}

const chatInput = object({
  must: { name, description },
  may: { ...common, options: optionsOf({ 1: subcommand, 2: group, ...values }) },
  whole: (command) =>
    sizeOf(command) > LARGEST_COMMAND
      ? refuse('APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${LARGEST_COMMAND})`)
      : undefined,
});

const contextMenu = object({
  must: { name: nameLength },
  may: common,
  whole: (command) => {
    for (const field of ['description', 'options']) {
      if (!isSet(command[field]) || command[field] === '') continue;
      const code = `APPLICATION_COMMAND_INVALID_${field.toUpperCase()}`;
      return { [field]: refuse(code, `Context menu commands cannot have ${field}`) };
    }
    return undefined;
  },
});

const byKind = byType({ [CHAT_INPUT]: chatInput, 2: contextMenu, 3: contextMenu });
const kindOf = (command: unknown) => (isDictionary(command) ? (command['type'] ?? CHAT_INPUT) : undefined);

function namesake(command: unknown, index: number, all: unknown[]): FieldErrors | undefined {
  return all.slice(0, index).some((other) => nameOf(other) === nameOf(command) && kindOf(other) === kindOf(command))
    ? refuse('APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
    : undefined;
}

const commands = list((command) => byKind(isDictionary(command) ? { ...command, type: kindOf(command) } : command), {
  max: 100,
  each: namesake,
});

/** A guild's whole list of commands; one without a type is a slash command. */
export function checkCommands(body: unknown): FieldErrors | undefined {
  return commands(body);
}
