import { vi } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import type { RecordedRequest } from '../../src/sandbox/panel/index.ts';
import { isLabelled, words, wordsBelow } from './card-text.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

type Who = 'alice' | 'bob' | 'carol' | 'mallory';

/** The text of a message: the headline and, below it, the rest. */
export const textOf = ({ content, embeds }: SeenMessage): string =>
  [words(content), ...embeds.map(({ description }) => wordsBelow(description ?? ''))].join('\n');

/** The first word of a card. A read that succeeded has a title instead. */
export const stateOf = ({ content }: SeenMessage): string =>
  content.startsWith('≡ ') ? 'SUCCEEDED' : words(content).split(' ', 1).join();

/** An Undo button names what it undoes: tests of undo check that. Details, on each change's card, is left out. */
export const labelsOf = ({ buttons }: SeenMessage): string[] =>
  buttons.filter(({ label }) => label !== 'Details').map(({ label }) => (label.startsWith('Undo: ') ? 'Undo' : label));

/** The custom id of a button that must be there. */
export function idOf(card: SeenMessage, label: string): string {
  const button = card.buttons.find((each) => isLabelled(each, label));
  if (button === undefined) throw new Error(`no button ${label} on: ${textOf(card)}`);
  return button.customId;
}

/** Requests that change something, as the panel got them. */
export const changes = ({ panel }: Pick<World, 'panel'>): RecordedRequest[] =>
  panel.requests.filter(({ method, path }) => method !== 'GET' || path.includes('sync=true'));

/** A message as it is now. */
export function messageOf({ discord }: Pick<World, 'discord'>, id: string, who: Who = 'alice'): SeenMessage {
  const found = discord.messages(who, 'ops').find((message) => message.id === id);
  if (found === undefined) throw new Error(`${who} sees no message ${id}`);
  return found;
}

/** The message that answers an interaction, once it is in one of these states. */
export const answerTo = (
  { discord }: Pick<World, 'discord'>,
  interaction: string,
  states: readonly string[],
  who: Who = 'alice',
): Promise<SeenMessage> =>
  discord.until(() =>
    discord.messages(who, 'ops').find((one) => one.answers === interaction && states.includes(stateOf(one))),
  );

/** Types a line; gives what answers it, once it is in one of these states. */
export const typed = async (
  world: Pick<World, 'discord'>,
  line: string,
  states: readonly string[],
  who: Who = 'alice',
): Promise<SeenMessage> => answerTo(world, await world.discord.type(who, 'ops', line), states, who);

/** Types a command that is asked about first; gives the question. */
export const asks = (world: Pick<World, 'discord'>, line: string, who: Who = 'alice'): Promise<SeenMessage> =>
  typed(world, line, ['QUESTION'], who);

/** Presses a button of a card. */
export const presses = ({ discord }: Pick<World, 'discord'>, card: SeenMessage, label: string, who: Who = 'alice') =>
  discord.click(who, card.id, idOf(card, label));

/** Types a command that is asked about first, and confirms it, with its name where that is to be typed; what comes of it. */
export async function confirms(who: Person, line: string, name?: string): Promise<string> {
  await who.types(line);
  const next = await who.clicks('Confirm');
  return name === undefined ? next : who.fills(name);
}

/** The card of a message, once it is neither a question nor under way. */
export const ended = (world: Pick<World, 'discord'>, { id }: SeenMessage): Promise<SeenMessage> =>
  world.discord.until(() => {
    const card = messageOf(world, id);
    return !['QUESTION', 'WORKING'].includes(stateOf(card)) && card;
  });

/** Presses a button that opens a form, and submits that with these words. */
export async function submits(
  { discord }: Pick<World, 'discord'>,
  card: SeenMessage,
  label: string,
  text: string,
  who = 'alice',
): Promise<void> {
  const before = discord.modalOf(who);
  await discord.click(who, card.id, idOf(card, label));
  await discord.until(() => discord.modalOf(who) !== undefined && discord.modalOf(who) !== before);
  await discord.submit(who, text);
}

/** The ephemeral messages for this person beside a message, oldest first. */
export const whispers = ({ discord }: Pick<World, 'discord'>, { id }: SeenMessage, who: Who = 'alice'): SeenMessage[] =>
  discord.messages(who, 'ops').filter(({ ephemeral, replyTo }) => ephemeral && replyTo === id);

/** The text of the next ephemeral message to this person beside a message. */
export async function whisperAfter(
  world: Pick<World, 'discord'>,
  card: SeenMessage,
  who: Who,
  deed: () => Promise<unknown>,
): Promise<string> {
  const before = whispers(world, card, who).length;
  await deed();
  return world.discord.until(() => {
    const last = whispers(world, card, who)[before];
    return last !== undefined && textOf(last);
  });
}

/** The ledger entries of the runs that a card shows: kinds, or outcomes if there is one. */
export function historyOf({ ledger }: Pick<World, 'ledger'>, card: SeenMessage): string[] {
  const invocationId = runOf(card);
  return ledger()
    .filter(({ run }) => run.startsWith(`${invocationId}.`))
    .map(({ kind, outcome }) => (kind === 'outcome' ? (outcome ?? kind) : kind));
}

/** The run's id on a card. */
export function runOf({ embeds }: SeenMessage): string {
  const [, run] = /[^\n]*run (\w+)[^\n]*$/.exec(embeds[0]?.description ?? '') ?? [];
  if (run === undefined) throw new Error('the card shows no run');
  return run;
}

/**
 * Polls for something without an event, such as a line in another process's file. `what` is awaited: a function says what
 * there is instead, once time is up.
 */
export const until = <T>(
  look: () => T | undefined | false,
  what: string | (() => string),
  timeout = 30_000,
): Promise<T> =>
  vi.waitFor(
    () => {
      const found = look();
      if (found === undefined || found === false)
        throw new Error(`not yet: ${typeof what === 'string' ? what : what()}`);
      return found;
    },
    { timeout, interval: 10 },
  );

/** Resolves once a condition holds that the bot's requests bring about. */
export function moment({ discord, panel }: Pick<World, 'discord' | 'panel'>, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const stops = [discord.changed(look), panel.changed(look)];
  });
}

/** A log for parts whose messages no test reads. */
const silent = (): void => undefined;
export const quietLog = { debug: silent, info: silent, warn: silent, error: silent };
