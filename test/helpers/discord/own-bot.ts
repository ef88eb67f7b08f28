import { type BotOptions, createBot } from '../../../src/discord/bot.ts';
import type { Log } from '../../../src/outcome.ts';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { forEach } from '../lives.ts';

/** A bot on this Discord that has not connected yet and registers nothing; with what it says, and how many it served. */
export function botOn(
  { token, guildId: guild, apiUrl }: Pick<SandboxDiscord, 'token' | 'guildId' | 'apiUrl'>,
  more: Partial<BotOptions> = {},
) {
  const said: { words: string; facts: Record<string, unknown> }[] = [];
  const refusals: string[] = [];
  const keep: Log['warn'] = (facts, words) => void said.push({ words, facts: { ...facts } });
  const bot = createBot({
    ...{ token, guild, apiUrl, commands: [], isGiven: () => true, register: false, note: '' },
    log: { debug: () => undefined, info: keep, warn: keep, error: keep },
    onRefused: (problem) => refusals.push(problem),
    ...more,
  });
  let served = 0;
  const serve = () => {
    served += 1;
    return Promise.resolve();
  };
  bot.serve({ command: serve, click: serve, suggest: () => Promise.resolve([]) });
  return { ...bot, said, refusals, words: () => said.map(({ words }) => words), served: () => served };
}

/** Another one for each test. */
export const botForEach = (discord: SandboxDiscord, more?: Partial<BotOptions>) =>
  forEach(
    () => Promise.resolve(botOn(discord, more)),
    (bot) => bot.close(),
  );
