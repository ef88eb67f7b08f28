import { type Card, type Markup, md, moment, serverName, trusted, whyNot } from '../card.ts';
import { note, typedName } from '../cards/render/parts.ts';
import type { Command, ReadFailed } from '../command.ts';
import { defined } from '../defined.ts';
import { type Decision, DiscordUnavailable, LedgerUnavailable, RedisUnavailable, type Server } from '../outcome.ts';
import { afterRead, type Reason, reasons } from '../reasons.ts';
import type { Records } from '../runs/book.ts';
import type { RunEntry } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import type { RunState } from '../runs/state.ts';

export { note, typedName } from '../cards/render/parts.ts';

/** What a person calls a command: what is typed, or the label in a message's menu. */
export const nameOf = ({ id, menu }: Pick<Command, 'id' | 'menu'>): string => menu ?? typedName(id);

/** `nothing`: what did not come of it. */
export function deniedCard(
  command: Command,
  decision: Extract<Decision, { allowed: false }>,
  nothing = 'Nothing was sent.',
): Card {
  const { server, why } = decision;
  const subject = server === undefined || why === 'hidden' ? undefined : serverName(server);
  return {
    state: 'denied',
    command: nameOf(command),
    ...defined({ subject }),
    body: [trusted(reasons.denied.why), ...whyNot(decision), trusted(nothing)],
  };
}

/** A read that failed: why, and what to do. */
export function readFailedBody({ answer, beside }: ReadFailed): Markup[] {
  return [
    trusted(reasons[answer.reason].why),
    ...('said' in answer && answer.said !== undefined ? [md`The panel says: ${answer.said}`] : []),
    trusted(afterRead(answer)),
    ...beside,
  ];
}

/** Why the ledger, or a Redis that several processes share, does not let anything change; any other error is thrown. */
export function unavailable(error: unknown): { outcome: 'unavailable'; reason: Reason } {
  if (error instanceof LedgerUnavailable) return { outcome: 'unavailable', reason: 'ledger-unavailable' };
  if (error instanceof RedisUnavailable) return { outcome: 'unavailable', reason: 'redis-unavailable' };
  throw error;
}

/** In a private thread that the bot is not in. */
export const outsideNote = (command: Command): Card =>
  note(
    'not-sent',
    nameOf(command),
    trusted(
      '**Add me to this thread first**: it is private, and I could not tell you here how this ends. Nothing was sent.',
    ),
    trusted('Mention me in it, then ask again. Reads work without that.'),
  );

/** Whose fault it was that something was not done: Discord's, or the bot's own. */
export const faultOf = (error: unknown): 'discord-broke' | 'bot-fault' =>
  error instanceof DiscordUnavailable ? 'discord-broke' : 'bot-fault';

/** Ledger or Redis cannot be written, Discord broke off, or the bot is at fault. */
export function troubleCard(error: unknown): Card {
  const isKnown = error instanceof LedgerUnavailable || error instanceof RedisUnavailable;
  const { why, next } = reasons[isKnown ? unavailable(error).reason : faultOf(error)];
  return note(isKnown ? 'unavailable' : 'not-sent', 'this button', trusted(why), trusted(next));
}

/**
 * What ended unknown on these servers, and what may still run there, as long as nobody has said how it ended. `then`: what a person
 * does about it.
 */
export function unknownNotes(
  records: Pick<Records, 'unknown' | 'unfollowed'>,
  servers: readonly Server[],
  then: string,
): Markup[] {
  return [...records.unknown(), ...records.unfollowed()].flatMap((state) => {
    const { run, outcome } = state;
    const server = servers.find(({ id }) => id === outcome?.server?.id);
    if (outcome === undefined || server === undefined) return [];
    const what = md`${trusted(typedName(outcome.command))} of ${serverName(server)}`;
    const left = leftRunning(state);
    return left === undefined
      ? [md`**${what} ended unknown** ${moment(Date.parse(outcome.time))} (run ${run}): ${trusted(then)}`]
      : [md`**${what} may still run**: ${left} (run ${run}): ${trusted(then)}`];
  });
}

/** "started 12 minutes ago by @alice; @bob stopped following it 5 minutes ago" */
function leftRunning(state: RunState): Markup | undefined {
  const { started, ended } = state.followUp ?? {};
  if (started === undefined || ended === undefined) return undefined;
  const begun = md`started ${moment(begunAt(state, started))} by <@${trusted(started.actor.id)}>`;
  const at = moment(Date.parse(ended.time));
  return ended.end === 'stopped'
    ? md`${begun}; <@${trusted(ended.actor.id)}> stopped following it ${at}`
    : md`${begun}; not seen to finish by ${at}`;
}

/** Why a question is not open: the entry that closed it, in words. `now` in ms. */
export function goneCard(state: RunState | undefined, now: number): Card {
  const { asked, confirmed, outcome } = state ?? {};
  const command = asked === undefined ? 'your click' : typedName(asked.command);
  const lapsed = outcome?.outcome === 'expired' || (confirmed === undefined && outcome === undefined);
  if (asked !== undefined && lapsed && now >= Date.parse(asked.expires))
    return note(
      'expired',
      command,
      md`This question ran out ${moment(Date.parse(asked.expires))}. Nothing was sent. To ask again, type the command again.`,
    );
  // It is the click that was not sent: the command may have been.
  if (confirmed !== undefined) return note('not-sent', 'your click', faster('confirmed', confirmed));
  if (outcome?.outcome === 'cancelled') return note('not-sent', 'your click', faster('cancelled', outcome));
  return note(
    'not-sent',
    command,
    trusted('This question is not open any more. Your click changed nothing. Type the command again.'),
  );
}

const faster = (what: string, { actor, time }: RunEntry): Markup =>
  md`${actor.name} ${trusted(what)} this ${moment(Date.parse(time))}. Your click changed nothing.`;

/** A click while Redis, and with it the shared ledger, does not answer. */
export const unclaimedClick = (): Card =>
  note(
    'unavailable',
    'your click',
    trusted('Redis cannot be reached, so nothing may change. Unless the card says otherwise, nothing was sent.'),
    trusted(reasons['redis-unavailable'].next),
  );

/** The same of a command: whether another process has it cannot be known here. */
export const unclaimedNote = (command: string, done: 'sent' | 'done'): Card =>
  note(
    'unavailable',
    command,
    trusted(`Redis cannot be reached, so nothing may change. From here, nothing was ${done}.`),
    trusted(
      `Bring Redis back: if another process of the bot took this before, the card will say ${done === 'sent' ? 'how it ended' : 'so'}. Reads go on.`,
    ),
  );

/** The ledger timed out in the middle: what it took turns up when it is back, on the card where that can be told. */
export const unansweredNote = (command: string, isShown = true): Card =>
  note(
    'unavailable',
    command,
    trusted('The ledger did not answer, so nothing more may change. Whether it has recorded this is not known yet.'),
    trusted(
      `Bring it back${isShown ? ': the card will say what it has' : ', and look whether this was done'}. Reads go on.`,
    ),
  );
