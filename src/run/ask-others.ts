import type { Button } from '../card.ts';
import { button } from '../cards/buttons.ts';
import { type Command, type Look, type PreparedChange, ReadFailed } from '../command.ts';
import { Refused } from '../ledger/ledger.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { requestTime } from './after-denial.ts';
import { changesPanel } from './audience.ts';
import { bounds, preparedOf, type Refusal } from './authorize.ts';
import { end, entryOf, type Work } from './change.ts';
import { unavailable } from './fault.ts';
import { lookFailed, trailHold } from './holds.ts';
import type { Invocation, RunParts } from './parts.ts';
import type { ask } from './question.ts';
import { denyHidden } from './reach.ts';
import { reader } from './read.ts';
import { firstStop } from './stops.ts';

/** What was denied, as far as others could lift it. */
export interface Liftable {
  command: Command;
  prepared: PreparedChange;
  /** The names of the roles that may run it. */
  holders: readonly string[];
  /** The policy wants a reason, and none was typed. */
  lacksReason: boolean;
}

/** What others could lift of a denial: a change, with valid options, which somebody may run on all of its servers. */
export function liftable(
  parts: RunParts,
  { actor, command: id, options }: Pick<Invocation, 'actor' | 'command' | 'options'>,
  { denial }: Refusal,
): Liftable | undefined {
  const { rules } = parts;
  if (!rules.askOthers || denial === undefined) return undefined;
  const { command } = denial;
  // The offer would tell that there is such a server.
  if (denyHidden(parts, actor, command, options['server']) !== undefined) return undefined;
  const prepared = changesPanel(command) ? preparedOf(parts, { command: id, options }) : undefined;
  // Beyond the policy's limits nobody could take it on.
  if (prepared === undefined || bounds(parts, command, prepared) !== undefined) return undefined;
  const lacksReason = prepared.reason === undefined && rules.requirements(command, prepared.servers).reason;
  const holders = rules.approvers(prepared.servers, id).flatMap((role) => rules.roleName(role) ?? []);
  return holders.length === 0 ? undefined : { command, prepared, holders, lacksReason };
}

/** The button of a denial, where others could lift it. */
export function requestOffer(parts: RunParts, invocation: Invocation, refusal: Refusal): Button[] {
  const found = liftable(parts, invocation, refusal);
  return found === undefined
    ? []
    : [button(askLabel(found.holders), 'lead', invocationIdOf(invocation.interaction.id))];
}

/** "Ask a lead", "Ask an on-call or a lead" */
const askLabel = (names: readonly string[]): string =>
  `Ask ${names.map((name) => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`).join(' or ')}`.slice(0, 80);

type RequestParts = Parameters<typeof ask>[0];

/** Reads what is set now and records the request, or the outcome if that fails. */
export async function request(parts: RequestParts, work: Work, denied: string): Promise<void> {
  const { runs, prepared } = work;
  const hold = trailHold(parts.trail, work) ?? firstStop(parts, work, runs);
  if (hold !== undefined) return void (await end(parts, work, runs, hold));
  const read = reader(parts.panel, { kind: 'look', id: work.actor.id });
  const expires = new Date(parts.now() + requestTime).toISOString();
  try {
    const looks: Look[] = await Promise.all(runs.map(({ server }) => prepared.look?.(server, read) ?? { says: [] }));
    await parts.ledger.append(
      runs.map((run, i) => {
        const facts = looks[i]?.facts;
        const of = { ...entryOf(work, run), kind: 'requested' as const, expires, denied };
        return { ...of, facts: facts && { ...facts } };
      }),
    );
  } catch (error) {
    // Another delivery already asked.
    if (error instanceof Refused) return;
    await end(parts, work, runs, error instanceof ReadFailed ? lookFailed(error) : unavailable(error));
  }
}
