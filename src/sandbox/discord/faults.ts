import { z } from 'zod';
import { DENIED } from './rights.ts';

const match = z
  .strictObject({
    /** GET, POST …; left out: any. */
    method: z.string().toUpperCase().optional(),
    /** The path below /api/v10, `*` standing for anything: `/channels/ID/messages` or `/interactions/*`. Left out: any. */
    path: z.string().startsWith('/').optional(),
  })
  .optional();
const times = z.int().positive().optional();

const shapes = {
  'drop-gateway': z.strictObject({ kind: z.literal('drop-gateway'), code: z.int().min(1000).max(4999).optional() }),
  reconnect: z.strictObject({ kind: z.literal('reconnect') }),
  'forget-sessions': z.strictObject({ kind: z.literal('forget-sessions') }),
  'lose-request': z.strictObject({
    kind: z.literal('lose-request'),
    /** What comes instead of the answer: a reset connection (discord.js sends again), its end (it does not), nothing ever. */
    by: z.enum(['reset', 'close', 'hang']).optional(),
    match,
    times,
  }),
  'late-request': z.strictObject({
    kind: z.literal('late-request'),
    /** The connection is reset at once, and what was asked is done only then. */
    ms: z.int().min(0).max(600_000),
    match,
    times,
  }),
  'repeat-request': z.strictObject({ kind: z.literal('repeat-request'), match, times }),
  /** At once: the newest interaction, answered or not. */
  'deliver-again': z.strictObject({ kind: z.literal('deliver-again') }),
  'deliver-twice': z.strictObject({ kind: z.literal('deliver-twice'), times }),
  status: z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
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
    /** A channel's name or id. */
    channel: z.string(),
    /**
     * What the bot may no longer do there: `send` (50013, the default), `pin`, attach `files`, start and write `threads` (50013),
     * read what was written (`history`: none is shown, and no reply is taken, 160002), or even `view` (50001). The channel's
     * overwrites show it.
     */
    right: z.enum(['send', 'view', 'pin', 'threads', 'history', 'files']).optional(),
  }),
  'forbid-audit-log': z.strictObject({ kind: z.literal('forbid-audit-log') }),
  /** The guild is unavailable: the gateway tells nothing of it but interactions, and all of it when that is over. */
  'guild-outage': z.strictObject({ kind: z.literal('guild-outage') }),
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
  shapes['forbid-audit-log'],
  shapes['guild-outage'],
]);

/**
 * Something that goes wrong on order. `times` says how often (1 unless said); outages and what is forbidden last until
 * cleared.
 */
export type DiscordFault = z.infer<typeof faultShape>;

export type RequestFault = Extract<DiscordFault, { match?: unknown }>;

export interface Faults {
  readonly order: (fault: DiscordFault) => void;
  readonly clear: () => void;
  /** Whether this very object is on order. */
  readonly isOrdered: (fault: DiscordFault) => boolean;
  /** Takes one order back, the same object that was given. */
  readonly cancel: (fault: DiscordFault) => void;
  readonly outage: () => boolean;
  readonly guildAway: () => boolean;
  /** The permission bits that the bot lacks in a channel. */
  readonly denied: (channel: { id: string; name: string }) => bigint;
  readonly auditLogForbidden: () => boolean;
  /** Uses up one of the ordered double deliveries. */
  readonly deliverTwice: () => boolean;
  /** Uses up the oldest ordered fault that fits this request. */
  readonly forRequest: (method: string, path: string) => RequestFault | undefined;
}

/** Reads an order; the problem names the key that is wrong. */
export function readFault(order: unknown): { fault: DiscordFault } | { problem: string } {
  const result = faultShape.safeParse(order);
  if (result.success) return { fault: result.data };
  const [issue] = result.error.issues;
  const key = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '');
  if (key === 'kind') return { problem: `kind: must be one of ${Object.keys(shapes).join(', ')}` };
  return { problem: key === '' ? 'the body must be a JSON object with a kind' : `${key}: ${issue?.message}` };
}

/** The faults in waiting. `now` happens at once with those that are not about a later request, `lifted` with those that are cleared. */
export function makeFaults(now: (fault: DiscordFault) => void, lifted: (faults: DiscordFault[]) => void): Faults {
  const waiting: { fault: DiscordFault; left: number }[] = [];
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
      if (['drop-gateway', 'reconnect', 'forget-sessions', 'deliver-again'].includes(fault.kind)) return now(fault);
      waiting.push({ fault, left: ('times' in fault ? fault.times : undefined) ?? 1 });
      if (isLasting(fault)) now(fault);
    },
    clear: () => lifted(waiting.splice(0).map(({ fault }) => fault)),
    isOrdered: (fault) => waiting.some((one) => one.fault === fault),
    cancel(fault) {
      const index = waiting.findIndex((one) => one.fault === fault);
      if (index !== -1) lifted(waiting.splice(index, 1).map((one) => one.fault));
    },
    outage: () => waiting.some(({ fault }) => fault.kind === 'outage'),
    guildAway: () => waiting.some(({ fault }) => fault.kind === 'guild-outage'),
    denied: (channel) =>
      waiting
        .map(({ fault }) => fault)
        .filter((fault) => fault.kind === 'forbid-channel')
        .filter((fault) => [channel.id, channel.name].includes(fault.channel.replace(/^#/, '')))
        .reduce((all, fault) => all | DENIED[fault.right ?? 'send'], 0n),
    auditLogForbidden: () => waiting.some(({ fault }) => fault.kind === 'forbid-audit-log'),
    deliverTwice: () => use((fault) => fault.kind === 'deliver-twice') !== undefined,
    forRequest(method, path) {
      const found = use((fault) => isForRequest(fault) && fits(fault.match, method, path));
      return found && isForRequest(found) ? found : undefined;
    },
  };
}

/** True for what is so until it is cleared. */
function isLasting({ kind }: DiscordFault): boolean {
  return ['outage', 'guild-outage', 'forbid-channel', 'forbid-audit-log'].includes(kind);
}

function isForRequest(fault: DiscordFault): fault is RequestFault {
  return ['lose-request', 'late-request', 'repeat-request', 'status', 'delay', 'rate-limit'].includes(fault.kind);
}

function fits(match: RequestFault['match'], method: string, path: string): boolean {
  if (match?.method !== undefined && match.method !== method) return false;
  if (match?.path === undefined) return true;
  const pattern = match.path.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(path);
}
