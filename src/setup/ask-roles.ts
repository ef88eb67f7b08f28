import type { GuildFound } from '../discord/probe.ts';
import type { Policy } from '../policy/schema.ts';
import type { Ask } from './ask.ts';
import { tryAgain } from './ask.ts';
import type { Named, RoleDraft } from './draft.ts';
import { labelOf, plain } from './names.ts';
import { levelNamed, type Preset, presets } from './presets.ts';

/** Who may do what, and the sections of the policy that belong to it; `text`: `roles` of the existing policy, kept. */
export interface Ways {
  roles: readonly RoleDraft[] | string;
  preset?: Preset;
}

/** Asks how the team works, then which of its roles may do what. `look` looks into the guild again. */
export async function askWays(
  ask: Ask,
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  before: Policy | undefined,
  text: string | undefined,
): Promise<Ways> {
  const kept = before === undefined || text === undefined ? [] : [{ value: undefined, label: 'As the policy has it' }];
  const preset = await ask.one<Preset | undefined>(
    'How does your team work?',
    [...kept, ...presets.map((each) => ({ value: each, label: each.label }))],
    kept.length === 0 ? 1 : 0,
  );
  if (preset !== undefined) return { roles: await askRoles(ask, guild, look, preset, before), preset };
  for (const { role, name } of before?.roles ?? [])
    if (!guild.roles.some(({ id }) => id === role))
      ask.bad(`The policy has a role that the guild does not have: ${name} (${role}). Remove it from the file.`);
  return { roles: text ?? '' };
}

async function askRoles(
  ask: Ask,
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  { levels }: Preset,
  before: Policy | undefined,
): Promise<RoleDraft[]> {
  const offered = await rolesOf(ask, guild, look);
  const isLikely = ({ id, name }: Named): boolean =>
    before === undefined ? levelNamed(levels, name) !== -1 : before.roles.some(({ role }) => role === id);
  const chosen = await ask.some(
    'Which roles may use the bot?',
    offered.map((role) => ({ value: role, label: plain(role.name) })),
    offered.flatMap((role, at) => (isLikely(role) ? [at] : [])),
  );
  const drafts: RoleDraft[] = [];
  const lowest = levels.findIndex(({ label }) => label === 'Viewer');
  for (const role of chosen) {
    const named = levelNamed(levels, role.name);
    const { row } = await ask.one(
      `What may ${plain(role.name)} do?`,
      levels.map((level) => ({ value: level, label: level.label, hint: level.hint })),
      named === -1 ? lowest : named,
    );
    const taken = drafts.map((draft) => draft.row.name);
    const servers = before?.roles.find((each) => each.role === role.id)?.servers;
    drafts.push({ role, row: { name: labelOf(role, taken), ...row, servers } });
  }
  if (!drafts.some(({ row }) => row.allow.includes('*')))
    ask.note(`Nobody may do everything: no role is ${levels.find(({ row }) => row.allow[0] === '*')?.label}.`);
  return drafts;
}

/** The roles that can be given to people, highest first. */
async function rolesOf(ask: Ask, guild: GuildFound, look: () => Promise<GuildFound>): Promise<Named[]> {
  for (let { roles } = guild; ; { roles } = await look()) {
    const ofPeople = roles.filter(({ managed }) => !managed).map(({ id, name }) => ({ id, name }));
    if (ofPeople.length > 0) return ofPeople;
    ask.bad('The guild has no role except @everyone, which can have no rights. Create one: Server Settings, Roles.');
    await tryAgain(ask, 'Done: look again');
  }
}
