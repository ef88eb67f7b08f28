import { z } from 'zod';
import { DENIED } from './rights.ts';

const match = z
  .strictObject({
    /** GET, POST …; missing: any. */
    method: z.string().toUpperCase().optional(),
    /** The path below /api/v10, where `*` matches anything: `/channels/ID/messages`. Missing: any. */
    path: z.string().startsWith('/').optional(),
    /** Part of the body as it is on the wire. Missing: any. */
    body: z.string().optional(),
  })
  .optional();
const times = z.int().positive().optional();

const shapes = {
  'drop-gateway': z.strictObject({ kind: z.literal('drop-gateway'), code: z.int().min(1000).max(4999).optional() }),
  reconnect: z.strictObject({ kind: z.literal('reconnect') }),
  'forget-sessions': z.strictObject({ kind: z.literal('forget-sessions') }),
  'lose-request': z.strictObject({
    kind: z.literal('lose-request'),
    /** Instead of an answer: `reset` the connection (discord.js retries), `close` it (it does not), or `hang`. */
    by: z.enum(['reset', 'close', 'hang']).optional(),
    match,
    times,
  }),
  'late-request': z.strictObject({
    kind: z.literal('late-request'),
    /** Resets the connection at once, and executes the request only after `ms`; left out: when the faults are cleared. */
    ms: z.int().min(0).max(600_000).optional(),
    match,
    times,
  }),
  'repeat-request': z.strictObject({ kind: z.literal('repeat-request'), match, times }),
  /** Immediate: delivers the newest interaction again, answered or not. */
  'deliver-again': z.strictObject({ kind: z.literal('deliver-again') }),
  'deliver-twice': z.strictObject({ kind: z.literal('deliver-twice'), times }),
  status: z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    match,
    times,
  }),
  delay: z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0).max(600_000), match, times }),
  'rate-limit': z.strictObject({
    kind: z.literal('rate-limit'),
    retryAfterMs: z.int().positive(),
    global: z.boolean().optional(),
    match,
    times,
  }),
  outage: z.strictObject({ kind: z.literal('outage') }),
  'forbid-channel': z.strictObject({
    kind: z.literal('forbid-channel'),
    channel: z.string(),
    /**
     * The right the bot loses there: `send` (50013, the default), `pin`, `files` (attach), `embed`, `threads` (start and
     * write; 50013), `mention` (@everyone, and roles that are not mentionable), `history` (sees no earlier messages, and replies fail with 160002), or `view` (50001). The
     * channel's overwrites show it.
     */
    right: z.enum(['send', 'view', 'pin', 'threads', 'history', 'files', 'embed', 'mention']).optional(),
  }),
  /** The guild is unavailable: the gateway sends only interactions, and the whole guild again afterwards. */
  'guild-outage': z.strictObject({ kind: z.literal('guild-outage') }),
  /** Somebody removes the bot, whose commands go with it, and invites it again when the fault is cleared. */
  kick: z.strictObject({ kind: z.literal('kick') }),
  /** Immediate: sends this to the bot as it is; a text is not made JSON first. */
  packet: z.strictObject({ kind: z.literal('packet'), packet: z.unknown() }),
};

const faultShape = z.discriminatedUnion('kind', [
  shapes['drop-gateway'],
  shapes.reconnect,
  shapes['forget-sessions'],
  shapes['lose-request'],
  shapes['late-request'],
  shapes['repeat-request'],
  shapes['deliver-again'],
  shapes['deliver-twice'],
  shapes.status,
  shapes.delay,
  shapes['rate-limit'],
  shapes.outage,
  shapes['forbid-channel'],
  shapes['guild-outage'],
  shapes.kick,
  shapes.packet,
]);

/** A fault ordered by a test or a person. `times`: how often (default 1). Outages last until cleared. */
export type DiscordFault = z.infer<typeof faultShape>;

export type RequestFault = Extract<DiscordFault, { match?: unknown }>;

export interface Faults {
  readonly order: (fault: DiscordFault) => void;
  readonly clear: () => void;
  /** Runs this when the faults are cleared, while they still hold. */
  readonly onClear: (run: () => void) => void;
  readonly isOrdered: (fault: DiscordFault) => boolean;
  /** Cancels one order, identified by the object that was given. */
  readonly cancel: (fault: DiscordFault) => void;
  readonly outage: () => boolean;
  /** Whether the bot hears nothing of the guild: during an outage, or because it was kicked. */
  readonly guildAway: () => boolean;
  readonly kicked: () => boolean;
  /** The permission bits the bot lacks in a channel. */
  readonly denied: (channel: { id: string; name: string }) => bigint;
  /** Consumes one ordered double delivery. */
  readonly deliverTwice: () => boolean;
  /** Consumes the oldest fault that matches this request. */
  readonly forRequest: (method: string, path: string, body: string) => RequestFault | undefined;
}

/** Parses an order; the problem names the wrong key. */
export function readFault(order: unknown): { fault: DiscordFault } | { problem: string } {
  const result = faultShape.safeParse(order);
  if (result.success) return { fault: result.data };
  const [issue] = result.error.issues;
  const key = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '');
  if (key === 'kind') return { problem: `kind: must be one of ${Object.keys(shapes).join(', ')}` };
  return { problem: key === '' ? 'the body must be a JSON object with a kind' : `${key}: ${issue?.message}` };
}

/** The pending faults. `now`: faults that do not wait for a request; `lifted`: those that are cleared. */
export function makeFaults(now: (fault: DiscordFault) => void, lifted: (faults: DiscordFault[]) => void): Faults {
  const waiting: { fault: DiscordFault; left: number }[] = [];
  const held: (() => void)[] = [];
  const kicked = (): boolean => waiting.some(({ fault }) => fault.kind === 'kick');
  const use = (fits: (fault: DiscordFault) => boolean): DiscordFault | undefined => {
    const index = waiting.findIndex((one) => fits(one.fault));
    const found = waiting[index];
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0) waiting.splice(index, 1);
    return found.fault;
  };
  return {
    order(fault) {
      if (['drop-gateway', 'reconnect', 'forget-sessions', 'deliver-again', 'packet'].includes(fault.kind))
        return now(fault);
      waiting.push({ fault, left: ('times' in fault ? fault.times : undefined) ?? 1 });
      if (isLasting(fault)) now(fault);
    },
    clear() {
      for (const run of held.splice(0)) run();
      lifted(waiting.splice(0).map(({ fault }) => fault));
    },
    onClear(run) {
      held.push(run);
    },
    isOrdered: (fault) => waiting.some((one) => one.fault === fault),
    cancel(fault) {
      const index = waiting.findIndex((one) => one.fault === fault);
      if (index !== -1) lifted(waiting.splice(index, 1).map((one) => one.fault));
    },
    outage: () => waiting.some(({ fault }) => fault.kind === 'outage'),
    guildAway: () => kicked() || waiting.some(({ fault }) => fault.kind === 'guild-outage'),
    kicked,
    denied: (channel) =>
      waiting
        .map(({ fault }) => fault)
        .filter((fault) => fault.kind === 'forbid-channel')
        .filter((fault) => [channel.id, channel.name].includes(fault.channel.replace(/^#/, '')))
        .reduce((all, fault) => all | DENIED[fault.right ?? 'send'], kicked() ? everyRight : 0n),
    deliverTwice: () => use((fault) => fault.kind === 'deliver-twice') !== undefined,
    forRequest(method, path, body) {
      const found = use((fault) => isForRequest(fault) && fits(fault.match, method, path, body));
      return found && isForRequest(found) ? found : undefined;
    },
  };
}

const everyRight = -1n;

function isLasting({ kind }: DiscordFault): boolean {
  return ['outage', 'guild-outage', 'kick', 'forbid-channel'].includes(kind);
}

function isForRequest(fault: DiscordFault): fault is RequestFault {
  return ['lose-request', 'late-request', 'repeat-request', 'status', 'delay', 'rate-limit'].includes(fault.kind);
}

function fits(match: RequestFault['match'], method: string, path: string, body: string): boolean {
  if (match?.body !== undefined && !body.includes(match.body)) return false;
  if (match?.method !== undefined && match.method !== method) return false;
  if (match?.path === undefined) return true;
  const pattern = match.path.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(path);
}
