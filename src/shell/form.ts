import { meantCard } from '../cards/render/asking.ts';
import type { Asks, Command, PreparedLocal } from '../command.ts';
import type { Unexplained } from '../decide/authorize.ts';
import { maxReasonLength, titleOf } from '../decide/form.ts';
import { nameOf } from '../decide/notes.ts';
import type { RawOptions } from '../outcome.ts';
import type { Invocation, RunParts } from './parts.ts';

const prefix = 'reason:';
export const isForm = (id: string): boolean => id.startsWith(prefix);
/** The id of the typed command's interaction. */
export const interactionOf = (form: string): string => form.slice(prefix.length);

/** How long Discord takes what is submitted, in ms. */
const formTime = 15 * 60_000;
const maxForms = 1_000;
/**
 * Asks for the reason that the policy wants, instead of having the line typed again. What is submitted goes on with the
 * command.
 */
export async function openForm(
  parts: RunParts,
  invocation: Invocation,
  { command, servers, options }: Unexplained,
): Promise<void> {
  const { interaction, reply } = invocation;
  keep(parts, invocation, options);
  const label = 'Why? For the ledger and the card';
  await reply.ask({
    id: `${prefix}${interaction.id}`,
    title: titleOf(nameOf(command), servers),
    label,
    longest: maxReasonLength,
  });
}

/** Asks in private whether that is meant. The button goes on with the command, with the times of now. */
export async function askFirst(
  parts: RunParts,
  invocation: Invocation,
  command: Command,
  { options, subject }: PreparedLocal,
  asks: Asks,
): Promise<void> {
  keep(parts, invocation, options);
  const card = meantCard({ command: nameOf(command), subject, ...asks }, invocation.interaction.id);
  await invocation.reply.refuse(card);
}

function keep({ forms, now }: RunParts, invocation: Invocation, options: RawOptions): void {
  const { interaction, reply: _reply, mayReturn: _mayReturn, ...rest } = invocation;
  for (const [id, { until }] of forms) if (until <= now() || forms.size >= maxForms) forms.delete(id);
  forms.set(interaction.id, { ...rest, options, until: now() + formTime });
}
