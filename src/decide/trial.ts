import { lineOf, readLine } from '../command.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import { answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { invalidCard } from './invalid.ts';
import { nothingLeft, titleOf, typedName } from './notes.ts';
import { readPagePayload } from './read-buttons.ts';

/** What a command would ask and send, as at a terminal with --dry-run. What it needs beside the server is asked for. */
export function trial({ commands }: Snapshot, { payload, offered, typed }: Press): Decision {
  const found = readPagePayload(commands, payload);
  if (found === undefined || !offered) return nothingLeft();
  const { command, options } = found;
  const lacks = Object.keys(command.options).filter((name) => command.options[name]?.required && !(name in options));
  if (lacks.length > 0 && typed === undefined) {
    const label = `Its ${lacks.join(', ')}`.slice(0, 45);
    return {
      kind: 'form',
      form: { title: titleOf(typedName(command.id), []), label, hint: command.example.slice(0, 100) },
    };
  }
  try {
    const line = readLine(commands, `${lineOf(command, options)} ${typed ?? ''}`, () => undefined);
    const why: RawOptions = 'reason' in command.options ? { reason: 'to see what would be sent' } : {};
    return { kind: 'trial', command: { command: command.id, options: { ...why, ...line.options } } };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return answer(invalidCard(command, error, options));
  }
}
