import { z } from 'zod';
import { type Nameable, namesCommand } from './pattern.ts';
import { list, row, says } from './shape.ts';

/** How many servers one command may be about, and which commands, of those that take one, take several. */
export interface Several {
  most: number;
  also: readonly string[];
}

/** On a card of this many servers there is still a line for each; and the person's looks of a minute are enough. */
const largest = 20;

const most = `The most servers of one command: a whole number from 1 to ${largest}.`;
const also = 'A list of commands that take one server and may take several: command ids, globs.';

/** rules.ts checks which commands are meant. */
export const several = row(
  {
    most: z.int(says(most)).min(1, says(most)).max(largest, says(most)).default(10),
    also: list(z.string(says(also)), also).default([]),
  },
  'several is a mapping of',
);

/** Whether a command's `server` takes several: always, or where the policy says so. */
export type Takes = 'always' | 'where-allowed';

/** The most servers that one such command may be about. `takes` is missing if it is about one. */
export function mostServers(rules: Several, command: Nameable, takes: Takes | undefined): number {
  const isTaken =
    takes === 'always' || (takes === 'where-allowed' && rules.also.some((rule) => namesCommand(rule, command)));
  return isTaken ? rules.most : 1;
}
