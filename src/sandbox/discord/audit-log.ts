import { BOT_ROLE_ID, type Person, userObject } from './guild.ts';
import { RIGHTS } from './rights.ts';
import { INTENTS, type World } from './world.ts';

/** How long further deletions of the same kind only raise the count of an entry. */
const FOLD_MS = 5 * 60_000;

const ACTION = { deleted: 72, bulkDeleted: 73 };

/** Who did what to whom: an entry of Discord's own log. */
export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  /** Deleted: the author of the messages. Deleted in bulk: the channel. */
  readonly targetId: string;
  readonly action: number;
  readonly channelId?: string;
  /** Milliseconds. */
  readonly at: number;
  count: number;
}

/** Somebody deleted another's message. Within five minutes the same again raises the count, of which nobody is told. */
export function logDeletion(world: World, person: Person, author: Person, channelId: string): void {
  const same = world.auditLog.findLast(
    (one) =>
      one.action === ACTION.deleted &&
      one.userId === person.id &&
      one.targetId === author.id &&
      one.channelId === channelId,
  );
  if (same && world.now() - same.at < FOLD_MS) {
    same.count += 1;
    world.memory.touch('audit', same.id);
  } else add(world, { userId: person.id, targetId: author.id, action: ACTION.deleted, channelId, count: 1 });
}

/** Somebody deleted several messages of a channel at once. */
export function logBulkDeletion(world: World, person: Person, channelId: string, count: number): void {
  add(world, { userId: person.id, targetId: channelId, action: ACTION.bulkDeleted, count });
}

function add(world: World, what: Omit<AuditEntry, 'id' | 'at'>): void {
  const entry: AuditEntry = { ...what, id: world.nextId(), at: world.now() };
  world.auditLog.push(entry);
  world.memory.touch('audit', entry.id);
  if (!mayReadAuditLog(world)) return;
  world.dispatch({
    t: 'GUILD_AUDIT_LOG_ENTRY_CREATE',
    intent: INTENTS.moderation,
    data: () => ({ ...entryObject(entry), guild_id: world.guild.id }),
  });
}

/** Whether the bot has VIEW_AUDIT_LOG, without which it is neither told nor answered. */
export function mayReadAuditLog({ guild }: World): boolean {
  const role = guild.roles.find((one) => one.id === BOT_ROLE_ID);
  return ((role?.permissions ?? 0n) & RIGHTS.viewAuditLog) !== 0n;
}

/** An entry on the wire, where counts are text. */
export function entryObject(entry: AuditEntry) {
  return {
    id: entry.id,
    user_id: entry.userId,
    target_id: entry.targetId,
    action_type: entry.action,
    options: {
      ...(entry.channelId !== undefined && { channel_id: entry.channelId }),
      count: String(entry.count),
    },
  };
}

/** The users whom these entries name. */
export function usersIn({ guild }: World, entries: readonly AuditEntry[]) {
  return [...guild.people, guild.bot]
    .filter((person) => entries.some((entry) => entry.userId === person.id || entry.targetId === person.id))
    .map((person) => userObject(guild, person));
}
