export type { FieldErrors } from './check.ts';
export { checkChoices } from './choices.ts';
export { checkCommands } from './commands.ts';
export { checkMessage } from './message.ts';
export { checkModal } from './modal.ts';
export { checkNewThread, checkThreadChange } from './thread.ts';
