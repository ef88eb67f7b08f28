import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** What the bot does at Discord: cards, first answers, new messages. */
const targets = [
  { method: 'PATCH', path: '/channels/*/messages/*' },
  { method: 'PATCH', path: '/webhooks/*' },
  { method: 'POST', path: '/channels/*/messages' },
  { method: 'POST', path: '/interactions/*' },
  { method: 'GET', path: '/channels/*' },
  {},
] as const;

const forbidden = { code: 50013, message: 'Missing Permissions' };

/** Each makes one order. */
const kinds: Readonly<Record<string, (random: Random) => DiscordFault>> = {
  'discord 5xx': (random) => ({
    kind: 'status',
    status: random.pick([500, 502, 503]),
    match: random.pick(targets),
    times: random.between(1, 5),
  }),
  'discord edits refused': (random) => ({
    kind: 'status',
    status: 403,
    body: forbidden,
    match: random.pick([targets[0], targets[1]]),
    times: random.between(1, 3),
  }),
  'discord rate limit': (random) => ({
    kind: 'rate-limit',
    retryAfterMs: random.between(100, 1_500),
    global: random.chance(0.2),
    match: random.pick(targets),
    times: random.between(1, 3),
  }),
  'discord answer lost': (random) => ({
    kind: 'lose-request',
    by: random.pick(['reset', 'close', 'hang'] as const),
    match: random.pick(targets),
    times: random.between(1, 2),
  }),
  'discord edits late': (random) => ({
    kind: 'late-request',
    ms: random.between(200, 8_000),
    match: random.pick([targets[0], targets[1]]),
    times: random.between(1, 3),
  }),
  'discord request repeated': (random) => ({ kind: 'repeat-request', match: random.pick(targets), times: 2 }),
  'discord delivered twice': (random) => ({ kind: 'deliver-twice', times: random.between(1, 4) }),
  'discord slow': (random) => ({
    kind: 'delay',
    ms: random.between(100, 3_500),
    match: random.pick(targets),
    times: random.between(1, 5),
  }),
  'discord delivered again': () => ({ kind: 'deliver-again' }),
  'discord guild outage': () => ({ kind: 'guild-outage' }),
  'discord gateway dropped': (random) => ({ kind: 'drop-gateway', code: random.pick([4000, 4009]) }),
  'discord reconnect': () => ({ kind: 'reconnect' }),
  'discord sessions forgotten': () => ({ kind: 'forget-sessions' }),
  'discord outage': () => ({ kind: 'outage' }),
  'discord channel forbidden': (random) => ({
    kind: 'forbid-channel',
    channel: random.pick(['ops', 'audit']),
    right: random.pick(['send', 'view'] as const),
  }),
};

const closing = 'discord threads closed';

export const discordFaults = [...Object.keys(kinds), closing];

/** Somebody closes all threads, and may lock them; they are open again when it is over. */
function closeThreads({ discord, story }: Stage, random: Random): () => Promise<void> {
  const lock = random.chance(0.3);
  for (const { id } of discord.threads().filter(({ archived }) => !archived)) {
    discord.closeThread('alice', id, { lock });
    story.tellOf('alice', `closes the thread ${id}${lock ? ' and locks it' : ''}`);
  }
  return () => {
    for (const { id } of discord.threads().filter(({ locked }) => locked)) discord.openThread('alice', id);
    return Promise.resolve();
  };
}

/** Orders it; answers how to take it back. */
export function orderAtDiscord(stage: Stage, name: string, random: Random): () => Promise<void> {
  const { discord, story } = stage;
  if (name === closing) return closeThreads(stage, random);
  const make = kinds[name];
  if (make === undefined) throw new Error(`no fault of Discord: ${name}`);
  const fault = make(random);
  discord.order(fault);
  story.tell(`Discord: ${JSON.stringify(fault)}`);
  return () => Promise.resolve(discord.cancel(fault));
}
