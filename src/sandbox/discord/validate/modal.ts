import {
  boolean,
  byType,
  type Dictionary,
  type FieldErrors,
  integer,
  list,
  object,
  oneOf,
  refuse,
  text,
} from './check.ts';
import { customId, radioGroup, sameIdTwice, selects, tooWide } from './components.ts';

const label = text(1, 45);

function shortestAboveLongest(input: Dictionary): FieldErrors | undefined {
  const { min_length: min, max_length: max } = input;
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? { min_length: refuse('NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`) }
    : undefined;
}

const inputRules = {
  must: { custom_id: customId, style: oneOf([1, 2]) },
  may: {
    min_length: integer(0, 4000),
    max_length: integer(1, 4000),
    placeholder: text(0, 100),
    value: text(0, 4000),
    required: boolean,
  },
  whole: shortestAboveLongest,
};

const labelledInput = object({ ...inputRules, must: { ...inputRules.must, label } });

const modal = object({
  must: {
    custom_id: customId,
    title: text(1, 45),
    components: list(
      byType({
        1: object({ must: { components: list(byType({ 4: labelledInput }), { min: 1, max: 5, each: tooWide }) } }),
        // In the newer layout the label wraps the input, which then has no label of its own.
        18: object({
          must: { label, component: byType({ 4: object(inputRules), 21: radioGroup, ...selects }) },
          may: { description: text(0, 100) },
        }),
      }),
      { min: 1, max: 5, whole: sameIdTwice },
    ),
  },
});

/** `data` of an answer that opens a modal. */
export function checkModal(body: unknown): FieldErrors | undefined {
  return modal(body);
}
