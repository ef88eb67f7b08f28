import { BOT_ROLE_ID, type Person, userObject } from './guild.ts';
import { RIGHTS } from './rights.ts';
import { INTENTS, type World } from './world.ts';

/** For how long further deletions of the same kind only raise an entry's count. */
const FOLD_MS = 5 * 60_000;

const ACTION = { deleted: 72, bulkDeleted: 73 };

/** An entry of Discord's own audit log. */
export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  /** Single deletions: the author of the messages. Bulk deletion: the channel. */
  readonly targetId: string;
  readonly action: number;
  readonly channelId?: string;
  /** Milliseconds. */
  readonly at: number;
  count: number;
}

/**
 * Somebody deleted another person's message. Within five minutes the same only raises the count, without an event.
 */
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

/** Whether the bot has VIEW_AUDIT_LOG; without it, it gets neither events nor entries. */
export function mayReadAuditLog({ guild }: World): boolean {
  const role = guild.roles.find((one) => one.id === BOT_ROLE_ID);
  return ((role?.permissions ?? 0n) & RIGHTS.viewAuditLog) !== 0n;
}

/** An entry on the wire, where counts are strings. */
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

/** The users these entries name. */
export function usersIn({ guild }: World, entries: readonly AuditEntry[]) {
  return [...guild.people, guild.bot]
    .filter((person) => entries.some((entry) => entry.userId === person.id || entry.targetId === person.id))
    .map((person) => userObject(guild, person));
}
