import { type Card, own, subjectOf } from '../card.ts';
import {
  type Access,
  type Command,
  type Position,
  type PreparedLocal,
  type PreparedRead,
  type Read,
  ReadFailed,
  type View,
} from '../command.ts';
import { type Actor, outcomeOf, reasons } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import { readFailedBody, typedName, unavailable } from './cards.ts';
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
const accessOf = (
  { rules, commands, followUps }: Pick<Parts, 'rules' | 'commands' | 'followUps'>,
  actor: Actor,
): Access => ({
  actor,
  commands,
  decide: (command, server) => rules.decide(actor.roles, command, server),
  requirements: rules.requirements,
  troubles: () => followUps.troubles(),
});

/** Whether the answer is for everybody, because something is decided by it. Others can be shared. */
export const isPublic = ({ danger }: Command): boolean => danger === 'write' || danger === 'destructive';

/** Asks the panel, or the bot itself, and gives the card, whatever the answer. */
export async function readCard(
  parts: Pick<Parts, 'rules' | 'commands' | 'panel' | 'followUps' | 'paint'>,
  actor: Actor,
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  part: number,
): Promise<Card> {
  const subject = 'subject' in prepared ? prepared.subject : subjectOf(prepared.servers);
  const base = { command: typedName(command.id), ...(subject === undefined ? {} : { subject }) };
  const access = accessOf(parts, actor);
  try {
    const view =
      prepared.kind === 'read'
        ? await prepared.view(reader(parts.panel, { kind: 'person', id: actor.id }), access, part)
        : await prepared.act(parts.followUps, access, part);
    const state = view.outcome ?? 'succeeded';
    const files = await filesOf(parts, view);
    if (isPublic(command)) return { ...base, state, body: [...view.body, own(`By <@${actor.id}>.`)], ...files };
    const pages = [
      ...(view.previous === undefined ? [] : [button('Previous', 'page', pagePayload(command, view.previous))]),
      ...(view.next === undefined ? [] : [button('Next', 'page', pagePayload(command, view.next))]),
    ];
    const share = button('Share', 'share', sharePayload(command, prepared));
    return { ...base, state, body: view.body, buttons: [...pages, share], ...files };
  } catch (error) {
    if (!(error instanceof ReadFailed)) {
      const { outcome, reason } = unavailable(error);
      return { ...base, state: outcome, body: [own(reasons[reason].why), own(reasons[reason].next)] };
    }
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

async function filesOf({ paint }: Pick<Parts, 'paint'>, { files = [], chart }: View): Promise<Pick<Card, 'files'>> {
  const picture = chart === undefined ? undefined : await paint(chart);
  const all = picture === undefined ? files : [...files, picture];
  return all.length === 0 ? {} : { files: all };
}

const sharePayload = (command: Command, { servers }: PreparedRead | PreparedLocal): string =>
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
