import { block, type Card, type Markup, trusted } from '../card.ts';
import { maxReasonLength } from '../decide/form.ts';
import { note } from '../decide/notes.ts';
import type { RawOptions } from '../outcome.ts';
import { interactionOf } from './form.ts';
import { invokeObserved } from './observed.ts';
import type { Click, RunParts, Submission } from './parts.ts';
import { isFirst } from './pipeline.ts';

/** A submitted form: the command goes on with the reason. */
export async function submitForm(parts: RunParts, submitted: Submission): Promise<void> {
  const { interaction, form, typed } = submitted;
  if (!isFirst(parts, `form ${interaction.id}`)) return;
  const lost = gone('this form', trusted('Type the command again. Your reason:'), block(typed));
  await goOn(parts, submitted, interactionOf(form), lost, { reason: typed.slice(0, maxReasonLength) });
}

/** The button of what was asked first: the command goes on. */
export const pressGo = (parts: RunParts, clicked: Click, id: string): Promise<void> =>
  goOn(parts, clicked, id, gone('this button', trusted('Type the command again.')));

/**
 * Goes the whole way of a command that waits, decided with the roles of now. It keeps the id of the typed command, so
 * that the ledger takes it once, however often this is pressed.
 */
async function goOn(
  parts: RunParts,
  {
    interaction: { token },
    actor,
    place,
    reply,
    mayReturn,
  }: Pick<Submission, 'interaction' | 'actor' | 'place' | 'reply' | 'mayReturn'>,
  id: string,
  lost: Card,
  more: RawOptions = {},
): Promise<void> {
  const form = parts.forms.get(id);
  const isTheirs = form?.actor.id === actor.id && form.place.channel === place.channel && form.until > parts.now();
  if (form === undefined || !isTheirs) return void (await reply.refuse(lost).catch(() => undefined));
  if (!isFirst(parts, `goes on ${id}`)) {
    const words = 'This was sent already: see the card that came of it. This time, nothing was sent.';
    return void (await reply.refuse(note('not-sent', lost.command, trusted(words))));
  }
  await invokeObserved(parts, {
    ...form,
    ...{ interaction: { id, token }, isForm: true, actor, place, mayReturn, reply },
    options: { ...form.options, ...more },
  });
}

const gone = (what: string, ...next: Markup[]): Card =>
  note(
    'not-sent',
    what,
    trusted(`The bot does not have ${what}: it is too old, or the bot was restarted since. Nothing was sent now.`),
    ...next,
  );
