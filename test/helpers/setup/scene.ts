import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import type { PanelOptions, SandboxPanel } from '../../../src/sandbox/panel/index.ts';
import { folder } from '../ledger/samples.ts';
import { canaries, type Surroundings, surroundings } from '../surroundings.ts';
import { atTerminal, type Person } from './terminal.ts';

/** Typed tokens that Discord and the panel do not know. */
export const wrong = { discord: 'MTAwMA.CANARY.a-token-that-was-reset', panel: 'panel-canary-of-another-panel' };

/** A machine on which somebody sets panelops up, with the sandbox's Discord and panel in reach. */
export interface Scene extends Surroundings {
  cwd: string;
  /** Begins setup in the folder. No token may ever be shown in that terminal. */
  begins(): Person;
  /** What is in the folder: names in order. */
  files(): string[];
  text(name: string): string;
  /** As chmod takes it. */
  mode(name: string): string;
}

export async function scene(options?: Omit<PanelOptions, 'token'>): Promise<Scene> {
  const { discord, panel } = await surroundings(options);
  const cwd = folder();
  return {
    ...{ discord, panel, cwd },
    begins() {
      const person = atTerminal('setup', { DISCORD_API_URL: discord.apiUrl }, cwd);
      onTestFinished(() => {
        const all = [...Object.values(canaries), ...Object.values(wrong)];
        expect(all.filter((token) => person.shown().includes(token))).toEqual([]);
      });
      return person;
    },
    files: () => readdirSync(cwd).sort(),
    text: (name) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : ''),
    mode: (name) => (statSync(join(cwd, name)).mode & 0o777).toString(8),
  };
}

/** Answers for Discord and the panel, as somebody does to whom nothing unexpected happens. */
export async function entersBoth(
  person: Person,
  { discord, panel }: { discord: Pick<SandboxDiscord, 'token'>; panel: Pick<SandboxPanel, 'url' | 'token'> },
): Promise<void> {
  await person.answers("The bot's token", discord.token);
  await person.answers("The panel's address", panel.url);
  await person.answers("The panel's API token", panel.token);
  await person.sees('a real read works');
}

/** Says how the team works, and takes what is offered for these roles, up to the channel of the trail. */
export async function entersRoles(person: Person, preset?: string): Promise<void> {
  await person.chooses('How does your team work?', preset);
  await person.sees('Which roles may use the bot?');
  // They are marked, because the preset has what they are called.
  person.presses('enter');
  for (const role of ['lead', 'on-call', 'viewer']) await person.chooses(`What may ${role} do?`);
  await person.sees('Where does the bot answer?');
  // So is #ops.
  person.presses('enter');
}

/** Takes what is offered: on call with leads, commands in #ops; the trail in #audit, and servers by their id. */
export async function entersPolicy(person: Person): Promise<void> {
  await entersRoles(person);
  await person.chooses('Which channel gets the trail', '#audit');
  await person.chooses('Which servers can people type by name?', 'None');
  await person.sees('The bot has the permissions that it needs');
}

/** The policy that comes of these answers. */
export const writtenPolicy = `# Who may do what in Sandbox. Nothing is allowed that is not written here.
# Written by panelops setup; edit it as you like: docs/policy.md has every key.

# The bot answers in these channels and their threads.
channels:
  - "1300000000000000001" # ops

# What the holders of each Discord role may do. read: look. write: change what
# can be taken back. destructive: the rest, asked before each. audit: look into
# the ledger. "*": all of these; approve, freeze and the like are named by id.
roles:
  - role: "1200000000000000003"
    name: lead
    allow: ["*", approve, freeze, thaw, hold, release, panel.refresh]
  - role: "1200000000000000002"
    name: on-call
    allow: [read, write, "power.*", audit.history, hold, release]
    break-glass: true
    allow-in-emergency: [backup.restore]
  - role: "1200000000000000001"
    name: viewer
    allow: [read]

# What may be done to a server that is not listed under \`servers\`, by its id in
# the panel: nothing, read, or all that the roles allow.
unlisted: all

# The bot always asks before what is destructive. A restore also needs a reason,
# and the server's name typed.
commands:
  - { match: [ipv4.assign], confirm: true }
  - { match: [backup.restore], typed: true, reason: required }

# The most that one command may do, so that a slip of a digit costs little.
limits: { ipv4.assign: 8, whitelist.add: { ipv4: 24, ipv6: 48 } }

# How many servers one command may name. A firewall flush may name several, too.
several: { most: 10, also: [firewall.flush] }

# While the audit channel is closed to the bot, gone or behind: changes go on
# and say so (wanted), or wait (required).
audit-channel: wanted

# A denial has a button that asks the people who may, such as "Ask a lead".
ask-others: on
`;
