import type { OnCallTools } from '../command.ts';
import type { Bot } from '../discord/bot.ts';
import { type LiveCopies, scheduleNow } from '../on-call/now.ts';
import type { Calendars } from '../on-call/refresh.ts';
import type { Log } from '../outcome.ts';
import type { LivePolicy } from '../policy/live.ts';
import { storeIn } from './inventory.ts';
import type { AppOptions } from './options.ts';
import type { RedisSide } from './redis-place.ts';
import type { Closing, Store } from './store.ts';

interface Around {
  policy: Pick<LivePolicy, 'current'>;
  redis: Pick<RedisSide, 'opened'>;
  bot: Pick<Bot, 'rolesOf'>;
  ledger: Pick<Store['ledger'], 'isHeld'>;
  now(): number;
  log: Log;
}

export interface OnCall extends OnCallTools, Pick<Calendars, 'troubles'> {
  /** Fetches the calendars, if the policy has any by now. */
  refresh(): Promise<void>;
}

/** Who is on call, where the policy has schedules. What fetches and reads them is loaded, and looked for, only then. */
export async function startOnCall(options: AppOptions, around: Around, closing: Closing): Promise<OnCall> {
  const { policy, now, ledger } = around;
  const { isHeld } = ledger;
  const live: LiveCopies = { copies: new Map() };
  const schedules = () => policy.current().onCall ?? [];
  const zone = () => policy.current().timezone;
  let opened: Promise<Calendars> | undefined;
  let calendars: Calendars | undefined;
  async function open(): Promise<Calendars> {
    const [{ openCalendars }, { fetchFrom, isPublic }, { apart }] = await Promise.all([
      import('../on-call/refresh.ts'),
      import('../on-call/fetch.ts'),
      import('../on-call/apart.ts'),
    ]);
    const { every = 300_000, fetch = fetchFrom({ isPublic }), program } = options.onCall ?? {};
    const store = storeIn(options, around.redis, 'on-call');
    const expand = apart(program === undefined ? {} : { program });
    calendars = await openCalendars({ ...around, isHeld, live, schedules, zone, store, fetch, expand, every });
    return calendars;
  }
  async function start(): Promise<boolean> {
    if (opened !== undefined || schedules().length === 0) return false;
    opened = open();
    await opened;
    return true;
  }
  closing.push(async () => (await opened)?.close());
  await start();
  return {
    now: () => schedules().map((schedule) => scheduleNow(schedule, live, zone(), now())),
    gone: async (people) => {
      const roles = people.map((id) =>
        around.bot.rolesOf(id).then(
          (all) => (all.length === 0 ? [id] : []),
          () => [],
        ),
      );
      return (await Promise.all(roles)).flat();
    },
    troubles: () => calendars?.troubles() ?? [],
    // What begins fetches at once.
    refresh: async () => void ((await start()) || (await calendars?.now())),
  };
}
