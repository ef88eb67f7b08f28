import type { OnCallTools } from '../command.ts';
import type { Bot } from '../discord/bot.ts';
import type { Calendars } from '../on-call/refresh.ts';
import { isFresh, isRecent, type LiveCopies, pingsOf, type ScheduleNow, scheduleNow } from '../on-call/shift.ts';
import type { Actor, Log } from '../outcome.ts';
import type { LivePolicy } from '../policy/live.ts';
import { shiftOf } from '../policy/on-call.ts';
import type { Runner } from '../shell/index.ts';
import type { Click, Invocation } from '../shell/parts.ts';
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
  /** The shifts that somebody has now, as far as rights follow from them: in the form of their roles. */
  shiftsOf(person: string): readonly string[];
  /** Whether it is known who has the shift of that schedule, as far as rights follow from it. */
  isKnown(schedule: string): boolean;
  /** Who is pinged for those who are on call; with ids of roles, only of the schedules that have one of these. In the form of a ping. */
  pings: (roles?: readonly string[]) => readonly string[];
  /** The schedules of which a change of shift is told, if the policy wants that, and whom it pings. */
  handovers: () => readonly (ScheduleNow & { pings: readonly string[] })[];
  /** Fetches the calendars, if the policy has any by now. */
  refresh(): Promise<void>;
}

/** Who is on call, where the policy has schedules. What fetches and reads them is loaded, and looked for, only then. */
export async function startOnCall(options: AppOptions, around: Around, closing: Closing): Promise<OnCall> {
  const { policy, now, ledger } = around;
  const { isHeld } = ledger;
  const live: LiveCopies = { copies: new Map(), gone: [] };
  const schedules = () => policy.current().onCall ?? [];
  const zone = () => policy.current().timezone;
  const gone = async (people: readonly string[]): Promise<string[]> => {
    const left = people.map((id) =>
      around.bot.rolesOf(id).then(
        (roles) => (roles.length === 0 ? [id] : []),
        // Discord does not answer: they count as there.
        () => [],
      ),
    );
    return (await Promise.all(left)).flat();
  };
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
    calendars = await openCalendars({ ...around, isHeld, live, schedules, zone, store, fetch, expand, gone, every });
    return calendars;
  }
  async function start(): Promise<boolean> {
    if (opened !== undefined || schedules().length === 0) return false;
    opened = open();
    await opened;
    return true;
  }
  const nowOf = () => schedules().map((schedule) => scheduleNow(schedule, live, zone(), now()));
  const fresh = () => nowOf().filter(isFresh);
  closing.push(async () => (await opened)?.close());
  await start();
  return {
    now: nowOf,
    isKnown: (schedule) => fresh().some(({ name }) => name === schedule),
    pings: (roles) => {
      const names = roles?.map((id) => policy.current().roles.find(({ role }) => role === id)?.name);
      const meant = nowOf().filter(({ role }) => names === undefined || names.includes(role));
      return meant.flatMap((each) => pingsOf(each, policy.current()));
    },
    handovers: () =>
      policy.current().handoverAtShift === true
        ? nowOf().flatMap((each) => (isRecent(each) ? { ...each, pings: pingsOf(each, policy.current()) } : []))
        : [],
    shiftsOf: (person) => fresh().flatMap(({ name, shift }) => (shift?.people.includes(person) ? [shiftOf(name)] : [])),
    troubles: () => calendars?.troubles() ?? [],
    // What begins fetches at once.
    refresh: async () => void ((await start()) || (await calendars?.now())),
  };
}

/** Whoever acts has, beside the roles that Discord says, the shifts of that moment: each step decides by them, and records them. */
export function withShifts(runner: Runner, { shiftsOf }: Pick<OnCall, 'shiftsOf'>): Runner {
  const on = (actor: Actor): Actor => ({ ...actor, roles: [...actor.roles, ...shiftsOf(actor.id)] });
  const typed = (asked: Invocation): Invocation => ({
    ...asked,
    actor: on(asked.actor),
    ...(asked.people === undefined ? {} : { people: asked.people.map(on) }),
  });
  const pressed = (clicked: Click): Click => ({
    ...clicked,
    actor: on(clicked.actor),
    rolesNow: async (person) => [...(await clicked.rolesNow(person)), ...shiftsOf(person)],
  });
  return {
    ...runner,
    command: (asked) => runner.command(typed(asked)),
    dryRun: (asked) => runner.dryRun(typed(asked)),
    click: (clicked) => runner.click(pressed(clicked)),
    offers: (clicked) => runner.offers(pressed(clicked)),
    suggest: (typing) => runner.suggest({ ...typing, actor: on(typing.actor) }),
  };
}
