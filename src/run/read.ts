import { type Card, subjectOf } from '../card.ts';
import { type Access, type Command, type Position, type PreparedRead, type Read, ReadFailed } from '../command.ts';
import { type Actor, outcomeOf } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import { readFailedBody, typedName } from './cards.ts';
import { button, type Parts } from './parts.ts';

/** Reads from the panel. A person has 20 reads a minute; what the bot looks at before a change is the bot's. */
export function reader(panel: Parts['panel'], caller: Caller): Read {
  return async (endpoint, input) => {
    const answer = await panel.call(endpoint, input, caller);
    if (answer.kind !== 'yes') throw new ReadFailed(answer);
    if (answer.data === undefined || answer.data === null)
      throw new ReadFailed({ kind: 'unknown', reason: 'not-understood' });
    return answer.data;
  };
}

/** What `help` and `can` may ask of the policy, for one actor. */
const accessOf = ({ rules, commands }: Pick<Parts, 'rules' | 'commands'>, actor: Actor): Access => ({
  actor,
  commands,
  decide: (command, server) => rules.decide(actor.roles, command, server),
  requirements: rules.requirements,
});

/** Asks the panel and gives the card, whatever the panel answers. */
export async function readCard(
  parts: Pick<Parts, 'rules' | 'commands' | 'panel'>,
  actor: Actor,
  command: Command,
  prepared: PreparedRead,
  part: number,
): Promise<Card> {
  const subject = prepared.subject ?? subjectOf(prepared.servers);
  const base = { command: typedName(command.id), ...(subject === undefined ? {} : { subject }) };
  try {
    const view = await prepared.view(
      reader(parts.panel, { kind: 'person', id: actor.id }),
      accessOf(parts, actor),
      part,
    );
    const pages = [
      ...(view.previous === undefined ? [] : [button('Previous', 'page', pagePayload(command, view.previous))]),
      ...(view.next === undefined ? [] : [button('Next', 'page', pagePayload(command, view.next))]),
    ];
    const share = button('Share', 'share', sharePayload(command, prepared));
    return { ...base, state: view.outcome ?? 'succeeded', body: view.body, buttons: [...pages, share] };
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error;
    const again = button('Ask again', 'page', pagePayload(command, { options: prepared.options, part }));
    return {
      ...base,
      state: outcomeOf[error.answer.kind],
      body: readFailedBody(error),
      // A no stays a no; anything else may go well the next time, and a read does no harm.
      ...(error.answer.kind === 'no' ? {} : { buttons: [again] }),
    };
  }
}

const sharePayload = (command: Command, { servers }: PreparedRead): string =>
  `${command.id}:${servers.map(({ id }) => id).join(',')}`;

/** Where a page button leads, in its id: `hypervisors.resources?group=1&part=1`. */
const pagePayload = (command: Command, { options, part }: Position): string =>
  `${command.id}?${new URLSearchParams([...Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]), ['part', String(part)]])}`;

/** The command, options and part of a page button; undefined when it is none of ours. */
export function readPagePayload(
  commands: readonly Command[],
  payload: string,
): { command: Command; options: Record<string, string | number>; part: number } | undefined {
  const [id = '', query = ''] = payload.split('?');
  const command = commands.find((each) => each.id === id);
  if (command === undefined) return undefined;
  const given = new URLSearchParams(query);
  const part = Number(given.get('part'));
  given.delete('part');
  if (!Number.isSafeInteger(part) || part < 0) return undefined;
  const options = Object.fromEntries(
    [...given].map(([name, value]) => [name, command.options[name]?.type === 'integer' ? Number(value) : value]),
  );
  return { command, options, part };
}
