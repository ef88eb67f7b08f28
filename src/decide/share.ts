import { isShareable } from './audience.ts';
import { denialOn } from './authorize.ts';
import { answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { deniedCard, nothingLeft } from './notes.ts';
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
    if (decision !== undefined)
      return answer(deniedCard(each, decision), { options: {}, denial: { command: each, decision } });
  }
  return { kind: 'share' };
}
