import { denialOn } from './authorize.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { deniedPress, nothingLeft } from './notes.ts';
import { isShareable } from './reach.ts';
import { readSharePayload } from './read-buttons.ts';

/** Posts a private card for everybody, if the person may still read it. */
export function share(snapshot: Snapshot, { actor, place, payload, offered, isPrivate }: Press): Decision {
  const { rules, commands } = snapshot;
  const shared = readSharePayload(commands, payload);
  if (shared === undefined || !isPrivate || !offered || !rules.answersIn(place)) return nothingLeft();
  const { command } = shared;
  const targets = shared.servers.flatMap((text) => rules.find(text) ?? []);
  const may = rules.decide(actor.roles, command);
  if (may.allowed && !isShareable(command, may)) return nothingLeft();
  for (const each of [command, ...shared.includes]) {
    const decision = denialOn(snapshot, actor, each, targets);
    if (decision !== undefined) return deniedPress(each, decision, {});
  }
  return { kind: 'share' };
}
