import type { SandboxDiscord } from '../discord/index.ts';

export interface Place {
  name: string;
  /** How Discord is asked for it: of several threads with one name, each has its own. */
  where: string;
  /** People have it before them: no thread that was closed. */
  listed: boolean;
}

/** The channels, then the threads, oldest first. */
export const placesOf = (discord: Pick<SandboxDiscord, 'channels' | 'threads'>): Place[] => [
  ...Object.keys(discord.channels).map((name) => ({ name, where: name, listed: true })),
  ...discord.threads().map(({ id, name, archived }) => ({ name, where: id, listed: !archived })),
];

/** What people mean by that name: of threads the newest. */
export function whereOf(discord: Pick<SandboxDiscord, 'channels' | 'threads'>, name: string): string {
  const thread = discord.threads().findLast((each) => each.name === name);
  return Object.hasOwn(discord.channels, name) ? name : (thread?.id ?? name);
}
