import { authorize, refusedPress } from './authorize.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { nothingLeft } from './notes.ts';
import { changesState } from './reach.ts';
import { readPagePayload } from './read-buttons.ts';

/** Previous, Next and other reads behind a button: asks the policy again, then the panel. */
export function page(snapshot: Snapshot, { actor, place, payload, offered, isPrivate }: Press): Decision {
  const found = readPagePayload(snapshot.commands, payload);
  if (found === undefined || !offered || !(isPrivate || found.command.danger === 'read')) return nothingLeft();
  const { options, part } = found;
  const authorization = authorize(snapshot, { actor, place, command: found.command.id, options });
  if (authorization.kind === 'refused') return refusedPress(authorization, options);
  const { command, prepared } = authorization;
  if (prepared.kind === 'change' || changesState(command)) return nothingLeft();
  return { kind: 'read', command, prepared, audience: isPrivate ? 'private' : 'public', part };
}
