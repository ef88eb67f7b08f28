import { z } from 'zod';
import { nearestIs } from '../text.ts';
import { durationOf } from '../time.ts';

/** An error in the policy or its inventory: where ("roles[1].allow[0] (line 9)"), and the rule. Never a value. */
export interface Problem {
  place: string;
  rule: string;
}

/** A broken rule, and the path of keys and indexes to it. */
export interface Finding {
  path: readonly PropertyKey[];
  rule: string;
}

/** One message for every way a value can be wrong: it says what is right. */
export function says(rule: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? `Missing. ${rule}` : rule) };
}

/** A mapping with exactly these keys. `what` is the subject of the error message. Of unknown keys, each has a line of it. */
export function row<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string) {
  const known = Object.keys(shape);
  const unknown = (key: string) => `Unknown key.${nearestIs(key, known)} Known here: ${known.join(', ')}.`;
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map(unknown).join('\n') : `${what}: ${known.join(', ')}.`,
  });
}

/** A non-empty list. */
export const list = <Item extends z.ZodType>(item: Item, rule: string) => z.array(item, says(rule)).min(1, says(rule));

export const text = (rule: string, form: RegExp) => z.string(says(rule)).regex(form, says(rule));
/** A non-empty list of texts, which rules.ts looks into. */
export const texts = (rule: string) => list(z.string(says(rule)), rule);
export const snowflake = (rule: string) => text(rule, /^\d{17,19}$/);
export const whole = (rule: string, most = Number.MAX_SAFE_INTEGER) =>
  z.int(says(rule)).min(1, says(rule)).max(most, says(rule));

/** YAML 1.2 reads on and off as strings. */
export const onOff = z
  .union([z.enum(['on', 'off']), z.boolean()], says('on or off.'))
  .transform((value) => value === 'on' || value === true);

const pointer = 'A JSON pointer into the answer, such as /data/status.';
export const jsonPointer = () => text(pointer, /^(?:\/(?:[^/~]|~[01])*)+$/);

/** A duration of one unit, as ms. `more`: what the rule says beyond the bounds. */
export function duration(least: string, most: string, more = '') {
  const rule = `A duration from ${least} to ${most}: a whole number with m, h or d${more}.`;
  const [from = 0, to = 0] = [durationOf(least), durationOf(most)];
  const msOf = (typed: string): number => (/^\d+[mhd]$/.test(typed) ? durationOf(typed) : undefined) ?? 0;
  return z
    .string(says(rule))
    .refine((typed) => from <= msOf(typed) && msOf(typed) <= to, says(rule))
    .transform(msOf);
}

/** A name of a role, a tier or a schedule. */
export const label = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}$/;

/** Where a value is that is there before already, and where that is. */
export function twiceIn(values: readonly unknown[]): { at: number; first: number }[] {
  if (new Set(values).size === values.length) return [];
  const firsts = new Map<unknown, number>();
  return values.flatMap((value, at) => {
    const first = firsts.get(value) ?? at;
    firsts.set(value, first);
    return value === undefined || first === at ? [] : [{ at, first }];
  });
}

/** What each entry of a list breaks, as a sentence. What is no list is the schema's to report. */
export const eachOf = (key: string, values: unknown, about: (entry: unknown) => string | undefined): Finding[] =>
  items(values).flatMap((entry, at) => {
    const rule = about(entry);
    return rule === undefined ? [] : [{ path: [key, at], rule }];
  });

export const items = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const under = (path: readonly PropertyKey[], findings: readonly Finding[]): Finding[] =>
  findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
