import { setTimeout as delay } from 'node:timers/promises';
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  DiscordAPIError,
  InteractionContextType,
  type REST,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type Command, described, type OptionSpec } from '../command.ts';
import { Limited, type Log, NotInGuild } from '../outcome.ts';
import { againIn, pauses } from '../waits.ts';
import { waitAfter } from './login.ts';

const types = {
  string: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  boolean: ApplicationCommandOptionType.Boolean,
  user: ApplicationCommandOptionType.User,
};

const inGuild = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** Whether the policy allows the command to anybody. */
export type IsGiven = (command: Command) => boolean;

/** Hides whole commands that nobody may run, but from administrators. The bot denies them all the same. */
const visibility = (commands: readonly Command[], isGiven: IsGiven) =>
  commands.some(isGiven) ? {} : { default_member_permissions: '0' };

/** The registration of message menu commands, which have no description. */
export const menus = (commands: readonly Command[], isGiven: IsGiven) =>
  commands.flatMap((command) =>
    command.menu === undefined
      ? []
      : [{ type: ApplicationCommandType.Message, name: command.menu, ...inGuild, ...visibility([command], isGiven) }],
  );

/** The registration of slash commands: `firewall.flush` is the subcommand flush of firewall. */
export function registration(all: readonly Command[], isGiven: IsGiven, zone = 'UTC') {
  const commands = all.filter(({ menu }) => menu === undefined);
  const names = [...new Set(commands.map(({ id }) => id.split('.')[0] ?? id))];
  return names.map((name) => {
    const mine = commands.filter(({ id }) => id.split('.')[0] === name);
    const [first] = mine;
    const alone = first !== undefined && first.id === name;
    const subcommands = mine.map((command) => ({
      type: ApplicationCommandOptionType.Subcommand as const,
      name: command.id.split('.')[1] ?? command.id,
      description: command.description,
      options: optionsOf(command, zone),
    }));
    return {
      type: ApplicationCommandType.ChatInput,
      name,
      description: alone
        ? first.description
        : mine
            .map(({ id }) => id.split('.')[1])
            .join(', ')
            .slice(0, 100),
      ...inGuild,
      ...visibility(mine, isGiven),
      options: alone ? optionsOf(first, zone) : subcommands,
    };
  });
}

/** Discord requires required options first. */
const optionsOf = (command: Command, zone: string) =>
  Object.entries(command.options)
    .sort(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([name, option]) => optionOf(name, option, zone));

function optionOf(name: string, spec: OptionSpec, zone: string) {
  const { type, required, choices, min, max, suggest } = spec;
  const bounds = type === 'string' ? { max_length: max } : { min_value: min, max_value: max };
  return {
    type: types[type],
    name,
    description: described(spec, zone),
    ...(required ? { required } : {}),
    ...(choices === undefined ? bounds : { choices: [...choices] }),
    ...(suggest === undefined ? {} : { autocomplete: true }),
  };
}

/** Names of commands that registration added, changed and removed. */
export interface Registered {
  added: readonly string[];
  changed: readonly string[];
  removed: readonly string[];
}

const named = z.array(z.looseObject({ name: z.string(), type: z.number().default(1) }));

function differences(existing: unknown, wanted: unknown): Registered {
  const [before, after] = [existing, wanted].map(
    (list) => new Map(named.parse(list).map((each) => [`${each.type} ${each.name}`, each])),
  );
  const names = (map: typeof before, is: (key: string) => boolean): string[] =>
    [...(map ?? [])].filter(([key]) => is(key)).map(([, { name }]) => name);
  const text = (map: typeof before, key: string): string => JSON.stringify(ownPart(map?.get(key)));
  return {
    added: names(after, (key) => !before?.has(key)),
    changed: names(after, (key) => before?.has(key) === true && text(before, key) !== text(after, key)),
    removed: names(before, (key) => !after?.has(key)),
  };
}

const wantedOf = ({ commands, isGiven, zone }: Wanted) => [
  ...registration(commands, isGiven, zone?.()),
  ...menus(commands, isGiven),
];

/** What registration would do, and how many commands this version has. */
export type CommandChanges = Registered & { count: number };

/** `existing`: Discord's list of registered commands. */
export function commandChanges(existing: unknown, wantedNow: Wanted): CommandChanges {
  const wanted = wantedOf(wantedNow);
  return { ...differences(existing, wanted), count: wanted.length };
}

/** Registers only if something differs: Discord allows 200 creations a day in each guild. */
export async function register(
  rest: REST,
  application: string,
  guild: string,
  { log, learn, ...parts }: Wanted & Pick<Registering, 'log' | 'learn'>,
): Promise<Registered> {
  const route = Routes.applicationGuildCommands(application, guild);
  const existing = await rest.get(route);
  // Read the policy late: it may have changed during the request.
  const wanted = wantedOf(parts);
  const registered = differences(existing, wanted);
  if (Object.values(registered).every((names) => names.length === 0)) {
    learn?.(existing);
    return registered;
  }
  const now = await rest.put(route, { body: wanted });
  learn?.(now);
  log.info({ commands: wanted.length }, 'commands registered');
  return registered;
}

export interface Wanted {
  commands: readonly Command[];
  isGiven: IsGiven;
  /** The time zone of times that people type. Default: UTC. */
  zone?(): string;
}

interface Registering extends Wanted {
  rest: REST;
  application: string;
  guild: string;
  log: Log;
  /** Receives Discord's list of registered commands, with their ids. */
  learn?(existing: unknown): void;
  /** Whether registration can never succeed. */
  isFinal(error: unknown): Promise<boolean>;
  signal: AbortSignal;
}

/** How long the start waits for the first attempt, in ms. */
const firstAttempt = 10_000;

/**
 * Returns a function that registers the commands, with retries. Registrations run one at a time, so that an older list
 * never overwrites a newer one. A call resolves after its first attempt, whatever the result, because commands that are
 * already registered can be served. Rejects with NotInGuild.
 */
export function keepRegistering({ rest, application, guild, isFinal, signal, ...wanted }: Registering) {
  const { log } = wanted;
  let before: Promise<unknown> = Promise.resolve();
  let calls = 0;
  const inOrder = (): Promise<unknown> => {
    const mine = before.then(() => register(rest, application, guild, wanted));
    before = mine.catch(() => undefined);
    return mine;
  };
  /** The error after which to try again. */
  const attempt = async (): Promise<unknown> => {
    try {
      await inOrder();
      return undefined;
    } catch (error) {
      if (await isFinal(error)) throw new NotInGuild(error);
      if (!(error instanceof DiscordAPIError && error.status === 400)) return error;
      log.error({ problem: String(error) }, 'Discord refuses the commands. Commands that are registered keep working.');
      return undefined;
    }
  };
  const keepOn = async (call: number, attempted: () => void): Promise<void> => {
    for (const pause of pauses()) {
      const error = await attempt();
      attempted();
      if (error === undefined) return;
      const ms = waitAfter(error, pause);
      // A limit is named where it is met.
      if (!(error instanceof Limited)) {
        const facts = { problem: String(error), again: againIn(ms) };
        log.warn(facts, 'The commands cannot be registered yet; the bot tries again.');
      }
      await delay(ms, undefined, { ref: false, signal });
      // A later call registers what is wanted now.
      if (call !== calls) return;
    }
  };
  return (): Promise<void> =>
    new Promise((resolve, reject) => {
      calls += 1;
      let isOver = false;
      const attempted = (): void => {
        isOver = true;
        resolve();
      };
      setTimeout(attempted, firstAttempt).unref();
      keepOn(calls, attempted).catch((error: unknown) => {
        // Whoever waits hears of it. Later nobody does.
        if (isOver && !signal.aborted) log.error({ problem: String(error) }, 'cannot register the commands');
        reject(error);
      });
    });
}

const ownKeys = [
  'type',
  'name',
  'description',
  'default_member_permissions',
  'options',
  'required',
  'choices',
  'value',
  'min_value',
  'max_value',
  'max_length',
  'autocomplete',
];

/** The part of a registration that the bot sets. Discord adds ids, versions and defaults. */
function ownPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownPart);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, member]) =>
          ownKeys.includes(key) &&
          member !== false &&
          member !== null &&
          member !== '' &&
          !(Array.isArray(member) && member.length === 0),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, ownPart(member)]),
  );
}
