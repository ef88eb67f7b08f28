import { aboutDiscord } from '../check/about-discord.ts';
import { usualBounds } from '../check/probes.ts';
import { readToken } from '../config/value.ts';
import type { DiscordFound, GuildFound } from '../discord/probe.ts';
import type { Ask } from './ask.ts';
import { tryAgain } from './ask.ts';
import { askToken, type TokenField, typeToken } from './ask-token.ts';
import type { Named } from './draft.ts';
import { judge } from './judge.ts';
import { plain } from './names.ts';

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
export async function askDiscord(ask: Ask, probe: ProbeDiscord, before: DiscordBefore): Promise<DiscordAnswers> {
  const { token, known } = await identify(ask, probe, before);
  const link = inviteLink(known.application.id, before.pins);
  ask.good(`The token works: it belongs to ${plain(known.bot.name)}.`);
  ask.note('If the bot is not in your guild yet, invite it there with this link:');
  ask.bare(link);
  const look = async (id: string): Promise<GuildFound | undefined> => {
    const { guild } = await askAgain(ask, probe, token, id);
    return guild === 'absent' ? undefined : guild;
  };
  const guild = await chooseGuild(ask, {
    known,
    before: before.guild,
    link,
    look,
    list: () => askAgain(ask, probe, token),
  });
  return {
    token,
    guild,
    look: async () => (await look(guild.id)) ?? guild,
    find: () => askAgain(ask, probe, token, guild.id),
  };
}

async function identify(
  ask: Ask,
  probe: ProbeDiscord,
  { token: before, isTyped }: Pick<DiscordBefore, 'token' | 'isTyped'>,
): Promise<{ token: string; known: Known }> {
  const field: TokenField = { what: "The bot's token", before, isTyped, read: (text) => readToken(text, 'Bot') };
  if (before === undefined)
    ask.note(
      'https://discord.com/developers/applications: your application, Bot, Reset Token. Turn Public Bot off there.',
    );
  for (let token = await askToken(ask, field); ; token = await typeToken(ask, field)) {
    const found = await reach(ask, probe, token);
    if (found.state === 'ok') return { token, known: found };
  }
}

/** Asks Discord until it answers, as often as somebody wants to try. */
async function reach(ask: Ask, probe: ProbeDiscord, token: string, guild?: string) {
  for (;;) {
    const found = await ask.during('Asking Discord', () => probe(token, guild));
    const about = { discord: () => Promise.resolve(found), now: Date.now, bounds: usualBounds };
    await judge(ask, [aboutDiscord.token], about);
    if (found.state === 'ok' || found.state === 'unauthorized') return found;
    await tryAgain(ask, 'Try again');
  }
}

async function askAgain(ask: Ask, probe: ProbeDiscord, token: string, guild?: string): Promise<Known> {
  for (;;) {
    const found = await reach(ask, probe, token, guild);
    if (found.state === 'ok') return found;
    await tryAgain(ask, 'Try again');
  }
}

interface Choosing {
  known: Known;
  before: string | undefined;
  link: string;
  list(): Promise<Known>;
  look(id: string): Promise<GuildFound | undefined>;
}

async function chooseGuild(ask: Ask, { known, before, link, list, look }: Choosing): Promise<GuildFound> {
  for (let { guilds } = known; ; { guilds } = await list()) {
    const chosen = await pickGuild(ask, guilds, before);
    if (chosen === undefined) continue;
    const guild = await look(chosen.id);
    if (guild === undefined) {
      ask.bad(`The bot is no longer in ${plain(chosen.name)}.`);
    } else if (guild.commands === undefined) {
      ask.bad(
        `In ${plain(guild.name)} the bot may not have commands. Invite it again with this link, which adds them:`,
      );
      ask.bare(link);
      await tryAgain(ask, 'Done: look again');
    } else {
      const others = guilds.filter(({ id }) => id !== guild.id).map(({ name }) => plain(name));
      if (others.length > 0) ask.note(`The bot serves one guild. When it starts, it leaves: ${others.join(', ')}.`);
      return guild;
    }
  }
}

/** Undefined if somebody wants to look again. */
async function pickGuild(ask: Ask, guilds: readonly Named[], before: string | undefined): Promise<Named | undefined> {
  if (guilds.length === 0) {
    ask.bad('The bot is in no guild yet. Open the link above, and choose your guild there.');
    await tryAgain(ask, 'I invited it: look again');
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
