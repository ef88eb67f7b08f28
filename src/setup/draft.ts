import type { VariableName } from '../config/variables.ts';

/** What has an id in Discord, with its name there: text from outside. */
export interface Named {
  id: string;
  name: string;
}

/** A row of `roles` in the policy, without the role's id. */
export interface RoleRow {
  name: string;
  allow: readonly string[];
  /** Kept as it was: setup asks nothing about it. */
  'during-freeze'?: readonly string[];
  servers?: readonly (string | number)[];
}

/** What the holders of one Discord role may do: one row, or several that were in the policy before. */
export interface RoleDraft {
  role: Named;
  rows: readonly RoleRow[];
}

export interface PolicyDraft {
  guild: Named;
  /** Missing: everywhere in the guild. */
  channels?: readonly Named[];
  roles: readonly RoleDraft[];
  /** Those of the policy before come as its text. */
  servers: readonly { id: number; name: string }[] | string;
  unlisted: 'nothing' | 'read' | 'all';
  /** Parts of the policy before that setup does not ask about, as text. */
  kept: readonly string[];
}

/** What setup writes into .env. */
export const asked = [
  'DISCORD_TOKEN',
  'DISCORD_GUILD_ID',
  'AUDIT_CHANNEL_ID',
  'PANEL_URL',
  'PANEL_TOKEN',
  'PANEL_CA_FILE',
] as const satisfies readonly VariableName[];

/** One that is undefined is left out of .env, or taken out of it. */
export type Variables = Readonly<Record<(typeof asked)[number], string | undefined>>;
