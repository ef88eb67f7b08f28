import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { label } from './server.ts';
import { list, row, says } from './shape.ts';

/** A row of `on-call`: a calendar that says who has the shift. */
export interface Schedule {
  name: string;
  /** The file that holds the calendar's address, which is a secret. */
  'ical-file': string;
  /** What of an entry of the calendar names who has it: the addresses of its attendees, or its whole summary. */
  match: 'attendee' | 'summary';
  /** Discord ids, by what the calendar has for them. */
  people: Readonly<Record<string, string>>;
  /** The name of the role that is pinged where the calendar does not say who has the shift. */
  role: string;
}

const name = 'A name: 1 to 32 letters, digits, spaces, dots, dashes and underscores, beginning with a letter or digit.';
const file = "The absolute path of a file that holds the calendar's address, which begins with https://.";
const match = 'One of: attendee, summary.';
const role = 'The name of a role in this file: it is pinged where the calendar does not say who has the shift.';
const people =
  'A mapping from what the calendar has for a person, an address or a whole summary, to their Discord id: 17 to 19 digits, in quotes.';

const schedule = row(
  {
    name: z.string(says(name)).regex(label, says(name)),
    'ical-file': z.string(says(file)).refine(isAbsolute, says(file)),
    match: z.enum(['attendee', 'summary'], says(match)),
    people: z
      .record(z.string().min(1), z.string(says(people)).regex(/^\d{17,19}$/, says(people)), says(people))
      .refine((all) => Object.keys(all).length > 0, says(people)),
    role: z.string(says(role)),
  },
  'A schedule is a mapping of',
);

/** What people have beside their roles while they have the shift: no role of Discord has such an id. */
export const shiftOf = (schedule: string): string => `on-call:${schedule}`;

/** rules.ts checks that names are there once, and roles at all. */
export const onCall = list(schedule, 'A list of schedules, or left out.');
