import { setTimeout as delay } from 'node:timers/promises';
import { type Card, sentences, subjectOf, trusted } from '../card.ts';
import { button } from '../cards/buttons.ts';
import {
  type Access,
  type Backups,
  type Command,
  type Prepared,
  type PreparedChange,
  type PreparedLocal,
  type PreparedRead,
  type Preview,
  type Read,
  type ReadBackups,
  ReadFailed,
  type StopTools,
  type Tools,
  type TrailLag,
  type View,
} from '../command.ts';
import { withLine } from '../decide/invalid.ts';
import { nameOf, readFailedText } from '../decide/notes.ts';
import { changesPanel, changesState, isShareable, touchable } from '../decide/reach.ts';
import { pagePayload, readButtons } from '../decide/read-buttons.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import {
  type Actor,
  isOfTier,
  LedgerUnavailable,
  outcomeOf,
  type Place,
  type RawOptions,
  type Server,
  type Unexpected,
} from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Data } from '../panel/endpoints.ts';
import { mayPass, reasons } from '../reasons.ts';
import type { Note } from '../runs/entry.ts';
import { unavailable } from './fault.ts';
import type { ForCommands, Parts } from './parts.ts';
import { orUnexpected, withUnexpected } from './unexpected.ts';

/**
 * A reader of panel endpoints that throws ReadFailed on anything but data. With `unexpected`, for what is only shown, it
 * takes what fits of an answer in another form, and puts the rest there.
 */
export function reader(panel: Parts['panel'], caller: Caller, unexpected?: Unexpected[]): Read {
  return async (endpoint, input) => {
    const result = await panel.call(endpoint, input, caller);
    const loose = unexpected !== undefined && result.kind === 'unknown' ? result.loose : undefined;
    unexpected?.push(...(loose?.unexpected ?? []));
    if (result.kind !== 'yes' && loose?.data === undefined) throw new ReadFailed(result);
    // What fits of an answer was read with the schema of its endpoint, and the answers to reads all have data.
    return (result.kind === 'yes' ? result.data : loose?.data) as NonNullable<Data<typeof endpoint>>;
  };
}

/** How long a question or a suggestion waits for the dates of backups, in ms: Discord waits 3 seconds for a suggestion. */
const backupsPatience = 1_500;

/** A question or a suggestion does without what is not there soon. */
export const inTime = (backups: Promise<Backups>): Promise<Backups> =>
  Promise.race([backups, delay(backupsPatience, 'unread' as const, { ref: false })]);

/** What a change finds on each server, for its question. Rejects with ReadFailed. */
export function looksOf(
  { panel, forCommands }: Pick<Parts, 'panel' | 'forCommands'>,
  { look }: PreparedChange,
  servers: readonly Server[],
  by: Caller,
): Promise<Preview[]> {
  const read = reader(panel, by);
  const backups: ReadBackups = (server) => inTime(forCommands.backups(server, by));
  return Promise.all(servers.map((each) => look?.(each, read, backups) ?? { says: [] }));
}

/** What `help` and `can` may ask the policy for one actor. */
const accessOf = (
  { rules, commands, followUps, ledger, trail, forCommands: { version, mention, check } }: ReadParts,
  actor: Actor,
  audience: 'private' | 'public',
): Access => ({
  actor,
  version,
  isPrivate: audience === 'private',
  zone: rules.team.zone,
  commands,
  mention: (command) => mention?.(command),
  find(text) {
    const server = rules.find(text);
    return server !== undefined && touchable({ rules, commands }, actor).has(server) ? server : undefined;
  },
  decide: (command, server, emergency) => rules.decide(actor.roles, command, server, emergency),
  mayApprove: (server) => rules.mayApprove(actor.roles, server).allowed,
  mayChange: (server) => rules.reachOf(actor.roles, commands.filter(changesPanel)).has(server),
  requirements: rules.requirements,
  troubles: () => followUps.troubles(),
  holds: () => holdsOf({ ledger, trail }),
  roleName: rules.roleName,
  check: (told) => check(told, { kind: 'person', id: actor.id }),
});

type ReadParts = Pick<Parts, 'rules' | 'commands' | 'forCommands' | 'panel' | 'followUps' | 'ledger' | 'trail' | 'now'>;

/** Where a command was typed. `card`: the message of its card. */
interface About {
  place: Place;
  card?: string;
  message?: Note;
  alert?: string | undefined;
  /** As they were typed. */
  options?: RawOptions;
}

export const toolsOf = (
  { followUps, ledger, trail, forCommands: { incidents, inventory, onCall }, now }: ReadParts,
  { place, card, message, alert }: About,
): Tools => ({
  ...{ followUps, records: ledger, trail, incidents, stops: stopTools(ledger), inventory, onCall },
  ...{ place, card, message, alert, now: now() },
});

/** The command and the servers for the first line of its card. */
export function headOf(command: Pick<Command, 'id' | 'menu'>, prepared: Prepared): Pick<Card, 'command' | 'subject'> {
  const subject = ('subject' in prepared ? prepared.subject : undefined) ?? subjectOf(prepared.servers);
  return { command: nameOf(command), subject };
}

/** Executes a read or a local command and renders its card. Rejects with LedgerUnavailable if it may be recorded. */
export async function readCard(
  parts: ReadParts,
  asked: About & { actor: Actor; audience: 'private' | 'public' },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  part: number,
): Promise<Card> {
  const base = headOf(command, prepared);
  const { actor, audience } = asked;
  const access = accessOf(parts, actor, audience);
  const unexpected: Unexpected[] = [];
  try {
    const found = await viewOf(parts, asked, command, prepared, { access, part, unexpected }).catch(
      orUnexpected(unexpected),
    );
    const view = withLine(withUnexpected(found, unexpected), command, asked.options ?? prepared.options);
    const state = view.outcome ?? 'succeeded';
    const files = await filesOf(parts.forCommands, view);
    const { fact, body, next } = withFact(view);
    const said: Card = {
      ...base,
      state,
      fact,
      next,
      title: state === 'succeeded' ? prepared.title : undefined,
      body,
      ...(audience === 'public' ? { small: [trusted(`By <@${actor.id}>`)] } : {}),
      ...files,
    };
    if (changesState(command)) return said;
    const isPosted =
      audience === 'private' &&
      view.isPrivate !== true &&
      parts.rules.answersIn(asked.place) &&
      isShareable(command, access.decide(command));
    return { ...said, buttons: readButtons(parts.commands, command, prepared, view, isPosted) };
  } catch (error) {
    if (changesState(command) && error instanceof LedgerUnavailable) throw error;
    if (!(error instanceof ReadFailed)) {
      const { outcome, reason } = unavailable(error);
      const { why, next } = reasons[reason];
      return { ...base, state: outcome, fact: trusted(why), body: [], next: [trusted(next)] };
    }
    const again = button('Ask again', 'page', pagePayload(command, { options: prepared.options, part }));
    return {
      ...base,
      state: outcomeOf[error.result.kind],
      ...readFailedText(error),
      // A rejection may be final. Anything else may work on retry, and reads are harmless.
      ...(error.result.kind === 'no' && !mayPass(error.result.reason) ? {} : { buttons: [again] }),
    };
  }
}

async function viewOf(
  parts: ReadParts,
  asked: About & { actor: Actor },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  { access, part, unexpected }: { access: Access; part: number; unexpected: Unexpected[] },
): Promise<View> {
  if (prepared.kind === 'read')
    return prepared.view(
      reader(parts.panel, { kind: 'person', id: asked.actor.id }, unexpected),
      access,
      part,
      toolsOf(parts, asked),
    );
  const act = () => prepared.act(toolsOf(parts, asked), access, part);
  return command.walks === true ? ((await parts.forCommands.walks(act)) ?? tooMany) : act();
}

/** A command that names no fact has it in its first line. */
export function withFact({ fact, body, nextSteps: next }: View): Pick<Card, 'fact' | 'body' | 'next'> {
  const [first, ...rest] = body;
  if (fact !== undefined || first === undefined) return { fact, next, body };
  const [head, ...more] = sentences(first);
  return { fact: head, body: [...more, ...rest], next };
}

const tooMany: View = {
  outcome: 'unavailable',
  fact: trusted('Others are searching the ledger, and too many are waiting already.'),
  body: [trusted('Nothing was looked up.')],
  nextSteps: [trusted('Type this again in a minute.')],
};

async function filesOf({ paint }: ForCommands, { files = [], chart }: View): Promise<Pick<Card, 'files'>> {
  const picture = chart === undefined ? undefined : await paint(chart);
  const all = picture === undefined ? files : [...files, picture];
  return all.length === 0 ? {} : { files: all };
}

/** How long to probe the ledger, in ms: a hanging ledger cannot be written either. */
const tryTime = 3_000;

/** Why the ledger cannot be written; undefined if it can. */
function troubleOf(ledger: Pick<Parts['ledger'], 'probe'>) {
  const stuck = delay(tryTime, undefined, { ref: false }).then(() => {
    throw new LedgerUnavailable();
  });
  return Promise.race([ledger.probe(), stuck]).then(
    () => undefined,
    (error: unknown) => unavailable(error).reason,
  );
}

/** How the audit channel catches up, where changes do not wait for it. */
const catchUp: Record<TrailLag['reason'], string> = {
  'trail-behind': "The bot keeps posting. If nothing new arrives there, check Discord's status.",
  'trail-closed':
    'A guild admin can give the bot View Channel, Send Messages and Read Message History there. The bot then posts the rest.',
};

/** Changes go on; but what is done now stands in the ledger alone. */
function lagOf({ lag }: Pick<Parts['trail'], 'lag'>): string[] {
  const behind = lag();
  if (behind === undefined) return [];
  const next = catchUp[behind.reason];
  return [`**The audit channel is behind.** ${behind.words} Changes continue, and the ledger has them. ${next}`];
}

/** What blocks all changes now, each with the next step; and whether the audit channel is behind. */
async function holdsOf({ ledger, trail }: Pick<Parts, 'ledger' | 'trail'>) {
  const ledgerReason = await troubleOf(ledger);
  const held = [
    ...(ledgerReason === undefined
      ? []
      : [
          {
            reason: ledgerReason,
            words: `${ledgerReason === 'redis-unavailable' ? 'Redis cannot be reached' : 'The ledger cannot be written'}.`,
          },
        ]),
    ...trail.troubles(),
  ].map(({ reason, words }) => `**Nothing may change.** ${words} ${reasons[reason].next}`);
  return [...held, ...lagOf(trail)];
}

/** What /freeze and its like may do: see runs/freezes.ts. */
const stopTools = (ledger: Pick<Ledger, 'append' | 'open'>): StopTools => ({
  async record(entry) {
    try {
      await ledger.append([entry]);
      return 'recorded';
    } catch (error) {
      if (error instanceof Refused) return { refused: error.by };
      throw error;
    }
  },
  underWay: (tier) =>
    ledger
      .open()
      .flatMap(({ intent }) =>
        intent !== undefined && (tier === undefined || (intent.server !== undefined && isOfTier(intent.server, tier)))
          ? [intent]
          : [],
      ),
});
