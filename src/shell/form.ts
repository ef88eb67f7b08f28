import type { Unexplained } from '../decide/authorize.ts';
import { maxReasonLength, titleOf } from '../decide/form.ts';
import { nameOf } from '../decide/notes.ts';
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
  { forms, now }: RunParts,
  invocation: Invocation,
  { command, servers, options }: Unexplained,
): Promise<void> {
  const { interaction, reply, mayReturn: _, ...rest } = invocation;
  for (const [id, { until }] of forms) if (until <= now() || forms.size >= maxForms) forms.delete(id);
  forms.set(interaction.id, { ...rest, options, until: now() + formTime });
  const label = 'Why? For the ledger and the card';
  await reply.ask({
    id: `${prefix}${interaction.id}`,
    title: titleOf(nameOf(command), servers),
    label,
    longest: maxReasonLength,
  });
}
