import { basename } from 'node:path';
import type { Policy } from '../policy/schema.ts';
import { sectionsOf } from '../policy/sections.ts';
import { ask, Stopped } from './ask.ts';
import { askChannels, askRights, type ChannelAnswers } from './ask-channels.ts';
import { askDiscord, type DiscordAnswers, type ProbeDiscord } from './ask-discord.ts';
import { askPanel, type PanelAnswers, type ProbePanel } from './ask-panel.ts';
import { askWays } from './ask-roles.ts';
import { askServers, type ListServers, tellList } from './ask-servers.ts';
import { type asked, policyText, type Variables } from './draft.ts';
import { envText } from './env-file.ts';
import type { Before, Found, ReadPolicy } from './found.ts';
import { features, type Preset } from './presets.ts';
import { backupOf, save, type Writing } from './save.ts';

export interface SetupOptions {
  found: Found;
  cwd: string;
  probeDiscord: ProbeDiscord;
  probePanel: ProbePanel;
  /** Reads the panel's list of servers. Throws Unreadable. */
  listServers(panel: PanelAnswers): ReturnType<ListServers>;
  readPolicy: ReadPolicy;
  /** Called right before a file changes. */
  onWrite(): void;
}

/** The policy's keys that setup asks about. It keeps the others unchanged. */
const askedAbout = ['channels', 'roles', 'servers', 'unlisted'];

/** Default answers: the existing installation, or the answers of the last round. */
type Offered = Pick<Found, 'values' | 'policy' | 'sections'>;

interface Answers {
  variables: Variables;
  policyText: string;
  policy: Policy;
  /** What does not work yet, because somebody went on without it. */
  left: string[];
}

/**
 * Asks for everything, in as many rounds as somebody wants, then writes .env and the policy. Resolves with what does not
 * work yet, because somebody went on without it. Rejects with Stopped before anything is written, and with NotSaved.
 */
export async function setup(options: SetupOptions): Promise<string[]> {
  const { found } = options;
  introduce(options);
  for (let offered: Offered = found; ; ) {
    const { variables, policyText: text, policy, left } = await askAll(options, offered);
    const env = envText(found.env.text, variables);
    if (env === undefined) {
      ask.bad(
        'A token or path has three kinds of quotes in it, which .env cannot hold. Set it in the environment, by hand.',
      );
      throw new Stopped();
    }
    ask.bare(text);
    const { on, off } = features(policy, variables.AUDIT_CHANNEL_ID);
    ask.good(['On:', 'a question before what is destructive', ...on].join('\n'));
    if (off.length > 0) ask.note(['Off, and the key that turns it on (docs/policy.md):', ...off].join('\n'));
    const isDone = await write(options, [
      { before: found.env, text: env, mode: 0o600 },
      { before: found.policyFile, text, mode: 0o644 },
    ]);
    if (isDone) return left;
    offered = { values: { ...found.values, ...variables }, policy, sections: sectionsOf(text) };
  }
}

function introduce({ found, cwd }: SetupOptions): void {
  ask.note(`This sets panelops up in ${cwd}. Nothing is written until the end; Ctrl-C stops at any time.`);
  if (found.isApiUrlOfShell === true)
    ask.note(
      `Setup uses Discord at ${found.apiUrl}, because DISCORD_API_URL is set in this shell. Setup does not write it: set it for the bot, too, in its environment or in .env.`,
    );
  if (found.policyFile.text !== undefined && found.policy === undefined)
    ask.bad(`${basename(found.policyFile.path)} is not valid, so setup takes nothing from it.`);
}

async function askAll(options: SetupOptions, offered: Offered): Promise<Answers> {
  const { found, cwd } = options;
  const { values } = offered;
  const isTyped = (name: (typeof asked)[number]): boolean => values[name] !== found.values[name];
  const discord = await askDiscord(options.probeDiscord, {
    token: values['DISCORD_TOKEN'],
    isTyped: isTyped('DISCORD_TOKEN'),
    guild: values['DISCORD_GUILD_ID'],
    pins: offered.policy?.handoverPin === true,
  });
  const panel = await askPanel(options.probePanel, {
    ...{ url: values['PANEL_URL'], token: values['PANEL_TOKEN'], caFile: values['PANEL_CA_FILE'], cwd },
    isTyped: isTyped('PANEL_TOKEN'),
  });
  const { audit, ...policy } = await askPolicy(options, offered, discord, () => options.listServers(panel));
  const lacks = await askRights(discord.find, { policy: policy.policy, audit });
  return {
    ...policy,
    variables: {
      DISCORD_TOKEN: discord.token,
      DISCORD_GUILD_ID: discord.guild.id,
      AUDIT_CHANNEL_ID: audit?.id,
      PANEL_URL: panel.url,
      PANEL_TOKEN: panel.token,
      PANEL_CA_FILE: panel.caFile,
    },
    left: [...(panel.trouble === undefined ? [] : [panel.trouble]), ...lacks],
  };
}

/** Asks who may do what and where, until the policy would load. */
async function askPolicy(
  { readPolicy, cwd }: SetupOptions,
  { policy: before, sections, values }: Offered,
  { guild, look }: DiscordAnswers,
  list: ListServers,
): Promise<Pick<Answers, 'policy' | 'policyText'> & Pick<ChannelAnswers, 'audit'>> {
  for (;;) {
    const { roles, preset } = await askWays(guild, look, before, sections.get('roles'));
    const { audit, ...where } = await askChannels(guild, look, {
      policy: before,
      audit: 'AUDIT_CHANNEL_ID' in values ? (values['AUDIT_CHANNEL_ID'] ?? 'none') : undefined,
      isNeeded: preset?.isAudited ?? before?.auditChannel === 'required',
    });
    const { listed, ...servers } = await askServers(before, sections.get('servers'), { cwd, list });
    const kept = [...otherSections(sections, preset), ...(listed && !sections.has('inventory') ? [fromPanel] : [])];
    const text = policyText({ guild, roles, ...where, ...servers, kept });
    const read = readPolicy(text, guild.id);
    if ('policy' in read && listed !== undefined) tellList(listed, read.policy);
    if ('policy' in read) return { policy: read.policy, policyText: text, audit };
    ask.bad(['With these answers the policy would not load:', ...read.problems].join('\n'));
    await ask.again('Answer again');
  }
}

const fromPanel = `# The servers are those of the panel's own list; \`servers\` says more about some.
inventory: { source: panel, preset: virtfusion }`;

/** What setup does not ask about, as it is; what belongs to the preset, as that has it. */
function otherSections(sections: Offered['sections'], preset: Preset | undefined): string[] {
  const own = ['limits', 'several'].filter((key) => sections.has(key));
  const chosen = Object.entries(preset?.sections ?? {}).filter(([key]) => !own.includes(key));
  const others = [...sections].filter(([key]) => !askedAbout.includes(key));
  return [...new Map([...others, ...chosen]).values()];
}

/** Asks before it replaces a file. False if somebody wants to answer again; then nothing is written. */
async function write({ onWrite }: SetupOptions, writings: readonly Writing[]): Promise<boolean> {
  const at = Date.now();
  const chosen: Writing[] = [];
  for (const writing of writings) {
    const { path, text } = writing.before;
    if (text === writing.text) ask.good(`${basename(path)} stays as it is: nothing in it changes.`);
    else if (text === undefined || (await mayReplace(writing.before, at))) chosen.push(writing);
  }
  if (chosen.length === 0) return true;
  const names = chosen.map(({ before }) => before.path).join(' and ');
  const next = await ask.one<'write' | 'again' | 'stop'>(`Write ${names}?`, [
    { value: 'write', label: 'Write' },
    { value: 'again', label: 'Go back, and change an answer', hint: 'Enter keeps what you answered' },
    { value: 'stop', label: 'Stop; nothing is written' },
  ]);
  if (next === 'stop') throw new Stopped();
  if (next === 'again') return false;
  onWrite();
  save(chosen, at);
  for (const { before } of chosen) ask.good(`${before.path} is written.`);
  return true;
}

const mayReplace = ({ path }: Before, at: number): Promise<boolean> =>
  ask.one(`${path} already exists, and changes.`, [
    { value: true, label: 'Replace it', hint: `the old one stays as ${basename(backupOf(path, at))}` },
    { value: false, label: 'Keep the old one' },
  ]);
