import { REST, Routes } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';
import { type IsGiven, keepRegistering, menus, register, registration } from '../../src/discord/register.ts';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { checkCommands } from '../../src/sandbox/discord/validate/index.ts';

const everything = () => true;

const named = z.array(z.object({ name: z.string(), default_member_permissions: z.string().nullish() }));

describe('the registration of all commands', () => {
  it('is taken by Discord', () => {
    expect(checkCommands([...registration(commands, everything), ...menus(commands, everything)])).toBeUndefined();
  });

  it('has one command a word, with its subcommands below', () => {
    const registered = registration(commands, everything).flatMap(({ name, options }) => {
      const subcommands = options.filter(({ type }) => type === 1).map((option) => `${name}.${option.name}`);
      return subcommands.length === 0 ? [name] : subcommands;
    });
    expect(registered).toEqual(commands.filter(({ menu }: Command) => menu === undefined).map(({ id }) => id));
    expect(registered).toEqual(expect.arrayContaining(['power.boot', 'power.shutdown', 'help']));
  });

  it('is for the guild alone: no direct messages, no installation by users', () => {
    for (const each of registration(commands, everything)) {
      expect(each).toMatchObject({ type: 1, contexts: [0], integration_types: [0] });
    }
  });

  it('has what is picked from the menu of a message beside what is typed, with nothing but its label', () => {
    expect(menus(commands, everything)).toEqual([
      { type: 3, name: 'Add to incident timeline', contexts: [0], integration_types: [0] },
    ]);
  });

  it('asks Discord for a user where a command wants one, required options first', () => {
    const followUps = registration(commands, everything).find(({ name }) => name === 'follow-ups');
    const options = followUps?.options.map((each) => ({
      name: each.name,
      options: 'options' in each ? each.options.map(({ name, type, ...rest }) => [name, type, 'required' in rest]) : [],
    }));
    expect(options).toEqual([
      { name: 'list', options: [['server', 3, false]] },
      {
        name: 'stop',
        options: [
          ['server', 3, true],
          ['id', 3, false],
        ],
      },
      {
        name: 'ended',
        options: [
          ['server', 3, true],
          ['how', 3, true],
          ['id', 3, false],
        ],
      },
      {
        name: 'hand-over',
        options: [
          ['server', 3, true],
          ['user', 6, true],
          ['id', 3, false],
        ],
      },
    ]);
  });

  it('says of which zone a time is, in what Discord takes', () => {
    const descriptions = (zone?: string): string[] =>
      registration(commands, everything, zone).flatMap(({ options }) =>
        options.flatMap((each) => ('options' in each ? each.options.map(({ description }) => description) : [])),
      );
    expect(descriptions()).toContain('Back to when: yesterday 22:00, 22:00 or 6h; by disk: 0=22:00,1=6h (UTC)');
    // The longest name that there is.
    const longest = descriptions('America/Argentina/ComodRivadavia');
    expect(longest).toContain('Since when: 2h, 3d, 22:00 or yesterday 22:00 (America/Argentina/ComodRivadavia)');
    expect(longest.filter((each) => each.length > 100)).toEqual([]);
  });
});

describe('a command that the policy gives to nobody', () => {
  const hidden = (isGiven: IsGiven): string[] =>
    [...registration(commands, isGiven), ...menus(commands, isGiven)].flatMap((each) =>
      'default_member_permissions' in each ? [`${each.name}: ${each.default_member_permissions}`] : [],
    );

  it('is offered to administrators alone, typed or in a menu', () => {
    expect(hidden(({ id }) => !/^(traffic|incident)\./.test(id))).toEqual([
      'traffic: 0',
      'incident: 0',
      'Add to incident timeline: 0',
    ]);
  });

  it('is offered to all where one of its subcommands is given to somebody: Discord knows no less', () => {
    expect(hidden(({ id }) => id !== 'traffic.add')).toEqual([]);
  });
});

describe('registering', () => {
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  let discord: SandboxDiscord;
  let rest: REST;
  beforeAll(async () => {
    discord = await startDiscord();
    rest = new REST({ api: discord.apiUrl }).setToken(discord.token);
  });
  afterAll(() => discord.close());

  /** How often commands were written to Discord for this. */
  async function puts(list: readonly Command[], isGiven: IsGiven = everything): Promise<number> {
    const before = discord.requests.length;
    await register(rest, discord.applicationId, discord.guildId, { commands: list, isGiven, log });
    return discord.requests.slice(before).filter(({ method }) => method === 'PUT').length;
  }

  /** The commands with one of them changed. */
  const changed = (id: string, change: Partial<Command>): Command[] =>
    commands.map((command) => (command.id === id ? { ...command, ...change } : command));

  it('writes once, and not again at the next start', async () => {
    expect(await puts(commands)).toBe(1);
    expect(await puts(commands)).toBe(0);
    expect(await puts(commands)).toBe(0);
  });

  it.each([
    ['another description', () => changed('power.boot', { description: 'Boot servers, or try to' })],
    [
      'an option that became required',
      () => changed('help', { options: { page: { type: 'integer', description: 'The page', required: true } } }),
    ],
    [
      'a bound that moved',
      () =>
        changed('help', { options: { page: { type: 'integer', description: 'The page', required: true, max: 5 } } }),
    ],
    [
      'an option with suggestions',
      () =>
        changed('help', {
          options: { page: { type: 'integer', description: 'The page', required: true, suggest: () => [] } },
        }),
    ],
    ['another label in the menu', () => changed('incident.note', { menu: 'Keep' })],
    ['a command less', () => commands.filter(({ id }) => id !== 'cpu.throttle')],
    ['all as they were', () => commands],
    [
      'options in another order',
      () => {
        const options = commands.find(({ id }) => id === 'cpu.throttle')?.options ?? {};
        return changed('cpu.throttle', { options: Object.fromEntries(Object.entries(options).toReversed()) });
      },
    ],
  ])('writes once more for %s, and then not again', async (_what, list) => {
    expect(await puts(list())).toBe(1);
    expect(await puts(list())).toBe(0);
  });

  /** What administrators alone see, as Discord has it. */
  const hiddenAtDiscord = async (): Promise<string[]> => {
    const list = await rest.get(Routes.applicationGuildCommands(discord.applicationId, discord.guildId));
    return named.parse(list).flatMap((each) => (each.default_member_permissions === '0' ? [each.name] : []));
  };

  it('writes what the policy says once Discord has answered, not what it said before', async () => {
    await puts(commands);
    let hidden = 'traffic.';
    class Meanwhile extends REST {
      override async get(route: `/${string}`) {
        const there = await super.get(route);
        hidden = 'cpu.';
        return there;
      }
    }
    const late = new Meanwhile({ api: discord.apiUrl }).setToken(discord.token);
    const isGiven: IsGiven = ({ id }) => !id.startsWith(hidden);
    await register(late, discord.applicationId, discord.guildId, { commands, isGiven, log });
    expect(await hiddenAtDiscord()).toEqual(['cpu']);
  });

  it('of two policies in a row leaves the newer one at Discord, however slow the first write is', async () => {
    await puts(commands);
    let hidden = 'traffic.';
    let writing = (): void => undefined;
    let letGo = (): void => undefined;
    const isWriting = new Promise<void>((resolve) => {
      writing = resolve;
    });
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    class Slow extends REST {
      override async put(...request: Parameters<REST['put']>) {
        writing();
        await released;
        return super.put(...request);
      }
    }
    const registering = keepRegistering({
      ...{ rest: new Slow({ api: discord.apiUrl }).setToken(discord.token), commands, log },
      ...{ application: discord.applicationId, guild: discord.guildId, signal: new AbortController().signal },
      isGiven: ({ id }) => !id.startsWith(hidden),
      isFinal: () => Promise.resolve(false),
    });
    const first = registering();
    await isWriting;
    hidden = 'none.';
    const second = registering();
    // Time enough for a registration that does not wait for its turn.
    await rest.get(Routes.applicationGuildCommands(discord.applicationId, discord.guildId));
    letGo();
    await Promise.all([first, second]);
    expect(await hiddenAtDiscord()).toEqual([]);
  });

  it('writes once more when the policy begins or ceases to give a command to somebody', async () => {
    const withoutTraffic: IsGiven = ({ id }) => !id.startsWith('traffic.');
    expect(await puts(commands, withoutTraffic)).toBe(1);
    expect(await puts(commands, withoutTraffic)).toBe(0);
    expect(await puts(commands)).toBe(1);
    expect(await puts(commands)).toBe(0);
  });
});
