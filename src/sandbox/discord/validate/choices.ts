import { type Check, type FieldErrors, integer, list, number, object, text } from './check.ts';

const LARGEST = 2 ** 53;

const words = text(0, 100);
const double = number(-LARGEST, LARGEST);

/** The value of a choice, by its option's type: text, integer or number. */
export const choiceValue = { text: words, integer: integer(-LARGEST, LARGEST), number: double };

/** At most 25 choices whose values pass `value`. */
export function choices(value: Check): Check {
  return list(object({ must: { name: text(1, 100), value } }), { max: 25 });
}

const suggestions = object({
  must: { choices: choices((value) => (typeof value === 'number' ? double(value) : words(value))) },
});

/** `data` of an answer to an autocomplete interaction. */
export function checkChoices(body: unknown): FieldErrors | undefined {
  return suggestions(body);
}
