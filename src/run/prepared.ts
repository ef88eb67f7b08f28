import type { Command, PreparedChange } from '../command.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import type { Rules } from './parts.ts';

/** The command of a run as it was then; undefined where the policy or the command does not let it be read any more. */
export function preparedOf(
  { commands, rules, now }: { commands: readonly Command[]; rules: Pick<Rules, 'find'>; now(): number },
  of: { command: string; options: RawOptions } | undefined,
): PreparedChange | undefined {
  const command = commands.find(({ id }) => id === of?.command);
  if (command === undefined || of === undefined) return undefined;
  try {
    const prepared = command.prepare(of.options, { now: now(), find: rules.find });
    return prepared.kind === 'change' ? prepared : undefined;
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
}
