import { type Card, joined, list, type Markup, md, moment, quote, trusted } from '../card.ts';
import type { ScheduleNow } from '../on-call/shift.ts';
import { spanText } from '../time.ts';

const people = (ids: readonly string[]): Markup => list(ids.map((id) => trusted(`<@${id}>`)));

/** Who has the shift, until when, who next: a line. */
export function shiftLine({ name, shift }: ScheduleNow): Markup {
  const head = trusted(`**${name}**:`);
  if (shift === undefined) return md`${head} not known. Its calendar could not be read yet.`;
  const { people: now, unmatched, until, next } = shift;
  const end = until === undefined ? [] : [md`until ${moment(until, 'f')} (${moment(until)})`];
  const who =
    now.length > 0 ? people(now) : trusted(unmatched.length > 0 ? 'nobody whom the policy knows' : '**nobody**');
  const gap = trusted(now.length + unmatched.length > 0 ? '' : ': there is a gap');
  const then =
    next === undefined
      ? trusted('Nobody is next in the calendar.')
      : md`Next: ${people(next.people)}${next.at === until ? trusted('') : md` ${moment(next.at, 'f')}`}.`;
  return md`${joined([head, who, ...end], ' ')}${gap}. ${then}`;
}

/** A calendar may name anybody. */
const mostNamed = 5;

/** What is odd about it, a sentence each. */
export function oddities({ name, shift, gone }: ScheduleNow): Markup[] {
  if (shift === undefined) return [];
  const too = trusted(shift.people.length > 0 ? ', too' : '');
  return [
    ...(shift.people.length > 1 ? [trusted('Shifts overlap: each of them is on call.')] : []),
    ...shift.unmatched
      .slice(0, mostNamed)
      .map(
        (who) =>
          md`${quote(who)} has this shift${too}, but \`people\` of ${trusted(name)} in the policy has no such entry.`,
      ),
    ...(gone.length > 0 ? [md`${people(gone)} left the guild, or have no role in it. Change the calendar.`] : []),
  ];
}

/** How old what is known of it is, and what that means. */
export const ageLine = ({ age }: ScheduleNow): Markup[] =>
  age === undefined
    ? []
    : [
        trusted(
          `-# The calendar was read ${spanText(age)} ago.${age < 3_600_000 ? '' : ' Rights of this shift wait until it is read again.'}`,
        ),
      ];

/** The handover at the change of a shift. `open`: how much is, which everybody in the channel may know. */
export function shiftCard(schedule: ScheduleNow, open: Markup | undefined): Card {
  const { name, shift } = schedule;
  const { people: now = [], before = [], unmatched = [], since = 0, until } = shift ?? {};
  const end = until === undefined ? trusted('') : md`, until ${moment(until, 'f')}`;
  const gap = trusted(unmatched.length > 0 ? '' : ': there is a gap');
  const from = before.length === 0 ? trusted('Nobody') : people(before);
  return {
    state: 'alert',
    command: 'Handover',
    title: md`Handover: ${trusted(name)}`,
    fact:
      now.length > 0
        ? md`${people(now)} ${trusted(now.length > 1 ? 'have' : 'has')} the shift now${end}.`
        : md`Nobody has the shift now${end}${gap}.`,
    body: [
      md`${from} had it before, until ${moment(since, 'f')}.`,
      ...oddities(schedule),
      open === undefined ? trusted('Nothing is open.') : md`Open: ${open}.`,
    ],
    next: open === undefined ? [] : [trusted('/handover shows which, since when and by whom.')],
    // A shift that changes hands is told again.
    run: `shift ${name} ${new Date(since).toISOString()} ${now.join()}`,
  };
}
