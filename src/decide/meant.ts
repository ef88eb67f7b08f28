import { type Card, trusted } from '../card.ts';
import { meantCard } from '../cards/render/asking.ts';
import type { Asks, Command, PreparedLocal } from '../command.ts';
import {
  type Answer,
  answer,
  type Decision,
  type Form,
  type Meant,
  type Press,
  type Request,
  type Snapshot,
} from './decision.ts';
import { nameOf, note, notSent, titleOf } from './notes.ts';

/** How long Discord takes what is submitted, and a button waits, in ms. */
export const formTime = 15 * 60_000;

/** Discord's limit for what one can be chosen from. */
const maxChoices = 25;

/** Stands for what was typed: a form takes no empty value. */
const asTyped = '*';

/** Asks in private whether that is meant, by a form or a button. It goes on with the command, with the times of now. */
export function askFirst(
  { now }: Snapshot,
  { interaction, actor, place, typed: submitted }: Request,
  command: Command,
  { options, subject }: PreparedLocal,
  { choice, ...asks }: Asks,
): Answer | Extract<Decision, { kind: 'form' }> {
  const typed = { command: command.id, options, isMeant: true as const };
  const meant: Meant = { command: typed, person: actor.id, channel: place.channel, until: now() + formTime };
  const { values = [] } = choice ?? {};
  if (choice === undefined || submitted !== undefined || values.length === 0 || values.length >= maxChoices)
    return answer(meantCard({ command: nameOf(command), subject, ...asks }, interaction.id), { meant });
  const given = values.map((value) => ({ value, label: value }));
  const form: Form = {
    id: `go:${interaction.id}`,
    title: titleOf(nameOf(command), []),
    choice: { label: choice.label, options: [{ value: asTyped, label: choice.all }, ...given] },
  };
  return { kind: 'form', form, meant: { ...meant, option: choice.option } };
}

/** The button or the form of what was asked first. It keeps the id of the typed command. */
export function go({ recent, now }: Snapshot, { actor, place, payload, chosen }: Press): Decision {
  const of = recent.get(payload);
  const what = chosen === undefined ? 'this button' : 'this form';
  if (typeof of !== 'object' || of.person !== actor.id || of.channel !== place.channel || of.until <= now())
    return gone(what);
  const { command, option } = of;
  if ((option === undefined) !== (chosen === undefined)) return gone(what);
  const given = option === undefined || chosen === undefined || chosen === asTyped ? {} : { [option]: chosen };
  const going = { ...command, options: { ...command.options, ...given } };
  return { kind: 'command', command: going, of: payload, once: onceFor(payload, what) };
}

const gone = (what: string): Answer =>
  notSent(
    what,
    trusted(`The bot does not have ${what}: it is too old, or the bot was restarted since. Nothing was sent now.`),
    trusted('Type the command again.'),
  );

export const onceFor = (id: string, what: string) => ({
  key: `goes on ${id}`,
  otherwise: sentAlready(what),
  isFinal: true as const,
});

export const sentAlready = (what: string): Card =>
  note('not-sent', what, trusted('This was already sent: see the card that came of it. Nothing was sent this time.'));
