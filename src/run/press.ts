import { setTimeout as delay } from 'node:timers/promises';
import { trusted } from '../card.ts';
import { defined } from '../defined.ts';
import type { RawOptions } from '../outcome.ts';
import type { RunState } from '../runs/state.ts';
import { note } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { invoke } from './pipeline.ts';

/** How long another process's entries are waited for, in ms: Discord wants its first answer within 3 seconds. */
const catchUp = 1_500;

/** The runs of a card, which may be another process's. */
export async function runsNow({ ledger }: RunParts, invocationId: string): Promise<RunState[]> {
  await Promise.race([ledger.refresh().catch(() => undefined), delay(catchUp)]);
  return ledger.runs(invocationId);
}

/** The options of a command for these servers only. */
export const only = (options: RawOptions, servers: readonly number[]): RawOptions =>
  servers.length === 0 ? options : { ...options, server: servers.join(',') };

/** The full way of a command, as if it had been typed by whoever clicks. `undoes`: the invocation that it is to undo. */
export const start = (
  parts: RunParts,
  { interaction, actor, place, mayReturn, reply }: Click,
  command: string,
  options: RawOptions,
  undoes?: string,
): Promise<void> =>
  invoke(parts, {
    interaction,
    actor,
    place,
    command,
    options,
    ...defined({ undoes }),
    mayReturn,
    reply,
  });

/**
 * The first answer to a click that stays below its card, by the process that has the claim. `answered`: 'taken' when it was given before,
 * perhaps here. Undefined: another process has it, or the person was told something else.
 */
export async function takeClick(
  { claim }: Pick<RunParts, 'claim'>,
  { interaction, reply }: Click,
): Promise<{ answered: 'ours' | 'taken'; claimed: 'ours' | 'unknown' } | undefined> {
  const answered = await reply.defer();
  if (answered.kind === 'gone') return undefined;
  const claimed = await claim(interaction.id);
  if (claimed === 'theirs' || (await answered.message()) === undefined) return undefined;
  return { answered: answered.kind, claimed };
}

/** What the button stood for is not there any more. */
export async function gone({ reply }: Click): Promise<void> {
  const words =
    "Nothing of this card is left to do, or the bot's ledger does not have it. If you still want it, type the command.";
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}
