import { once as event } from 'node:events';
import { statfs } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../../commands/index.ts';
import type { Checked } from '../command.ts';
import type { GuildFound } from '../discord/probe.ts';
import { type CommandChanges, commandChanges } from '../discord/register.ts';
import { filledPath, readBackups, readStatus } from '../follow-ups/status.ts';
import { listedOf } from '../inventory/names.ts';
import { countServers, type ReadPanel, Unreadable, walkServers } from '../inventory/panel.ts';
import type { HowToRead } from '../on-call/refresh.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import { acknowledgement, rolesFor } from '../policy/decide.ts';
import { isOn, shownOf } from '../policy/live.ts';
import { namesAny } from '../policy/pattern.ts';
import type { Policy } from '../policy/schema.ts';
import { type ListedServer, serversOf } from '../policy/server.ts';
import { fieldsOf } from '../policy/source.ts';
import type { Entries } from '../runs/entries.ts';
import type { RestoreJob } from '../runs/follow-up.ts';
import { codeOf } from '../system.ts';
import { atOnce, walk } from '../walk.ts';
import type { Left, Looked } from './line.ts';
import type {
  AlertsFound,
  BackupsFound,
  CalendarFound,
  DiskFound,
  InventoryFound,
  RestoreFound,
  TrailFound,
} from './probes.ts';

/** Resolves to `otherwise` if `look` takes longer than `ms`. The default leaves a check a second to report that. */
export const withTimeout = <T>(look: Promise<T>, otherwise: T, ms = 9_000): Promise<T> =>
  Promise.race([look, delay(ms, otherwise, { ref: false })]);

export function once<T>(look: () => Promise<T>): () => Promise<T> {
  let taken: Promise<T> | undefined;
  return () => {
    taken ??= look();
    return taken;
  };
}

export const noPanel: Left = { left: 'It needs a panel that answers.' };

/** How Discord's commands differ from those of this version under this policy. */
export const commandsIn = ({ commands: registered }: GuildFound, policy: Policy): CommandChanges | 'not-allowed' =>
  registered === undefined
    ? 'not-allowed'
    : commandChanges(registered, { commands: commands.filter(isOn(policy)), ...shownOf(() => policy) });

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
  if (last === undefined) return { left: 'No restore has been followed yet, so there is no job to ask about.' };
  const { job, server, time } = last;
  const answer = await panel.look(filledPath(restoreStatus, { serverId: server.id, jobId: job }), caller);
  const found = { server: server.id, job, age: now - Date.parse(time) };
  if (answer.kind === 'yes') {
    const isRead = readStatus(restoreStatus, answer.data) !== undefined;
    return { ...found, answer: isRead ? 'understood' : 'not-understood' };
  }
  return { ...found, answer: answer.reason === 'not-found' ? 'not-found' : 'failed' };
}

/** Tries the path of `backup-list` with a server. */
export async function backupsIn(
  { backupList }: Policy,
  server: number | undefined,
  { panel, caller }: { panel: Pick<Panel, 'look'>; caller: Caller },
): Promise<Looked<BackupsFound> | undefined> {
  if (backupList === undefined) return undefined;
  if (server === undefined) return { left: 'There is no server to ask about.' };
  const answer = await panel.look(filledPath(backupList, { serverId: server }), caller);
  if (answer.kind !== 'yes') return { server, answer: answer.reason === 'not-found' ? 'not-found' : 'failed' };
  const backups = readBackups(backupList, answer.data)?.length;
  return { server, answer: backups === undefined ? 'not-understood' : 'understood', backups };
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

/** The inventory in force, and how many servers of it each role reaches. `at`: of when the panel's list is, in ms. */
export async function inventoryIn(
  policy: Policy,
  all: readonly ListedServer[],
  at: number | undefined,
): Promise<Looked<InventoryFound> | undefined> {
  if (policy.inventory === undefined) return undefined;
  if (policy.inventory.source === 'panel' && at === undefined)
    return { left: 'The panel has not given its list of servers yet.' };
  const written = new Set(policy.inventory.source === 'file' ? [] : policy.servers.map(({ id }) => id));
  const gains = new Map(policy.roles.map(({ name }) => [name, 0]));
  const rows = policy.roles.map(({ name, servers }) => ({ name, reaches: servers ? namesAny(servers) : () => true }));
  let servers = 0;
  await walk(all, (server) => {
    if (server.gone || written.has(server.id)) return;
    servers += 1;
    const roles = new Set(rows.filter(({ reaches }) => reaches(server)).map(({ name }) => name));
    for (const role of roles) gains.set(role, (gains.get(role) ?? 0) + 1);
  });
  return { servers, at, gains: [...gains].map(([role, reached]) => ({ role, servers: reached })) };
}

/** Of more servers only the number is read: a check has little time. */
const mostWalked = 2_000;

/** Tries the read of the policy's inventory. */
export async function tryInventory(
  policy: Policy,
  { look }: Pick<Panel, 'look'>,
  caller: Caller,
  now: number,
): Promise<Looked<InventoryFound> | undefined> {
  if (policy.inventory?.source !== 'panel') return inventoryIn(policy, policy.servers, undefined);
  const fields = fieldsOf(policy.inventory);
  const readAs =
    (who: Caller): ReadPanel =>
    (parts, query) =>
      look(parts, who, query);
  let total: number | undefined;
  try {
    total = await countServers(readAs(caller), fields);
    if (total > mostWalked) return { servers: total };
    // Beside what a person may read in a minute.
    const servers = await walkServers(readAs({ kind: 'follow-up' }), fields);
    const listed = atOnce(listedOf({ servers }, policy.servers, policy.inventoryRights === 'names'));
    return await inventoryIn(policy, atOnce(serversOf(policy, listed)), now);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { servers: total ?? 0, problem: error.message };
  }
}

/** How long calendars may take together, in ms: a check has little time. */
const calendarsTimeout = 8_000;

/** Reads the calendars of the policy's schedules. */
export async function tryCalendars(
  { onCall = [], timezone }: Policy,
  { now, ...given }: Pick<HowToRead, 'now'> & Partial<HowToRead>,
): Promise<CalendarFound[]> {
  if (onCall.length === 0) return [];
  const [{ readerOf }, { fetchFrom, isPublic }, { apart }, { onShift, Unreadable: Unread }] = await Promise.all([
    import('../on-call/refresh.ts'),
    import('../on-call/fetch.ts'),
    import('../on-call/apart.ts'),
    import('../on-call/shift.ts'),
  ]);
  const how = { fetch: fetchFrom({ isPublic }), expand: apart(), ...given, now };
  const read = readerOf(how, AbortSignal.timeout(calendarsTimeout));
  return Promise.all(
    onCall.map(async (schedule) => {
      const { name } = schedule;
      try {
        const { people, unmatched } = onShift(schedule, await read(schedule, timezone, undefined), now());
        return { name, people: people.length, unmatched };
      } catch (error) {
        if (!(error instanceof Unread)) throw error;
        return { name, problem: error.message };
      }
    }),
  );
}

/** What becomes of alerts under this policy. `port`: where they come in, and who listens there; undefined: nowhere. */
export function alertsIn(policy: Policy, port: AlertsFound | undefined): Looked<AlertsFound> | undefined {
  const { alerts } = policy;
  if (port === undefined) return alerts && { left: 'ALERTS_PORT is not set: the bot takes none.' };
  if (alerts === undefined) return { ...port, lacks: 'alerts' };
  const isHeard = alerts.ping !== undefined || rolesFor(policy, acknowledgement).length > 0;
  return { ...port, lacks: isHeard ? undefined : 'alerts.acknowledge' };
}

/** Who listens there. Nothing secret is sent: it may be anybody. */
export async function portOf({ host, port }: { host: string; port: number }): Promise<AlertsFound> {
  const at = port === 0 ? `any port of ${host}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const server = createServer().listen(port, host);
  try {
    await event(server, 'listening');
    return { at, state: 'nobody' };
  } catch (error) {
    const code = codeOf(error);
    return { at, state: code !== 'EADDRINUSE' ? code : (await isBot(host, port)) ? 'the bot' : 'another' };
  } finally {
    server.close();
  }
}

/** A request without a token tells: the bot refuses it, and says who refuses. */
const isBot = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ host, port, method: 'POST', path: '/alerts/generic', timeout: 5_000 }, (response) => {
      resolve(response.headers['www-authenticate'] === 'Bearer realm="panelops"');
      response.destroy();
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
