import { type Card, trusted } from '../card.ts';
import { meantCard } from '../cards/render/asking.ts';
import type { Asks, Command, PreparedLocal } from '../command.ts';
import { type Answer, answer, type Decision, type Press, type Request, type Snapshot } from './decision.ts';
import { nameOf, note } from './notes.ts';

/** How long Discord takes what is submitted, and a button waits, in ms. */
export const formTime = 15 * 60_000;

/** Asks in private whether that is meant. The button goes on with the command, with the times of now. */
export function askFirst(
  { now }: Snapshot,
  { interaction, actor, place }: Request,
  command: Command,
  { options, subject }: PreparedLocal,
  asks: Asks,
): Answer {
  const typed = { command: command.id, options, isMeant: true as const };
  return answer(meantCard({ command: nameOf(command), subject, ...asks }, interaction.id), {
    meant: { command: typed, person: actor.id, channel: place.channel, until: now() + formTime },
  });
}

/** The button of what was asked first. It keeps the id of the typed command. */
export function go({ meant, now }: Snapshot, { actor, place, payload }: Press): Decision {
  const of = meant.get(payload);
  if (of?.person !== actor.id || of.channel !== place.channel || of.until <= now()) return gone;
  return { kind: 'command', command: of.command, of: payload, once: onceFor(payload, 'this button') };
}

const gone = answer(
  note(
    'not-sent',
    'this button',
    trusted('The bot does not have this button: it is too old, or the bot was restarted since. Nothing was sent now.'),
    trusted('Type the command again.'),
  ),
);

export const onceFor = (id: string, what: string) => ({
  key: `goes on ${id}`,
  otherwise: sentAlready(what),
  isFinal: true as const,
});

export const sentAlready = (what: string): Card =>
  note('not-sent', what, trusted('This was sent already: see the card that came of it. This time, nothing was sent.'));
