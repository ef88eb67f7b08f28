import { joined, list, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import { defineLocal } from '../src/command.ts';
import type { ScheduleNow } from '../src/on-call/now.ts';
import { spanText } from '../src/time.ts';

const whoIsOnCall = defineLocal({
  id: 'oncall',
  danger: 'read',
  description: 'Who is on call now, until when, and who is next',
  example: '/oncall',
  options: {},
  title: () => trusted('Who is on call'),
  async act(_input, { onCall }) {
    const schedules = onCall.now();
    if (schedules.length === 0)
      return { fact: trusted('The policy has no schedule.'), body: [trusted('Its key `on-call` names calendars.')] };
    const named = schedules.flatMap(({ shift }) => [...(shift?.people ?? []), ...(shift?.next?.people ?? [])]);
    const gone = await onCall.gone([...new Set(named)]);
    return { body: schedules.flatMap((each) => [shiftOf(each), ...notesOn(each, gone)]) };
  },
});

const people = (ids: readonly string[]): Markup => list(ids.map((id) => trusted(`<@${id}>`)));

/** Who, until when, who next: a line. */
function shiftOf({ name, shift }: ScheduleNow): Markup {
  const head = trusted(`**${name}**:`);
  if (shift === undefined) return md`${head} not known. Its calendar could not be read yet.`;
  const { people: now, until, next } = shift;
  const end = until === undefined ? [] : [md`until ${moment(until, 'f')} (${moment(until)})`];
  const then =
    next === undefined
      ? trusted('Nobody is next in the calendar.')
      : md`Next: ${people(next.people)}${next.at === until ? trusted('') : md` ${moment(next.at, 'f')}`}.`;
  return now.length === 0
    ? md`${joined([head, trusted('**nobody**'), ...end], ' ')}: there is a gap. ${then}`
    : md`${joined([head, people(now), ...end], ' ')}. ${then}`;
}

function notesOn({ name, age, shift }: ScheduleNow, gone: readonly string[]): Markup[] {
  if (age === undefined || shift === undefined) return [];
  const left = [...new Set([...shift.people, ...(shift.next?.people ?? [])])].filter((id) => gone.includes(id));
  const read = age < 60_000 ? 'less than a minute' : spanText(age);
  return [
    ...(shift.people.length > 1 ? [trusted('Shifts overlap: each of them is on call.')] : []),
    ...shift.unmatched.map(
      (who) =>
        md`${quote(who)} has this shift, too, but \`people\` of ${trusted(name)} in the policy has no such entry.`,
    ),
    ...(left.length > 0 ? [md`${people(left)} left the guild, or has no role in it. Change the calendar.`] : []),
    trusted(
      `-# The calendar was read ${read} ago.${age < 3_600_000 ? '' : ' Rights of this shift wait until it is read again.'}`,
    ),
  ];
}

export const onCallCommands = [whoIsOnCall];
