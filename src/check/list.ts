import { channels, pings, rights } from './about-channels.ts';
import { aboutDiscord } from './about-discord.ts';
import { aboutLedger } from './about-ledger.ts';
import { aboutMachine } from './about-machine.ts';
import { aboutPanel } from './about-panel.ts';
import type { Check } from './run.ts';

const { token, guild, commands, roles, rolesTwice } = aboutDiscord;
const { configuration, redis, calendars, disk, alerts, followUps, waiting } = aboutMachine;

/** Every check, in the order in which people read them. */
export const checks: readonly Check[] = [
  configuration,
  ...[token, guild, rights, commands, roles, rolesTwice, channels, pings],
  ...aboutPanel,
  calendars,
  alerts,
  redis,
  ...aboutLedger,
  followUps,
  waiting,
  disk,
];
