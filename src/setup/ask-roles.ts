import type { GuildFound } from '../discord/probe.ts';
import type { Policy } from '../policy/schema.ts';
import { ask } from './ask.ts';
import { labelOf, type Named, plain, type RoleDraft } from './draft.ts';
import { levelNamed, type Preset, presets } from './presets.ts';

/** Who may do what, and the sections of the policy that belong to it; `text`: `roles` of the existing policy, kept. */
export interface Ways {
  roles: readonly RoleDraft[] | string;
  preset?: Preset;
}

/** Asks how the team works, then which of its roles may do what. `look` looks into the guild again. */
export async function askWays(
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
  if (preset !== undefined) return { roles: await askRoles(guild, look, preset, before), preset };
  for (const { role, name } of before?.roles ?? [])
    if (!guild.roles.some(({ id }) => id === role))
      ask.bad(`The policy has a role that the guild does not have: ${name} (${role}). Remove it from the file.`);
  return { roles: text ?? '' };
}

async function askRoles(
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  { levels }: Preset,
  before: Policy | undefined,
): Promise<RoleDraft[]> {
  const offered = await rolesOf(guild, look);
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
const rolesOf = (guild: GuildFound, look: () => Promise<GuildFound>) => {
  const ofPeople = ({ roles }: GuildFound) => roles.filter(({ managed }) => !managed);
  const none = 'The guild has no role except @everyone, which can have no rights. Create one: Server Settings, Roles.';
  return ask.until(none, ofPeople(guild), async () => ofPeople(await look()));
};
