import type { VariableName } from '../config/variables.ts';

/** Something in Discord, by id and name. The name is text from outside. */
export interface Named {
  id: string;
  name: string;
}

/** A row of `roles` in the policy, without the role's id. */
export interface RoleRow {
  name: string;
  allow: readonly string[];
  /** Kept unchanged: setup does not ask about it. */
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
  /** Missing if the bot answers everywhere in the guild. */
  channels?: readonly Named[];
  roles: readonly RoleDraft[];
  /** The servers, or the text of an existing policy's `servers`. */
  servers: readonly { id: number; name: string }[] | string;
  unlisted: 'nothing' | 'read' | 'all';
  /** Sections of the existing policy that setup does not ask about, as text. */
  kept: readonly string[];
}

/** The variables that setup writes into .env. */
export const asked = [
  'DISCORD_TOKEN',
  'DISCORD_GUILD_ID',
  'AUDIT_CHANNEL_ID',
  'PANEL_URL',
  'PANEL_TOKEN',
  'PANEL_CA_FILE',
] as const satisfies readonly VariableName[];

/** An undefined variable is not written to .env, or removed from it. */
export type Variables = Readonly<Record<(typeof asked)[number], string | undefined>>;
