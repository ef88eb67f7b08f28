import { createHash } from 'node:crypto';
import { z } from 'zod';
import { jsonOf, type Steps } from '../walk.ts';
import type { Listed, ServerList } from './list.ts';

/** The first line of a stored list. `sum`: of the others, which are as the bot wrote them, or not read at all. */
const head = z.object({
  form: z.literal(1),
  at: z.number(),
  digest: z.string(),
  accepted: z.number(),
  sum: z.string(),
});

/** A line about the list, then lines of servers, each behind a line break. */
export function* linesOf({ servers, ...about }: ServerList): Steps<string[]> {
  const hash = createHash('sha256');
  const lines: string[] = [];
  yield* jsonOf(servers, (text) => {
    hash.update(text);
    lines.push(`\n${text}`);
  });
  return [JSON.stringify({ form: 1, ...about, sum: hash.digest('hex') }), ...lines];
}

/** Throws where it is anything else than what `linesOf` made. */
export function* listIn(text: string): Steps<ServerList> {
  const [first = '', ...lines] = text.split('\n');
  const { sum, form: _, ...about } = head.parse(JSON.parse(first));
  const hash = createHash('sha256');
  const servers: Listed[] = [];
  for (const line of lines) {
    hash.update(line);
    // The sum will say that the bot wrote it, and the form that it wrote this.
    servers.push(...(JSON.parse(line) as Listed[]));
    yield;
  }
  if (hash.digest('hex') !== sum) throw new Error('it is not as it was written');
  return { ...about, servers };
}
