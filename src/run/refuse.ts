import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '../defined.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import type { Denial, Refusal } from './authorize.ts';
import { keptOptions } from './denials.ts';
import { type Invocation, kept, type RunParts, type Told } from './parts.ts';

type Refused = Pick<Invocation, 'interaction' | 'actor' | 'place' | 'options'> & {
  reply: Pick<Invocation['reply'], 'refuse'>;
};

/** How long Discord accepts a first answer, in ms. */
const answerTime = 3_000;

/** Answers privately. Records a denial once, however often it is delivered and even if the answer fails. */
export async function refuse(parts: RunParts, refused: Refused, { card, denial }: Refusal): Promise<Told> {
  const answered = refused.reply.refuse(card);
  if (denial !== undefined) {
    // Answer before claiming: another process that handles this command must not find it claimed.
    const unknown = delay(answerTime, 'unknown', { ref: false });
    const said = await Promise.race([answered.catch(() => 'unknown'), unknown]);
    // Without an answer, record without a claim: if another process records it too, the ledger accepts one of the two.
    const isOurs = said === 'unknown' || (said !== 'taken' && (await parts.claim(refused.interaction.id)) !== 'theirs');
    if (isOurs) await recordDenial(parts, refused, denial);
  }
  return (await answered) === 'taken' ? undefined : card.state;
}

/** Records a denial for auditors. */
export function recordDenial(
  { denials, observe }: Pick<RunParts, 'denials' | 'observe'>,
  { actor, place, options, interaction }: Omit<Refused, 'reply'>,
  { command, decision }: Denial,
): Promise<void> {
  const { server } = decision;
  observe.ended(command.id, 'denied');
  return denials.record({
    run: runIdOf(invocationIdOf(interaction.id), 1),
    kind: 'denied',
    actor,
    command: command.id,
    options: keptOptions(options),
    ...defined({ server: server && kept(server) }),
    place: { guild: place.guild, channel: place.channel },
    outcome: 'denied',
    reason: 'denied',
  });
}
