import type { Command, SeveralContext } from '../command.ts';
import { touchable } from '../decide/reach.ts';
import type { Actor, Server } from '../outcome.ts';
import type { Reach } from '../policy/decide.ts';
import type { Parts } from './parts.ts';

const maxOffered = 5;
/** How many selectors are looked at for one key press, and the largest that is: typing must stay quick in a large policy. */
const maxTried = 200;
const maxServers = 1_000;

/** What suggestions for several servers need to know. They offer only what would not be refused. */
export function severalContext(
  parts: Pick<Parts, 'rules' | 'commands'>,
  {
    actor,
    command,
    reach,
    find,
  }: { actor: Actor; command: Command; reach: Reach; find(text: string): Server | undefined },
): SeveralContext {
  const { rules } = parts;
  const most = rules.most(command);
  let theirs: Reach | undefined;

  /** Those of them that the policy does not hide. None if the command may not be run on one of these. */
  function allowed(servers: readonly Server[]): readonly Server[] {
    if (servers.length > maxServers) return [];
    theirs ??= touchable(parts, actor);
    const { has } = theirs;
    const shown = servers.filter(has);
    return shown.length <= most && shown.every((server) => reach.has(server)) ? shown : [];
  }

  return {
    most,
    named(text) {
      const servers = rules.serversOf(text);
      return servers === undefined ? [find(text) ?? []].flat() : allowed(servers);
    },
    selectors(typed) {
      const found: { text: string; servers: readonly Server[] }[] = [];
      let tried = 0;
      for (const { text, servers } of rules.selectors(typed)) {
        tried += 1;
        if (found.length === maxOffered || tried > maxTried) break;
        const shown = servers.length < 2 ? [] : allowed(servers);
        if (shown.length >= 2) found.push({ text, servers: shown });
      }
      return found;
    },
  };
}
