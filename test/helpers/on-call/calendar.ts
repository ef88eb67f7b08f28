/** A calendar of these entries, with the line ends of the format. */
export const calendar = (...events: readonly (readonly string[])[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN'],
    ...events.flatMap((lines, at) => [
      'BEGIN:VEVENT',
      ...(lines.some((line) => line.startsWith('UID:')) ? [] : [`UID:${at}@test`]),
      'DTSTAMP:20260101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

export const by = (name: string): string => `ATTENDEE;CN=${name}:mailto:${name}@example.com`;
