import type { AppOptions } from '../../../src/app.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import type { RunLine } from '../ledger/reading.ts';
import { forAll, forThis } from '../lives.ts';
import { asks, ended, presses, runOf, stateOf, submits, textOf, until } from '../messages.ts';
import { plain } from '../person.ts';
import { examplePolicy, startWorld, type World, type WorldOptions } from '../world.ts';

type Who = 'alice' | 'bob' | 'carol' | 'mallory';
type Intervals = NonNullable<AppOptions['intervals']>;

/** Intervals short enough for tests, in ms. */
const quick: Intervals['followUps'] = { first: 50, most: 200, retry: 100 };

type Options = WorldOptions & Pick<Intervals, 'followUps' | 'announcer'>;

/** A world that looks at jobs many times a second. */
export const startFollowing = (options: Options = {}): Promise<World> =>
  startWorld({
    ...options,
    intervals: {
      ...{ reconcile: 200, stuck: 600, cards: { looks: 100 }, ...options.intervals },
      followUps: { ...quick, ...options.followUps },
      announcer: { every: 50, retry: 50, ...options.announcer },
    },
  });

/** The same, closed with the test. */
export const following = (options?: Options): Promise<World> => forThis(startFollowing(options));

/** The same, for all tests of a file or group. */
export const sharedFollowing = (options?: Options): World => forAll(() => startFollowing(options));

/** The example's policy without one of its keys. */
export function policyWithout(key: 'restore-status' | 'backup-list' | 'queue-status'): string {
  const policy = examplePolicy.replace(new RegExp(`^${key}:.*\\n(?:  .*\\n)*`, 'm'), '');
  if (policy === examplePolicy) throw new Error(`the example has no ${key}`);
  return policy;
}

/** Starts a restore the whole way; its card, as the command left it or later. */
export async function restores(world: Pick<World, 'discord'>, server: string): Promise<SeenMessage> {
  const question = await asks(world, `/backup restore server:${server} disks:0 reason:"lost update"`);
  await submits(world, question, 'Confirm', server);
  return ended(world, question);
}

/** Types a line; what answers it, once that is not under way. */
async function answered({ discord }: Pick<World, 'discord'>, line: string, who: Who): Promise<SeenMessage> {
  const id = await discord.type(who, 'ops', line);
  const isIt = (one: SeenMessage): boolean => one.answers === id && one.content !== '' && stateOf(one) !== 'WORKING';
  return discord.until(() => discord.messages(who, 'ops').find(isIt));
}

/** Sends a power action, confirming it where it is asked about; its card. */
export async function power(world: Pick<World, 'discord'>, line: string): Promise<SeenMessage> {
  const card = await answered(world, `/power ${line}`, 'alice');
  if (stateOf(card) !== 'QUESTION') return card;
  await presses(world, card, 'Confirm');
  return ended(world, card);
}

/** Types a line; returns the answer as this person sees it once it is terminal. */
export async function answerOf(world: Pick<World, 'discord'>, who: Who, line: string): Promise<string> {
  return steady(world.discord.viewMessage(who, await answered(world, line, who)));
}

/** What a person sees of a message; elapsed seconds as N, and the panel's ids as J. */
export function textSeen({ discord }: Pick<World, 'discord'>, message: SeenMessage | undefined): string {
  if (message === undefined) throw new Error('there is no such message');
  return steady(discord.viewMessage('alice', message));
}

export const steady = (text: string): string =>
  plain(text)
    .replaceAll(/(?<=\b(?:job|item) |restore-\d+-)\d{4}/gi, 'J')
    .replaceAll(/(?<=after |within |after \*\*)\d+ s/g, 'N s');

const inOps = ({ discord }: Pick<World, 'discord'>): SeenMessage[] => discord.messages('alice', 'ops');

/** The message with this id, once it fits. */
export const seenOnce = (
  world: Pick<World, 'discord'>,
  id: string,
  fits: (text: string) => boolean,
): Promise<SeenMessage> =>
  world.discord.until(() => inOps(world).find((message) => message.id === id && fits(textOf(message))));

/** All messages of the bot about the run of a card, without the card. */
export const repliesTo = (world: Pick<World, 'discord'>, card: SeenMessage): SeenMessage[] =>
  inOps(world).filter(
    ({ id, embeds, ephemeral }) =>
      id !== card.id && !ephemeral && new RegExp(`\\brun ${runOf(card)}[^\\n]*$`).test(embeds[0]?.description ?? ''),
  );

/** Those that notified somebody. */
export const pingsOf = (world: Pick<World, 'discord'>, card: SeenMessage): SeenMessage[] =>
  repliesTo(world, card).filter(({ pinged }) => pinged.length > 0);

/** The first message that pings about a card. */
export const pingOf = (world: Pick<World, 'discord'>, card: SeenMessage, ms?: number): Promise<SeenMessage> =>
  world.discord.until(() => pingsOf(world, card)[0], ms);

/** The entries of what a card follows. */
export const followed = (world: Pick<World, 'ledger'>, card: SeenMessage): RunLine[] =>
  world.ledger().filter(({ kind, run }) => kind === 'follow-up' && run.startsWith(`${runOf(card)}.`));

export const stepsOf = (world: Pick<World, 'ledger'>, card: SeenMessage): string[] =>
  followed(world, card).map(({ step }) => String(step));

/** Resolves once everything of a card is announced. */
export const announced = (world: Pick<World, 'discord' | 'ledger'>, card: SeenMessage): Promise<boolean> =>
  until(() => {
    const steps = stepsOf(world, card);
    const count = (step: string): number => steps.filter((each) => each === step).length;
    return count('started') > 0 && count('announced') === count('started');
  }, 'announced');

/** Reads of jobs, as the panel got them. */
export const looks = ({ panel }: Pick<World, 'panel'>) =>
  panel.requests.filter(({ path }) => path.includes('/backupManager/jobs/') || path.startsWith('/queue/'));
