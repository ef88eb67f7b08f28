import type { ChannelFound, GuildFound } from '../discord/probe.ts';
import type { Policy } from '../policy/schema.ts';
import type { Ask } from './ask.ts';
import type { Named } from './draft.ts';
import { plain } from './names.ts';
import { tryAgain } from './try-again.ts';

export interface ChannelAnswers {
  /** Missing if the bot answers everywhere in the guild. */
  channels?: readonly Named[];
  /** Missing if there is no trail. */
  audit?: Named;
  /** Permissions that the bot still lacks, one sentence for each channel. */
  lacks: readonly string[];
}

interface ChannelsBefore {
  policy: Policy | undefined;
  /** 'none': somebody wanted no trail just now. */
  audit: string | undefined;
}

/** Asks where the bot answers and where the trail goes, and whether the bot has its rights there. */
export async function askChannels(
  ask: Ask,
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  before: ChannelsBefore,
): Promise<ChannelAnswers> {
  const offered = await textChannelsOf(ask, guild, look);
  const audits = before.audit === undefined || before.audit === 'none' ? [] : [before.audit];
  const known = [...(before.policy?.channels ?? []), ...audits];
  for (const id of new Set(known))
    if (!offered.some((channel) => channel.id === id))
      ask.bad(`The guild has no text channel ${id}, which was set up before. It is left out.`);
  const channels = await askWhere(ask, offered, before.policy);
  const audit = await askAudit(ask, offered, channels ?? [], before.audit);
  const chosen = { channels, audit };
  const pins = before.policy?.handoverPin === true;
  return { ...chosen, lacks: await untilRights(ask, look, (now) => lackedIn(now, chosen, pins), guild) };
}

async function textChannelsOf(ask: Ask, guild: GuildFound, look: () => Promise<GuildFound>): Promise<ChannelFound[]> {
  for (let { channels } = guild; ; { channels } = await look()) {
    const offered = channels.filter(({ isText }) => isText);
    if (offered.length > 0) return offered;
    ask.bad('The guild has no text channel. Make one.');
    await tryAgain(ask, 'It is done: look again');
  }
}

async function askWhere(
  ask: Ask,
  offered: readonly ChannelFound[],
  policy: Policy | undefined,
): Promise<readonly Named[] | undefined> {
  const isEverywhere = policy !== undefined && policy.channels === undefined;
  const chooses = await ask.one(
    'Where does the bot answer?',
    [
      { value: true, label: 'In channels that I choose, and their threads' },
      { value: false, label: 'Everywhere in the guild' },
    ],
    isEverywhere ? 1 : 0,
  );
  if (!chooses) return undefined;
  return await ask.some(
    'Which channels?',
    offered.map((channel) => ({ value: channel, label: nameOf(channel) })),
    offered.flatMap(({ id }, at) => (policy?.channels?.includes(id) ? [at] : [])),
  );
}

async function askAudit(
  ask: Ask,
  offered: readonly ChannelFound[],
  channels: readonly Named[],
  before: string | undefined,
): Promise<Named | undefined> {
  const candidates = [
    before === 'none' ? offered.length : -1,
    offered.findIndex(({ id }) => id === before),
    offered.findIndex(({ name }) => /audit|trail/i.test(name)),
    offered.findIndex(({ id }) => !channels.some((each) => each.id === id)),
    0,
  ];
  return await ask.one<Named | undefined>(
    'Which channel gets the trail: a line for each thing that the bot records?',
    [
      ...offered.map((channel) => ({ value: channel, label: nameOf(channel) })),
      { value: undefined, label: 'None', hint: 'nobody sees then that a ledger was changed' },
    ],
    candidates.find((at) => at !== -1),
  );
}

/** Repeats until the bot has its permissions, or somebody goes on without them. Returns what is still missing. */
async function untilRights(
  ask: Ask,
  look: () => Promise<GuildFound>,
  lackedNow: (guild: GuildFound) => string[],
  guild: GuildFound,
): Promise<string[]> {
  for (let now = guild; ; now = await look()) {
    const lacks = lackedNow(now);
    if (lacks.length === 0) {
      ask.good('The bot has its rights in these channels.');
      return [];
    }
    for (const line of lacks) ask.bad(line);
    const again = await ask.one('Give it these rights: edit the channel, Permissions, add the bot. Then:', [
      { value: true, label: 'It is done: look again' },
      { value: false, label: 'Go on; I do it later' },
    ]);
    if (!again) return lacks;
  }
}

/** Permissions that the bot needs in the audit channel. */
const ofTrail = ['View Channel', 'Send Messages', 'Read Message History', 'Attach Files'];

function lackedIn(guild: GuildFound, { channels = [], audit }: Omit<ChannelAnswers, 'lacks'>, pins: boolean): string[] {
  const here = guild.channels.filter(({ id }) => channels.some((each) => each.id === id));
  const trail = guild.channels.filter(({ id }) => id === audit?.id && !channels.some((each) => each.id === id));
  const now = Date.now();
  return [
    ...((guild.timeOut ?? 0) > now ? ['The bot is in time-out: it may only read. A moderator can end that.'] : []),
    ...here.flatMap((channel) => lineOf(channel, (right) => pins || right !== 'Pin Messages')),
    ...trail.flatMap((channel) => lineOf(channel, (right) => ofTrail.includes(right))),
  ];
}

function lineOf(channel: ChannelFound, isNeeded: (right: string) => boolean): string[] {
  const lacks = channel.lacks.filter(isNeeded);
  return lacks.length === 0 ? [] : [`In ${nameOf(channel)} the bot lacks: ${lacks.join(', ')}.`];
}

const nameOf = ({ name }: Named): string => `#${plain(name)}`;
