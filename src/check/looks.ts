import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../../commands/index.ts';
import type { Checked } from '../command.ts';
import type { GuildFound } from '../discord/probe.ts';
import { type CommandChanges, commandChanges } from '../discord/register.ts';
import { readStatus, statusPath } from '../follow-ups/status.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import type { Policy } from '../policy/schema.ts';
import { shownOf } from '../policy/shown.ts';
import type { Entries } from '../runs/entries.ts';
import type { RestoreJob } from '../runs/follow-up.ts';
import type { Looked } from './line.ts';
import type { DiskFound, RestoreFound, TrailFound } from './probes.ts';

/** Resolves to `otherwise` if `look` takes longer than `ms`. The default leaves a check a second to report that. */
export async function withTimeout<T>(look: Promise<T>, otherwise: T, ms = 9_000): Promise<T> {
  const ended = new AbortController();
  // It may fail after the timeout, when nobody handles it.
  look.catch(() => undefined);
  const late = delay(ms, otherwise, { signal: ended.signal, ref: false }).catch(() => otherwise);
  return await Promise.race([look, late]).finally(() => ended.abort());
}

/** Caches the first call. */
export function once<T>(look: () => Promise<T>): () => Promise<T> {
  let taken: Promise<T> | undefined;
  return () => {
    taken ??= look();
    return taken;
  };
}

/** How Discord's commands differ from those of this version under this policy. */
export const commandsIn = ({ commands: registered }: GuildFound, policy: Policy): CommandChanges | 'not-allowed' =>
  registered === undefined ? 'not-allowed' : commandChanges(registered, { commands, ...shownOf(() => policy) });

/** The space that this user may use. For a missing folder, that of the disk it will be on. */
export async function diskOf(dir: string): Promise<DiskFound> {
  try {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    if (dirname(dir) === dir) throw error;
    return diskOf(dirname(dir));
  }
}

/** Tests the path of `restore-status` with a real job: otherwise a 404 might only mean that there is no such job. */
export async function restoreIn(
  { restoreStatus }: Policy,
  last: RestoreJob | undefined,
  { panel, caller, now }: { panel: Pick<Panel, 'look'>; caller: Caller; now: number },
): Promise<Looked<RestoreFound>> {
  if (restoreStatus === undefined) return { left: 'The policy has no restore-status.' };
  if (last === undefined) return { left: 'No restore was followed yet, so that there is no job to ask about.' };
  const { job, server, time } = last;
  const answer = await panel.look(statusPath(restoreStatus, { serverId: server.id, jobId: job }), caller);
  const found = { server: server.id, job, age: now - Date.parse(time) };
  if (answer.kind === 'yes') {
    const isRead = readStatus(restoreStatus, answer.data) !== undefined;
    return { ...found, answer: isRead ? 'understood' : 'not-understood' };
  }
  return { ...found, answer: answer.reason === 'not-found' ? 'not-found' : 'failed' };
}

/** The state of the channel, from a verification of ledger and channel. */
export function trailIn({ channel, findings }: Checked, entries: Entries, now: number): TrailFound {
  const { messages = 0, waiting = 0, contradiction, strange = [] } = channel ?? {};
  const oldest = waiting === 0 ? undefined : entries.at(-waiting);
  return {
    messages,
    waiting,
    waitingFor: oldest === undefined ? 0 : now - Date.parse(oldest.time),
    isContradicted: contradiction !== undefined && contradiction.state !== 'acknowledged',
    open: strange.length + findings.filter(({ acknowledged }) => acknowledged === undefined).length,
  };
}
