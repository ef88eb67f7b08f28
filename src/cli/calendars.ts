import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchCalendar } from '../on-call/fetch.ts';
import type { Schedule } from '../policy/on-call.ts';
import type { Policy } from '../policy/schema.ts';
import type { Sandbox } from '../sandbox/index.ts';

/** The calendars of the sandbox: files of its own, so that no other host is asked. */
export interface Calendars {
  /** The same policy, with them in the place of its own. `example`: it is the sandbox's, and has one. */
  within(policy: Policy, example: boolean): Policy;
  /** What a file has is the calendar, and not its address. */
  fetch: FetchCalendar;
  /** How often they are read, in ms. */
  every: number;
}

/** Beside policy.example.yaml, which a real bot may be set up from: that has no calendar. */
function withSchedule(policy: Policy): Policy {
  const [, onCall] = policy.roles;
  if (onCall === undefined) return policy;
  const { role, name, servers } = onCall;
  return {
    ...policy,
    onCall: [{ name: 'primary', 'ical-file': '', match: 'attendee', people: {}, role: name }],
    roles: [...policy.roles, { role, name, servers, allow: ['vlan.*'], 'on-call': 'primary' }],
    notify: { ...policy.notify, unknown: ['requester', 'on-call'] },
  };
}

const address = (name: string): string => `${name}@sandbox.invalid`;

export function calendarsIn({ folder, people }: Pick<Sandbox, 'folder' | 'people'>): Calendars {
  const own = (schedule: Schedule): Schedule => {
    const file = join(folder, `${schedule.name}.ics`);
    const holders = people.filter(({ role }) => role === schedule.role);
    const others = people.filter(({ role }) => role !== undefined && role !== schedule.role);
    const [first, second] = [...holders.slice(0, 1), ...others];
    if (!existsSync(file))
      writeFileSync(
        file,
        calendar(
          [first, second].flatMap((each) => each?.name ?? []),
          Date.now(),
        ),
      );
    const ids = Object.fromEntries(people.map(({ name, id }) => [address(name), id]));
    return { ...schedule, 'ical-file': file, match: 'attendee', people: ids };
  };
  return {
    within(policy, example) {
      const scheduled = example ? withSchedule(policy) : policy;
      return scheduled.onCall === undefined ? policy : { ...scheduled, onCall: scheduled.onCall.map(own) };
    },
    fetch: (text, etag) => Promise.resolve(etag === text ? { kind: 'same' } : { kind: 'text', text, etag: text }),
    every: 60_000,
  };
}

const shiftLength = 12;

/** They have it in turn, for ever, from this hour on. */
function calendar(names: readonly string[], now: number): string {
  const hour = 3_600_000;
  const events = names.flatMap((name, turn) => {
    const start = new Date(now - (now % hour) + turn * shiftLength * hour);
    return [
      ...['BEGIN:VEVENT', `UID:${address(name)}`, `SUMMARY:${name} is on call. This calendar is the sandbox's own.`],
      ...[`DTSTART:${start.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`, `DURATION:PT${shiftLength}H`],
      ...[`RRULE:FREQ=HOURLY;INTERVAL=${shiftLength * names.length}`, `ATTENDEE:mailto:${address(name)}`, 'END:VEVENT'],
    ];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//panelops//sandbox//EN', ...events, 'END:VCALENDAR', ''].join(
    '\n',
  );
}
