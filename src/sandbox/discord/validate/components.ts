import {
  at,
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
  missing,
  object,
  oneOf,
  refuse,
  snowflake,
  text,
  url,
} from './check.ts';

export const customId = text(1, 100);

const LINK = 5;

const isGiven = (value: unknown) => lengthOf(value) > 0;

/** A link has a URL, any other button an id; never both. */
function linkOrId(button: Dictionary): FieldErrors | undefined {
  if (isGiven(button['custom_id']) && isGiven(button['url'])) {
    const both = refuse(
      'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
      'A custom id and url cannot both be specified',
    );
    return { custom_id: both, url: both };
  }
  if (button['style'] === LINK) return isGiven(button['url']) ? undefined : { url: missing() };
  if (!isGiven(button['custom_id'])) {
    return { custom_id: refuse('BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required') };
  }
  return undefined;
}

const button = object({
  must: { style: oneOf([1, 2, 3, 4, 5]) },
  may: {
    label: text(0, 80),
    // Blank counts as absent: Discord has its own code for a button without an id.
    custom_id: (value) => (value === '' ? undefined : customId(value)),
    url: url(512, ['http', 'https', 'discord']),
    disabled: boolean,
    emoji: object({ may: { id: snowflake, name: text(0, 100), animated: boolean } }),
  },
  whole: (value) =>
    linkOrId(value) ?? (isGiven(value['label']) || isDictionary(value['emoji']) ? undefined : { label: missing() }),
});

const range = { min_values: integer(0, 25), max_values: integer(1, 25), placeholder: text(0, 150), disabled: boolean };

const option = object({
  must: { label: text(1, 100), value: text(1, 100) },
  may: { description: text(0, 100), default: boolean },
});

/** All options at once, of which one is chosen; in a modal alone. */
export const radioGroup = object({
  must: { custom_id: customId, options: list(option, { min: 2, max: 10 }) },
  may: { required: boolean },
});

/** Every select menu by type; type 3 lists its own options, the others offer what the guild has. */
export const selects: Record<number, Check> = {
  3: object({
    must: {
      custom_id: customId,
      options: list(option, { min: 1, max: 25 }),
    },
    may: range,
  }),
  ...Object.fromEntries([5, 6, 7, 8].map((type) => [type, object({ must: { custom_id: customId }, may: range })])),
};

/** A select menu or a text input fills its row, so nothing fits beside it. */
export function tooWide(value: unknown, index: number, all: unknown[]): FieldErrors | undefined {
  const isWide = (one: unknown) => isDictionary(one) && one['type'] !== 2;
  return index > 0 && (isWide(value) || isWide(all[0]))
    ? refuse('COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified component exceeds the maximum width')
    : undefined;
}

const row = object({
  must: { components: list(byType({ 2: button, ...selects }), { min: 1, max: 5, each: tooWide }) },
});

/** Refuses the second component with the same id, anywhere in the message. */
export function sameIdTwice(all: unknown[]): FieldErrors | undefined {
  const seen = new Set<unknown>();
  const visit = (one: Dictionary, path: (string | number)[]): FieldErrors | undefined => {
    if (isGiven(one['custom_id'])) {
      if (seen.has(one['custom_id'])) {
        return at(
          [...path, 'custom_id'],
          refuse('COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated'),
        );
      }
      seen.add(one['custom_id']);
    }
    if (isDictionary(one['component'])) return visit(one['component'], [...path, 'component']);
    return first(dictionaries(one['components']), [...path, 'components'], visit);
  };
  return first(dictionaries(all), [], visit);
}

function first(
  all: Dictionary[],
  path: (string | number)[],
  visit: (one: Dictionary, path: (string | number)[]) => FieldErrors | undefined,
): FieldErrors | undefined {
  for (const [index, one] of all.entries()) {
    const errors = visit(one, [...path, index]);
    if (errors) return errors;
  }
  return undefined;
}

/** The rows below a message: up to five, each of up to five buttons or one select menu. */
export const rows: Check = list(byType({ 1: row }), { max: 5, whole: sameIdTwice });
