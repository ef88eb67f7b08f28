import type { GuildFound } from '../discord/probe.ts';
import type { Policy, Role } from '../policy/schema.ts';
import type { Ask, Choice } from './ask.ts';
import type { Named, RoleDraft, RoleRow } from './draft.ts';
import { type Level, levelNamed, levelOf, levels } from './levels.ts';
import { labelOf, plain } from './names.ts';
import { tryAgain } from './try-again.ts';

/** Asks which roles may use the bot, and what for. `look` looks into the guild again. */
export async function askRoles(
  ask: Ask,
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  before: Policy | undefined,
): Promise<RoleDraft[]> {
  const known = before?.roles ?? [];
  const offered = await rolesOf(ask, guild, look, known);
  for (const { role, name } of known)
    if (!offered.some(({ id }) => id === role))
      ask.bad(`The policy has a role that the guild does not have: ${name} (${role}). It is left out.`);
  const isKnown = ({ id }: Named): boolean => known.some(({ role }) => role === id);
  const chosen = await ask.some(
    'Which roles may use the bot?',
    offered.map((role) => ({ value: role, label: plain(role.name) })),
    offered.flatMap((role, at) => (isKnown(role) ? [at] : [])),
  );
  const drafts: RoleDraft[] = [];
  for (const role of chosen) {
    const taken = [...known.filter((row) => row.role !== role.id), ...drafts.flatMap(({ rows }) => rows)];
    const rows = known.filter((row) => row.role === role.id).map(withoutRole);
    const label =
      rows[0]?.name ??
      labelOf(
        role,
        taken.map(({ name }) => name),
      );
    drafts.push({ role, rows: await askRows(ask, { role, label, rows }) });
  }
  const may = (what: (allowed: string) => boolean): boolean =>
    drafts.some(({ rows }) => rows.some(({ allow }) => allow.some(what)));
  if (!may((allowed) => allowed !== 'read' && !allowed.startsWith('audit')))
    ask.note('None of these roles may change anything. On-call may.');
  if (!may(looksIntoLedger)) ask.note('None of these roles may look into the ledger (/audit). A lead may.');
  return drafts;
}

const withoutRole = ({ role: _, ...row }: Role): RoleRow => row;

const looksIntoLedger = (allowed: string): boolean => allowed === '*' || allowed.startsWith('audit');

/** The roles that can be given to people, highest first, and those already in the policy. */
async function rolesOf(
  ask: Ask,
  guild: GuildFound,
  look: () => Promise<GuildFound>,
  known: readonly Role[],
): Promise<Named[]> {
  for (let { roles } = guild; ; { roles } = await look()) {
    const ofPeople = roles
      .filter(({ id, managed }) => !managed || known.some(({ role }) => role === id))
      .map(({ id, name }) => ({ id, name }));
    if (ofPeople.length > 0) return ofPeople;
    ask.bad('The guild has no role but @everyone, and @everyone can have no rights. Make one: Server Settings, Roles.');
    await tryAgain(ask, 'It is done: look again');
  }
}

interface Asked {
  role: Named;
  label: string;
  /** The role's rows in the existing policy. */
  rows: readonly RoleRow[];
}

async function askRows(ask: Ask, { role, label, rows }: Asked): Promise<readonly RoleRow[]> {
  const [first] = rows;
  const level = rows.length === 1 && first !== undefined ? levelOf(first.allow) : undefined;
  const asLevel = ({ allow, ...words }: Level): Choice<readonly RoleRow[]> => ({
    value: [{ ...(rows.length === 1 ? first : {}), name: label, allow }],
    label: words.label,
    hint: words.hint,
  });
  const asItIs: Choice<readonly RoleRow[]>[] =
    rows.length === 0 || level !== undefined ? [] : [{ value: rows, label: 'As in the policy', hint: toldOf(rows) }];
  const named = rows.length === 0 ? levelNamed(role.name) : undefined;
  const before = Math.max(
    0,
    levels.findIndex((each) => each === (level ?? named)),
  );
  return await ask.one(`What may ${plain(role.name)} do?`, [...asItIs, ...levels.map(asLevel)], before);
}

const toldOf = (rows: readonly RoleRow[]): string =>
  rows
    .map(({ allow, servers }) => `${allow.join(', ')}${servers === undefined ? '' : ` on ${servers.join(', ')}`}`)
    .join('; ');
