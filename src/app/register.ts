import { commands } from '../../commands/index.ts';
import type { Registered } from '../discord/register.ts';
import { registerOnce } from '../discord/register-once.ts';
import type { Log } from '../outcome.ts';
import { isOn, shownOf } from '../policy/live.ts';
import type { Policy } from '../policy/schema.ts';

/** Registers the commands as a start does, and nothing else. 'refused': Discord does not take the token. */
export const registerCommands = (
  discord: { token: string; guild: string; apiUrl?: string },
  policy: Policy,
  log: Log,
): Promise<Registered | 'refused'> =>
  registerOnce({ ...discord, commands: commands.filter(isOn(policy)), ...shownOf(() => policy), log });
