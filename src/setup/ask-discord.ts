import { aboutDiscord } from '../check/about-discord.ts';
import { usualBounds } from '../check/probes.ts';
import { readToken } from '../config/value.ts';
import type { DiscordFound, GuildFound } from '../discord/probe.ts';
import { ask, askToken, judge, type TokenField, typeToken } from './ask.ts';
import { type Named, plain } from './draft.ts';

/** Asks Discord with a token; with a guild's id, also what is in that guild. */
export type ProbeDiscord = (token: string, guild?: string) => Promise<DiscordFound>;

type Known = Extract<DiscordFound, { state: 'ok' }>;

export interface DiscordAnswers {
  token: string;
  guild: GuildFound;
  /** Looks into the guild again. */
  look(): Promise<GuildFound>;
  /** Asks Discord for all of it again. */
  find(): Promise<DiscordFound>;
}

/** Earlier values: from .env and the policy, or from earlier answers. */
interface DiscordBefore extends Pick<TokenField, 'isTyped'> {
  token: string | undefined;
  guild: string | undefined;
  /** Whether the bot pins messages, which needs one more permission. */
  pins: boolean;
}

/** Asks for the token and the guild, until Discord knows both. */
export async function askDiscord(probe: ProbeDiscord, before: DiscordBefore): Promise<DiscordAnswers> {
  const { token, known } = await identify(probe, before);
  const link = inviteLink(known.application.id, before.pins);
  ask.good(`The token works: it belongs to ${plain(known.bot.name)}.`);
  ask.note('If the bot is not in your guild yet, invite it there with this link:');
  ask.bare(link);
  const look = async (id: string): Promise<GuildFound | undefined> => {
    const { guild } = await askAgain(probe, token, id);
    return guild === 'absent' ? undefined : guild;
  };
  let { guilds } = known;
  let guild: GuildFound | undefined;
  while (guild === undefined) {
    guild = await chooseGuild(guilds, before.guild, link, look);
    if (guild === undefined) ({ guilds } = await askAgain(probe, token));
  }
  const { id } = guild;
  return {
    token,
    guild,
    look: async () => (await look(id)) ?? guild,
    find: () => askAgain(probe, token, id),
  };
}

async function identify(
  probe: ProbeDiscord,
  { token: before, isTyped }: Pick<DiscordBefore, 'token' | 'isTyped'>,
): Promise<{ token: string; known: Known }> {
  const field: TokenField = { what: "The bot's token", before, isTyped, read: (text) => readToken(text, 'Bot') };
  if (before === undefined)
    ask.note(
      'https://discord.com/developers/applications: your application, Bot, Reset Token. Turn Public Bot off there.',
    );
  for (let token = await askToken(field); ; token = await typeToken(field)) {
    const found = await reach(probe, token);
    if (found.state === 'ok') return { token, known: found };
  }
}

/** Asks Discord until it answers, as often as somebody wants to try. */
async function reach(probe: ProbeDiscord, token: string, guild?: string) {
  for (;;) {
    const found = await ask.during('Asking Discord', () => probe(token, guild));
    await judge([aboutDiscord.token], { discord: () => Promise.resolve(found), now: Date.now, bounds: usualBounds });
    if (found.state === 'ok' || found.state === 'unauthorized') return found;
    await ask.again('Try again');
  }
}

async function askAgain(probe: ProbeDiscord, token: string, guild?: string): Promise<Known> {
  for (;;) {
    const found = await reach(probe, token, guild);
    if (found.state === 'ok') return found;
    await ask.again('Try again');
  }
}

/** Undefined if somebody wants to look again, or has to. */
async function chooseGuild(
  guilds: readonly Named[],
  before: string | undefined,
  link: string,
  look: (id: string) => Promise<GuildFound | undefined>,
): Promise<GuildFound | undefined> {
  const chosen = await pickGuild(guilds, before);
  const guild = chosen && (await look(chosen.id));
  if (chosen !== undefined && guild === undefined) ask.bad(`The bot is no longer in ${plain(chosen.name)}.`);
  if (guild === undefined) return undefined;
  if (guild.commands === undefined) {
    ask.bad(`In ${plain(guild.name)} the bot may not have commands. Invite it again with this link, which adds them:`);
    ask.bare(link);
    await ask.again('Done: look again');
    return undefined;
  }
  const others = guilds.filter(({ id }) => id !== guild.id).map(({ name }) => plain(name));
  if (others.length > 0) ask.note(`The bot serves one guild. When it starts, it leaves: ${others.join(', ')}.`);
  return guild;
}

/** Undefined if somebody wants to look again. */
async function pickGuild(guilds: readonly Named[], before: string | undefined): Promise<Named | undefined> {
  if (guilds.length === 0) {
    ask.bad('The bot is in no guild yet. Open the link above, and choose your guild there.');
    await ask.again('I invited it: look again');
    return undefined;
  }
  const at = guilds.findIndex(({ id }) => id === before);
  if (before !== undefined && at === -1) ask.bad(`The bot is not in the guild that was set up before (${before}).`);
  const [only, ...others] = guilds;
  if (others.length === 0 && (before === undefined || at === 0)) {
    ask.good(`It serves ${plain(only?.name ?? '')}, the only guild that it is in.`);
    return only;
  }
  return await ask.one<Named | undefined>(
    'Which guild does the bot serve?',
    [
      ...guilds.map((guild) => ({ value: guild, label: plain(guild.name), hint: guild.id })),
      { value: undefined, label: "Another: I'll invite the bot there, then look again" },
    ],
    Math.max(at, 0),
  );
}

/** The sums of the permissions in docs/install.md, which says what each is for. */
const permissions = { usual: '309237894144', withPins: '2252109051579392' };

/** Where a bot is invited to a guild. `pins`: with the right to pin messages. */
export const inviteLink = (application: string, pins: boolean): string =>
  `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${
    pins ? permissions.withPins : permissions.usual
  }`;
