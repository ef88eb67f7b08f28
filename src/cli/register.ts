import { registerCommands } from '../app/register.ts';
import { configure } from './configure.ts';
import { exitCodes, fail, type Host } from './host.ts';
import { openLog } from './log.ts';

/** `panelops register`. Returns the exit code. */
export async function runRegister(host: Host): Promise<number> {
  const { config, policy, warnings } = configure(host);
  const { discord } = config;
  if (discord.kind === 'sandbox')
    return fail(
      "The sandbox's Discord registers the commands at each start. Set DISCORD_TOKEN and DISCORD_GUILD_ID for a real one.",
      exitCodes.configuration,
    );
  const log = openLog(config.logLevel);
  for (const warning of warnings) log.warn({}, warning);
  const registered = await registerCommands(discord, policy, log);
  if (registered === 'refused')
    return fail('Discord refused the bot: the token is not valid. Check DISCORD_TOKEN.', exitCodes.refused);
  const lines = Object.entries(registered)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(', ')}`);
  host.stdout.write(
    lines.length === 0 ? 'The commands are registered already; nothing was changed.\n' : `${lines.join('\n')}\n`,
  );
  return 0;
}
