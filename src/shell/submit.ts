import { block, trusted } from '../card.ts';
import { maxReasonLength } from '../decide/form.ts';
import { note } from '../decide/notes.ts';
import { interactionOf } from './form.ts';
import { invokeObserved } from './observed.ts';
import type { RunParts, Submission } from './parts.ts';
import { isFirst } from './pipeline.ts';

/**
 * A submitted form: the command goes its whole way with the reason, decided with the roles of now. It keeps the id of
 * the typed command, so that the ledger takes it once, however often the form is submitted.
 */
export async function submitForm(parts: RunParts, submitted: Submission): Promise<void> {
  const { interaction, form: name, typed, actor, place, reply, mayReturn } = submitted;
  if (!isFirst(parts, `form ${interaction.id}`)) return;
  const id = interactionOf(name);
  const form = parts.forms.get(id);
  const isTheirs = form?.actor.id === actor.id && form.place.channel === place.channel && form.until > parts.now();
  if (form === undefined || !isTheirs) return sayLost(submitted);
  if (!isFirst(parts, name)) {
    const words = 'This form was submitted already: see the card that came of it. This time, nothing was sent.';
    return void (await reply.refuse(note('not-sent', 'this form', trusted(words))));
  }
  await invokeObserved(parts, {
    ...form,
    ...{ interaction: { id, token: interaction.token }, isForm: true, actor, place, mayReturn, reply },
    options: { ...form.options, reason: typed.slice(0, maxReasonLength) },
  });
}

async function sayLost({ reply, typed }: Submission): Promise<void> {
  const words = 'The bot does not have this form: it is too old, or the bot was restarted since. Nothing was sent now.';
  const next = trusted('Type the command again. Your reason:');
  await reply.refuse(note('not-sent', 'this form', trusted(words), next, block(typed))).catch(() => undefined);
}
