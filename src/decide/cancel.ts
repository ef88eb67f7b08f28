import { type Card, list, md, quote, serverName, trusted } from '../card.ts';
import { type Actor, type Server, shellChannel } from '../outcome.ts';
import { denialOn } from './authorize.ts';
import { type Answer, answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { outcomeEntry } from './entries.ts';
import { gone, nameOf, note, typedName } from './notes.ts';
import { type Question, questionOf, runOf } from './question.ts';
import { changesPanel } from './reach.ts';

/** Cancel: by the requester, and by whoever may change anything on one of the servers: stopping needs less than doing. */
export function cancel(snapshot: Snapshot, press: Press): Decision {
  const question = questionOf(snapshot, press, 'cancel');
  if ('kind' in question) return question;
  const refused = refusal(snapshot, press, question);
  if (refused !== undefined) return refused;
  const { actor } = press;
  const how = { outcome: 'cancelled', reason: 'cancelled', detail: trusted(`Cancelled by <@${actor.id}>.`) } as const;
  const work = { ...question.asked, actor };
  const entries = question.states.map((state) => outcomeEntry(work, runOf(state), how));
  // Its card is at a terminal.
  return { kind: 'append', entries, says: press.isPrivate && isOfTerminal(question) ? cancelled(question) : undefined };
}

const isOfTerminal = ({ asked }: Question): boolean => asked.place.channel === shellChannel;

const cancelled = ({ asked, states }: Question): Card => {
  const servers = list(states.flatMap(({ asked: { server } }) => (server === undefined ? [] : [serverName(server)])));
  return note(
    'succeeded',
    typedName(asked.command),
    md`Cancelled on ${servers}: <@${trusted(asked.actor.id)}> sees it at the terminal.`,
  );
};

function refusal(snapshot: Snapshot, { actor }: Press, { asked, states }: Question): Answer | undefined {
  const { rules, commands } = snapshot;
  if (actor.id === asked.actor.id) return undefined;
  const reach = rules.reachOf(actor.roles, commands.filter(changesPanel));
  const servers = states.flatMap((state) => state.asked.server ?? []);
  if (servers.some((server) => reach.has(server))) return undefined;
  const command = commands.find(({ id }) => id === asked.command);
  if (command === undefined) return gone();
  const decision = denialOn(snapshot, actor, command, servers);
  if (decision === undefined) return undefined;
  const card = note(
    'denied',
    nameOf(command),
    md`Not allowed: to cancel this, you must be allowed to change something on ${list(servers.map(serverName))}.`,
    md`Roles that may: ${list(stoppers(snapshot, actor, servers).map((name) => quote(name)))}.`,
    trusted('Your click changed nothing.'),
  );
  return answer(card, { options: asked.options, denial: { command, decision } });
}

/** The names of the roles that may change anything on one of these servers. */
function stoppers({ rules, commands }: Snapshot, { roles }: Actor, servers: readonly Server[]): string[] {
  const decisions = servers.flatMap((server) =>
    commands.filter(changesPanel).map((command) => rules.decide(roles, command, server)),
  );
  return [...new Set(decisions.flatMap((each) => (each.allowed ? [] : each.holders)))];
}
