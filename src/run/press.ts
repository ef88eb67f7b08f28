import { setTimeout as delay } from 'node:timers/promises';
import { trusted } from '../card.ts';
import type { RawOptions } from '../outcome.ts';
import type { RunState } from '../runs/state.ts';
import { note } from './notes.ts';
import { invokeObserved } from './observed.ts';
import type { Click, Invocation, RunParts } from './parts.ts';

/** How long to wait for the entries of other processes, in ms: Discord expires the interaction after 3 seconds. */
const refreshTimeout = 1_500;

/** How long to wait for the record of a denial, and how often to look, in ms. */
const recordTimeout = 1_000;
const pause = 20;

/** The runs of a card, which another process may have made. A denial is shown before it is recorded: waits for that. */
export async function runsNow({ ledger }: RunParts, invocationId: string): Promise<RunState[]> {
  await Promise.race([ledger.refresh().catch(() => undefined), delay(refreshTimeout)]);
  const since = performance.now();
  while (ledger.runs(invocationId).length === 0 && performance.now() - since < recordTimeout) await delay(pause);
  return ledger.runs(invocationId);
}

/** The options of a command for these servers only. */
export const onlyServers = (options: RawOptions, servers: readonly number[]): RawOptions =>
  servers.length === 0 ? options : { ...options, server: servers.join(',') };

/** Starts a command as if the clicking person had typed it. `undoes`: the invocation that it undoes. `since`: the entry that it goes on from. */
export const startCommand = (
  parts: RunParts,
  { interaction, actor, place, button, mayReturn, reply }: Click,
  command: string,
  options: RawOptions,
  { undoes, since, denied, glass }: Pick<Invocation, 'undoes' | 'since' | 'denied' | 'glass'> = {},
): Promise<void> =>
  invokeObserved(parts, {
    interaction,
    actor,
    place,
    command,
    options,
    undoes,
    since,
    denied,
    glass,
    button,
    mayReturn,
    reply,
  });

/**
 * Acknowledges a click and claims it. `answered`: `taken` if it was already answered, perhaps here. Undefined: another
 * process has it, or the person got another message.
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

/** Says that the button's action is no longer available. */
export async function sayGone({ reply }: Click): Promise<void> {
  const words =
    "Nothing of this card is left to do, or the bot's ledger does not have it. If you still want it, type the command.";
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}
