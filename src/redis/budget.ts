import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { defined } from '../defined.ts';
import type { Learned, SharedBudget } from '../panel/budget.ts';

/**
 * Takes in what one process learned, gives a turn when asked, and answers what all know. Times of the caller are from now, those
 * that are kept are of Redis's clock; an empty argument is left out. A newer minute replaces an older one; of the same one the
 * smaller rest holds. Turns follow each other at the same distance (GCRA without bursts).
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

const figure = z.union([z.number(), z.literal('').transform(() => undefined)]);
const reply = z.tuple([figure, figure, figure, figure, figure, figure, figure]);

/**
 * What all processes with the same panel and token know of its limits, in Redis. `of` tells panels and tokens apart; only its digest
 * is stored. `patience`: how long people are kept waiting for an answer of Redis, in ms.
 */
export function sharedBudget(redis: Redis, of: string, patience = 100): SharedBudget {
  // It ignores the waits that it reported itself, which it knows by its own clock.
  const teller = randomUUID();
  const key = `panelops:budget:${createHash('sha256').update(of).digest('hex').slice(0, 16)}`;

  async function ask(learned: Learned, pace: readonly (number | '')[] = ['', '']) {
    const { limit = '', minute, heldFor = '', openFor = '' } = learned;
    const { reset = '', remaining = '', endsIn = '' } = minute ?? {};
    const told = [limit, reset, remaining, endsIn, heldFor, openFor, ...pace, teller];
    const [max, begun, rest, ends, held, open, turn] = reply.parse(await redis.eval(script, 1, key, ...told));
    const known: Learned = {
      ...defined({ limit: max }),
      ...(begun === undefined || rest === undefined || ends === undefined
        ? {}
        : { minute: { reset: begun, remaining: rest, endsIn: ends } }),
      ...defined({ heldFor: held, openFor: open }),
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
        // Redis does not answer: this process goes by what it knows.
        return undefined;
      }
    },
  };
}
