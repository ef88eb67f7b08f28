import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { label, list, row, says, text } from './shape.ts';

const name = 'A name: 1 to 32 letters, digits, spaces, dots, dashes and underscores, beginning with a letter or digit.';
const file = "The absolute path of a file that holds the calendar's address, which begins with https://.";
const match = 'One of: attendee, summary.';
const role = 'The name of a role in this file: it is pinged where the calendar does not say who has the shift.';
const people =
  'A mapping from what the calendar has for a person, an address or a whole summary, to their Discord id: 17 to 19 digits, in quotes.';

/** A calendar that says who has the shift. */
const schedule = row(
  {
    name: text(name, label),
    /** The file that holds the calendar's address, which is a secret. */
    'ical-file': z.string(says(file)).refine(isAbsolute, says(file)),
    /** What of an entry of the calendar names who has it: the addresses of its attendees, or its whole summary. */
    match: z.enum(['attendee', 'summary'], says(match)),
    /** Discord ids, by what the calendar has for them. */
    people: z
      .record(z.string().min(1), text(people, /^\d{17,19}$/), says(people))
      .refine((all) => Object.keys(all).length > 0, says(people)),
    /** The name of the role that is pinged where the calendar does not say who has the shift. */
    role: z.string(says(role)),
  },
  'A schedule is a mapping of',
);

export type Schedule = z.output<typeof schedule>;

/** What people have beside their roles while they have the shift: no role of Discord has such an id. */
export const shiftOf = (schedule: string): string => `on-call:${schedule}`;

/** rules.ts checks that names are there once, and roles at all. */
export const onCall = list(schedule, 'A list of schedules, or left out.');
