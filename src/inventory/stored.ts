import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Steps } from '../walk.ts';
import type { Listed, ServerList } from './list.ts';

/** The first line of a stored list. `sum`: of the second one, which is as the bot wrote it, or not read at all. */
const head = z.object({
  form: z.literal(1),
  at: z.number(),
  digest: z.string(),
  accepted: z.number(),
  sum: z.string(),
});

const blockLength = 65_536;

/** Two lines: about the list, and its servers. */
export function* textOf({ servers, ...about }: ServerList): Steps<string> {
  const hash = createHash('sha256');
  const blocks: string[] = [];
  let block = '[';
  const end = (): void => {
    hash.update(block);
    blocks.push(block);
    block = '';
  };
  for (const [at, each] of servers.entries()) {
    block += (at === 0 ? '' : ',') + JSON.stringify(each);
    if (block.length > blockLength) end();
    yield;
  }
  block += ']';
  end();
  return [JSON.stringify({ form: 1, ...about, sum: hash.digest('hex') }), '\n', ...blocks].join('');
}

/** Throws where it is anything else than what `textOf` made. */
export function listIn(text: string): ServerList {
  const [first = '', second = ''] = text.split('\n');
  const { sum, form: _, ...about } = head.parse(JSON.parse(first));
  if (createHash('sha256').update(second).digest('hex') !== sum) throw new Error('it is not as it was written');
  // The sum says that the bot wrote it, and the form that it wrote this.
  return { ...about, servers: JSON.parse(second) as Listed[] };
}
