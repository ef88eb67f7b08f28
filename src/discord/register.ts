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
import type { Command, OptionSpec } from '../command.ts';
import { defined } from '../defined.ts';
import { type Log, NotInGuild } from '../outcome.ts';

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

/** Whether anybody may run the command, as far as the policy says. */
export type IsGiven = (command: Command) => boolean;

/**
 * What nobody may run is offered to administrators alone, whom Discord shows everything. It only keeps a list short: whoever
 * sends the command all the same is denied. Discord hides whole commands, never a single subcommand.
 */
const visibility = (commands: readonly Command[], isGiven: IsGiven) =>
  commands.some(isGiven) ? {} : { default_member_permissions: '0' };

/** What is picked from the menu of a message, as Discord registers it: without a description. */
export const menus = (commands: readonly Command[], isGiven: IsGiven) =>
  commands.flatMap((command) =>
    command.menu === undefined
      ? []
      : [{ type: ApplicationCommandType.Message, name: command.menu, ...inGuild, ...visibility([command], isGiven) }],
  );

/** What is typed, as Discord registers it: `firewall.flush` is the subcommand flush of firewall. */
export function registration(all: readonly Command[], isGiven: IsGiven) {
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
      options: optionsOf(command),
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
      options: alone ? optionsOf(first) : subcommands,
    };
  });
}

/** Discord wants required options first. */
const optionsOf = (command: Command) =>
  Object.entries(command.options)
    .sort(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([name, option]) => optionOf(name, option));

function optionOf(name: string, { type, description, required, choices, min, max, suggest }: OptionSpec) {
  const bounds =
    type === 'string' ? { ...defined({ max_length: max }) } : { ...defined({ min_value: min, max_value: max }) };
  return {
    type: types[type],
    name,
    description,
    ...(required ? { required } : {}),
    ...(choices === undefined ? bounds : { choices: [...choices] }),
    ...(suggest === undefined ? {} : { autocomplete: true }),
  };
}

/** Registers when something differs from what Discord has: 200 creations a day and guild are all there are. */
export async function register(
  rest: REST,
  application: string,
  guild: string,
  { commands, isGiven, log }: { commands: readonly Command[]; isGiven: IsGiven; log: Log },
): Promise<void> {
  const route = Routes.applicationGuildCommands(application, guild);
  const wanted = [...registration(commands, isGiven), ...menus(commands, isGiven)];
  if (JSON.stringify(essences(await rest.get(route))) === JSON.stringify(essences(wanted))) return;
  await rest.put(route, { body: wanted });
  log.info({ commands: wanted.length }, 'commands registered');
}

interface Registering {
  rest: REST;
  application: string;
  guild: string;
  commands: readonly Command[];
  isGiven: IsGiven;
  log: Log;
  /** Whether Discord will never take them. */
  isFinal(error: unknown): Promise<boolean>;
  signal: AbortSignal;
}

/** In ms: between attempts at first and at most, and how long whoever starts waits for the first one. */
const pace = { retry: 1_000, most: 60_000, first: 10_000 };

/**
 * Registers until it is done; resolves after the first attempt, whatever came of it: what is registered already can be
 * served. Rejects with NotInGuild, or where the commands are wrong, if that one says so.
 */
export async function keepRegistering({ rest, application, guild, isFinal, signal, ...of }: Registering) {
  const { log } = of;
  const attempt = async (): Promise<boolean> => {
    try {
      await register(rest, application, guild, of);
      return true;
    } catch (error) {
      if (await isFinal(error)) throw new NotInGuild(error);
      if (error instanceof DiscordAPIError && error.status === 400) throw error;
      log.warn({ problem: String(error) }, 'the commands cannot be registered yet');
      return false;
    }
  };
  const goOn = async (): Promise<void> => {
    for (let pause = pace.retry; ; pause = Math.min(2 * pause, pace.most)) {
      await delay(pause, undefined, { ref: false, signal });
      if (await attempt()) return;
    }
  };
  const first = attempt();
  await Promise.race([first, delay(pace.first, undefined, { ref: false })]);
  void first
    .then((isDone) => (isDone ? undefined : goOn()))
    .catch((error: unknown) => {
      if (!signal.aborted) log.error({ problem: String(error) }, 'the commands are not registered');
    });
}

const essentials = [
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

/** Commands come in any order; what a person sees of one, its options and their choices, in that which was registered. */
const essences = (registered: unknown): unknown => {
  const all = essence(registered);
  return Array.isArray(all) ? all.toSorted(byName) : all;
};

/** What of a registration is ours: Discord adds ids, versions and defaults to what it gives back. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, member]) =>
          essentials.includes(key) &&
          member !== false &&
          member !== null &&
          member !== '' &&
          !(Array.isArray(member) && member.length === 0),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, essence(member)]),
  );
}

const byName = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
