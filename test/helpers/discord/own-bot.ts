import { createBot } from '../../../src/discord/bot.ts';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { quietLog } from '../messages.ts';

/** A bot on this Discord that has not connected yet, and registers nothing. */
export const botOn = (
  { token, guildId: guild, apiUrl }: Pick<SandboxDiscord, 'token' | 'guildId' | 'apiUrl'>,
  onRefused: (problem: string) => void,
): ReturnType<typeof createBot> =>
  createBot({
    ...{ token, guild, apiUrl, commands: [], isGiven: () => true, register: false },
    ...{ note: '', log: quietLog, onRefused },
  });
