import { channels, pings, rights } from '../check/about-channels.ts';
import { textOf } from '../check/line.ts';
import type { ChannelFound, DiscordFound, GuildFound } from '../discord/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { ask, judge } from './ask.ts';
import { type Named, plain } from './draft.ts';

export interface ChannelAnswers {
  /** Missing if the bot answers everywhere in the guild. */
  channels?: readonly Named[];
  /** Missing if there is no trail. */
  audit?: Named;
}

interface ChannelsBefore {
  policy: Policy | undefined;
  /** 'none': somebody wanted no trail just now. */
  audit: string | undefined;
  /** The bot does not start without a trail. */
  isNeeded: boolean;
}

/** Asks where the bot answers and where the trail goes. */
export async function askChannels(
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  before: ChannelsBefore,
): Promise<ChannelAnswers> {
  const textsOf = ({ channels: all }: GuildFound) => all.filter(({ isText }) => isText);
  const none = 'The guild has no text channel. Create one.';
  const offered = await ask.until(none, textsOf(guild), async () => textsOf(await look()));
  const audits = before.audit === undefined || before.audit === 'none' ? [] : [before.audit];
  const known = [...(before.policy?.channels ?? []), ...audits];
  for (const id of new Set(known))
    if (!offered.some((channel) => channel.id === id))
      ask.bad(`The guild has no text channel ${id}, which was set up before. It is left out.`);
  const where = await askWhere(offered, before.policy);
  const audit = await askAudit(offered, where ?? [], before);
  return { channels: where, audit };
}

async function askWhere(
  offered: readonly ChannelFound[],
  policy: Policy | undefined,
): Promise<readonly Named[] | undefined> {
  const isEverywhere = policy !== undefined && policy.channels === undefined;
  const isLikely = ({ id, name }: Named): boolean =>
    policy === undefined ? /^(?:ops|on-?call|chat-?ops)$/i.test(name) : policy.channels?.includes(id) === true;
  const chosen = await ask.some<Named | undefined>(
    'Where does the bot answer? Threads count, too.',
    [
      ...offered.map((channel) => ({ value: channel, label: nameOf(channel) })),
      { value: undefined, label: 'Everywhere in the guild' },
    ],
    isEverywhere ? [offered.length] : offered.flatMap((channel, at) => (isLikely(channel) ? [at] : [])),
  );
  return chosen.includes(undefined) ? undefined : chosen.flatMap((channel) => channel ?? []);
}

async function askAudit(
  offered: readonly ChannelFound[],
  channels: readonly Named[],
  { audit: before, isNeeded }: ChannelsBefore,
): Promise<Named | undefined> {
  const candidates = [
    before === 'none' && !isNeeded ? offered.length : -1,
    offered.findIndex(({ id }) => id === before),
    offered.findIndex(({ name }) => /audit|trail/i.test(name)),
    offered.findIndex(({ id }) => !channels.some((each) => each.id === id)),
    0,
  ];
  return await ask.one<Named | undefined>(
    'Which channel gets the trail, a line for everything that the bot records?',
    [
      ...offered.map((channel) => ({ value: channel, label: nameOf(channel) })),
      ...(isNeeded ? [] : [{ value: undefined, label: 'None', hint: 'without it, nobody notices a changed ledger' }]),
    ],
    candidates.find((at) => at !== -1),
  );
}

interface Chosen {
  policy: Policy;
  audit: Named | undefined;
}

/** Looks whether the bot can do there what it has to, until it can or somebody goes on. Returns what is wrong. */
export async function askRights(find: () => Promise<DiscordFound>, { policy, audit }: Chosen): Promise<string[]> {
  for (;;) {
    const found = await find();
    const bad = await judge([rights, channels, pings], {
      discord: () => Promise.resolve(found),
      policy: () => Promise.resolve(policy),
      audit: () => Promise.resolve({ channel: audit?.id }),
      now: Date.now,
    });
    const wrong = bad.filter(({ state }) => state === 'wrong');
    if (wrong.length === 0) {
      ask.good('The bot has the permissions that it needs in these channels.');
      return [];
    }
    const again = await ask.one('What now?', [
      { value: true, label: 'Done: look again' },
      { value: false, label: "Go on; I'll do it later" },
    ]);
    if (!again) return wrong.map(textOf);
  }
}

const nameOf = ({ name }: Named): string => `#${plain(name)}`;
