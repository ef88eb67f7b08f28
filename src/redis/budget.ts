import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Learned, SharedBudget } from '../panel/client.ts';

/**
 * Merges what one process learned, reserves a turn on request, and returns the shared state. The caller's times are
 * relative; stored times are on Redis's clock; an empty argument is skipped. A newer minute replaces an older one;
 * within one minute the smaller remainder counts. Turns are evenly spaced (GCRA without bursts).
 */
const script = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function get(field) return tonumber(redis.call('HGET', key, field) or '') end
local function set(field, value) redis.call('HSET', key, field, string.format('%.3f', value)) end
local function left(field)
  local ms = math.ceil((get(field) or 0) - now)
  return ms > 0 and ms or ''
end
local function hold(field, ms)
  if now + ms <= (get(field) or 0) then return end
  set(field, now + ms)
  redis.call('HSET', key, field .. 'By', ARGV[9])
end
local function byOthers(field)
  return redis.call('HGET', key, field .. 'By') ~= ARGV[9] and left(field) or ''
end
local limit, reset, remaining, endsIn = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local heldFor, openFor, perMinute, after = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if limit then set('limit', limit) end
if reset then
  local known = get('reset') or -1
  if reset > known then
    set('reset', reset)
    set('remaining', remaining)
    set('endsAt', now + endsIn)
  elseif reset == known and remaining < get('remaining') then
    set('remaining', remaining)
  end
end
if heldFor then hold('heldUntil', heldFor) end
if openFor == 0 then redis.call('HDEL', key, 'openUntil') elseif openFor then hold('openUntil', openFor) end
local turn = ''
if perMinute then
  local at = math.max(now + after, get('nextTurn') or 0)
  set('nextTurn', at + 60000 / perMinute)
  turn = math.ceil(at - now)
end
redis.call('PEXPIRE', key, 86400000)
local minute = left('endsAt')
local function known(field) return minute ~= '' and get(field) or '' end
return { get('limit') or '', known('reset'), known('remaining'), minute, byOthers('heldUntil'), byOthers('openUntil'), turn }`;

const digest = createHash('sha1').update(script).digest('hex');

const figure = z.union([z.number(), z.literal('').transform(() => undefined)]);
const reply = z.tuple([figure, figure, figure, figure, figure, figure, figure]);

/**
 * The rate limit state in Redis, shared by all processes with the same panel and token. `of` identifies panel and
 * token; only its digest is stored. `patience`: how long a caller waits for Redis, in ms.
 */
export function sharedBudget(redis: Redis, of: string, patience = 100): SharedBudget {
  // Ignores the waits this process reported itself, which it tracks on its own clock.
  const reporter = randomUUID();
  const key = `panelops:budget:${createHash('sha256').update(of).digest('hex').slice(0, 16)}`;

  /** Runs the script by its digest. Sends its text only if Redis does not know it, as after a restart. */
  async function run(args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(digest, 1, key, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await redis.eval(script, 1, key, ...args);
    }
  }

  async function ask(learned: Learned, pace: readonly (number | '')[] = ['', '']) {
    const { limit = '', minute, heldFor = '', openFor = '' } = learned;
    const { reset = '', remaining = '', endsIn = '' } = minute ?? {};
    const args = [limit, reset, remaining, endsIn, heldFor, openFor, ...pace, reporter];
    const [max, begun, rest, ends, held, open, turn] = reply.parse(await run(args));
    const known: Learned = {
      limit: max,
      ...(begun === undefined || rest === undefined || ends === undefined
        ? {}
        : { minute: { reset: begun, remaining: rest, endsIn: ends } }),
      heldFor: held,
      openFor: open,
    };
    return { known, turn };
  }

  return {
    exchange: (learned) =>
      Promise.race([
        ask(learned).then(
          ({ known }) => known,
          () => undefined,
        ),
        delay(patience, undefined, { ref: false }),
      ]),
    async slot(perMinute, after) {
      try {
        const { known, turn } = await ask({}, [perMinute, after]);
        return turn === undefined ? undefined : { inMs: turn, known };
      } catch {
        // Redis does not answer: fall back to what this process knows.
        return undefined;
      }
    },
  };
}
