import { boolean, type FieldErrors, integer, object, oneOf, text } from './check.ts';

export type { FieldErrors } from './check.ts';
export { checkChoices } from './choices.ts';
export { checkCommands } from './commands.ts';
export { checkMessage } from './message.ts';
export { checkModal } from './modal.ts';

const name = text(1, 100);
const times = {
  auto_archive_duration: oneOf([60, 1440, 4320, 10_080]),
  rate_limit_per_user: integer(0, 21_600),
};

const fresh = object({ must: { name }, may: { ...times, type: oneOf([10, 11, 12]) } });
const change = object({ may: { ...times, name, archived: boolean, locked: boolean } });

/** The body that starts a thread, from a message or without one. */
export function checkNewThread(body: unknown): FieldErrors | undefined {
  return fresh(body);
}

export function checkThreadChange(body: unknown): FieldErrors | undefined {
  return change(body);
}
