interface FieldError {
  code: string;
  message: string;
}

/** The `errors` tree of Discord's 50035: keys and indices down to the field, and its errors there. */
export type FieldErrors = { [key: string]: FieldErrors } | { _errors: FieldError[] };

/** Checks a value that is present; undefined means valid. */
export type Check = (value: unknown) => FieldErrors | undefined;

export type Dictionary = Record<string, unknown>;

export function refuse(code: string, message: string): FieldErrors {
  return { _errors: [{ code, message }] };
}

export const missing = (): FieldErrors => refuse('BASE_TYPE_REQUIRED', 'This field is required');

/** Nests errors below a path, as Discord does. */
export function at(path: (string | number)[], errors: FieldErrors): FieldErrors {
  return path.reduceRight<FieldErrors>((below, key) => ({ [key]: below }), errors);
}

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The dictionaries among the items of a list; empty if it is not a list. */
export function dictionaries(value: unknown): Dictionary[] {
  return Array.isArray(value) ? value.filter(isDictionary) : [];
}

/** Length as Discord counts it: code points, without surrounding white space. */
export function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value.trim()].length : 0;
}

const isAbsent = (value: unknown) => value === undefined || value === null;
const isBlank = (value: unknown) => isAbsent(value) || (typeof value === 'string' && value.trim() === '');

function collect(entries: Iterable<[string | number, FieldErrors | undefined]>): FieldErrors | undefined {
  const found: { [key: string]: FieldErrors } = {};
  for (const [key, errors] of entries) if (errors) found[key] = errors;
  return Object.keys(found).length > 0 ? found : undefined;
}

/** A dictionary: fields in `must` have to be there, those in `may` are checked. `whole` runs once all are valid. */
export function object(rules: {
  must?: Record<string, Check>;
  may?: Record<string, Check>;
  whole?: (value: Dictionary) => FieldErrors | undefined;
}): Check {
  const must = Object.entries(rules.must ?? {});
  const may = Object.entries(rules.may ?? {});
  return (value) => {
    if (!isDictionary(value)) return refuse('MODEL_TYPE_CONVERT', 'Expected an object/dictionary.');
    const errors = collect([
      ...must.map(([key, check]): [string, FieldErrors | undefined] => [
        key,
        isBlank(value[key]) ? missing() : check(value[key]),
      ]),
      ...may.map(([key, check]): [string, FieldErrors | undefined] => [
        key,
        isAbsent(value[key]) ? undefined : check(value[key]),
      ]),
    ]);
    return errors ?? rules.whole?.(value);
  };
}

/** A dictionary whose `type` selects the check. */
export function byType(rules: Record<number, Check>): Check {
  const types = Object.keys(rules);
  const listed = types.length === 1 ? `(${types[0]},)` : `(${types.join(', ')})`;
  return (value) => {
    if (!isDictionary(value)) return refuse('MODEL_TYPE_CONVERT', 'Expected an object/dictionary.');
    if (isAbsent(value['type'])) return at(['type'], missing());
    const check = typeof value['type'] === 'number' ? rules[value['type']] : undefined;
    return check ? check(value) : refuse('UNION_TYPE_CHOICES', `Value of field "type" must be one of ${listed}.`);
  };
}

/** A list of `min` to `max` items; `each` checks an item against the others once every item is valid. */
export function list(
  item: Check,
  limits: {
    min?: number;
    max: number;
    each?: (value: unknown, index: number, all: unknown[]) => FieldErrors | undefined;
    whole?: (all: unknown[]) => FieldErrors | undefined;
  },
): Check {
  return (value) => {
    if (!Array.isArray(value)) return refuse('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
    const all: unknown[] = value;
    return (
      sized(all.length, limits.min ?? 0, limits.max) ??
      collect(all.map((one, index) => [index, item(one)])) ??
      collect(all.map((one, index) => [index, limits.each?.(one, index, all)])) ??
      limits.whole?.(all)
    );
  };
}

/** Refuses a value that occurred earlier. */
export function unlikeEarlier(value: unknown, index: number, all: unknown[]): FieldErrors | undefined {
  return all.indexOf(value) < index
    ? refuse('SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value')
    : undefined;
}

function sized(length: number, min: number, max: number): FieldErrors | undefined {
  if (length >= min && length <= max) return undefined;
  return min > 0
    ? refuse('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
    : refuse('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
}

/** Text of `min` to `max` characters. */
export function text(min: number, max: number): Check {
  return (value) =>
    typeof value === 'string'
      ? sized(lengthOf(value), min, max)
      : refuse('STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`);
}

function ranged(kind: string, value: number, min: number, max: number): FieldErrors | undefined {
  if (value < min) return refuse('NUMBER_TYPE_MIN', `${kind} value should be greater than or equal to ${min}.`);
  if (value > max) return refuse('NUMBER_TYPE_MAX', `${kind} value should be less than or equal to ${max}.`);
  return undefined;
}

const notA = (kind: string, value: unknown) => refuse('NUMBER_TYPE_COERCE', `Value "${String(value)}" is not ${kind}.`);

export function integer(min: number, max: number): Check {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) ? ranged('int', value, min, max) : notA('int', value);
}

export function number(min: number, max: number): Check {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) ? ranged('float', value, min, max) : notA('float', value);
}

/** An id: decimal digits within 63 bits, as a string or (small ones, of files) as a number. */
export const snowflake: Check = (value) => {
  const digits = typeof value === 'number' ? String(value) : value;
  if (typeof digits !== 'string' || !/^\d+$/.test(digits)) return notA('snowflake', value);
  return BigInt(digits) <= 9223372036854775807n
    ? undefined
    : refuse('NUMBER_TYPE_MAX', 'snowflake value should be less than or equal to 9223372036854775807.');
};

export const boolean: Check = (value) =>
  typeof value === 'boolean' ? undefined : refuse('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.');

export function oneOf(choices: readonly (string | number)[]): Check {
  const listed = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : choice)).join(', ');
  return (value) =>
    choices.some((choice) => choice === value)
      ? undefined
      : refuse('BASE_TYPE_CHOICES', `Value must be one of {${listed}}.`);
}

/** Blank, or an absolute URL of at most `max` characters with one of the schemes. */
export function url(max: number, schemes: readonly string[]): Check {
  const long = text(0, max);
  return (value) => {
    const wrong = long(value);
    if (wrong) return wrong;
    const written = String(value).trim();
    if (written === '') return undefined;
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(written)?.[1]?.toLowerCase();
    if (!scheme || !URL.canParse(written)) return refuse('URL_TYPE_INVALID_URL', 'Not a well formed URL.');
    const listed = schemes.map((one) => `'${one}'`).join(', ');
    return schemes.includes(scheme)
      ? undefined
      : refuse('URL_TYPE_INVALID_SCHEME', `Scheme "${scheme}" is not supported. Scheme must be one of (${listed}).`);
  };
}
