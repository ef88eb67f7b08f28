import { z } from 'zod';
import type { Loose, Strange } from '../outcome.ts';
import type { EndpointName } from './endpoints.ts';
import { readable } from './readable.ts';
import { answersOf, type Parts } from './schemas.ts';

/** The reads whose answers people are shown. */
const shownReads = ['groups', 'group', 'resources', 'firewall', 'traffic'] as const satisfies readonly EndpointName[];

/** Fields that hold secrets in a real panel's answers, or that are named as if they did. */
const secret = /pass|secret|token|key|auth|credential|cookie|session|private|mail|vnc/i;

/** So many parts that do not fit are no exception: then the answer is shown as it came. */
const maxMisfits = 250;
/** How many values and characters of all of them are shown; a file of more is read by nobody. */
const maxShown = 20_000;

/**
 * Reads an answer that does not match its schema: `data` is the part that does, `strange` the raw rest. For display only;
 * nothing may depend on it. Undefined if there is nothing to show.
 */
export function readLoosely(
  endpoint: EndpointName,
  body: unknown,
  redact: (text: string) => string,
): Loose | undefined {
  const name = shownReads.find((each) => each === endpoint);
  if (name === undefined) return undefined;
  const strange: Strange[] = [];
  const shown = (found: readonly Strange[]): Strange[] =>
    found.map(({ what, value }) => {
      const read = readable(value, redact, maxShown / found.length);
      return { what, value: read === undefined ? '(too large to show)' : withoutSecrets(read) };
    });
  const parsed = answersOf(lenient(strange))[name].safeParse(body);
  if (parsed.success && strange.length < maxMisfits)
    return { data: readable(parsed.data, redact), strange: shown(strange) };
  const content = contentOf(body);
  return isRecord(content) && Object.keys(content).length > 0
    ? { strange: shown([{ what: 'answer', value: content }]) }
    : undefined;
}

/** Most answers wrap their content in `data`; of a page it is one member among others. */
function contentOf(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { data, ...beside } = body;
  return isRecord(data) || Object.keys(beside).length === 0 ? data : body;
}

/** Lists and parts that collect what does not match instead of failing. */
const lenient = (misfits: Strange[]): Parts => ({
  list: (row, what) =>
    z.array(z.unknown()).transform((rows) =>
      rows.flatMap((value) => {
        const before = misfits.length;
        if (before >= maxMisfits) return [];
        const parsed = row.safeParse(value);
        if (parsed.success) return [parsed.data];
        // Show the whole row instead of the parts of it that did not match.
        misfits.splice(before, misfits.length, { what, value });
        return [];
      }),
    ),
  part: (schema, what) =>
    z
      .unknown()
      .optional()
      .transform((value) => {
        const parsed = schema.nullable().safeParse(value);
        if (parsed.success) return parsed.data;
        if (value !== undefined) misfits.push({ what, value });
        return null;
      }),
});

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, secret.test(name) ? '(hidden)' : withoutSecrets(each)]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
