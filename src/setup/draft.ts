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
  'break-glass'?: true;
  'allow-in-emergency'?: readonly string[];
  servers?: readonly (string | number)[];
}

/** What the holders of one Discord role may do. */
export interface RoleDraft {
  role: Named;
  row: RoleRow;
}

/** A row of `servers` in the policy. */
export interface ServerRow {
  id: number;
  name: string;
  tier?: string;
  ips?: readonly string[];
  group?: number;
}

export interface PolicyDraft {
  guild: Named;
  /** Missing if the bot answers everywhere in the guild. */
  channels?: readonly Named[];
  /** The roles, or the text of an existing policy's `roles`. */
  roles: readonly RoleDraft[] | string;
  /** The servers, or the text of an existing policy's `servers`. */
  servers: readonly ServerRow[] | string;
  unlisted: 'nothing' | 'read' | 'all';
  /** The other sections: those of the preset, and of the existing policy, as text. */
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

const longest = 60;

/** Text from outside on one line, for a terminal or a comment: nothing in it moves the cursor or begins a line. */
export function plain(text: string): string {
  const clean = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()];
  return clean.length > longest ? `${clean.slice(0, longest - 1).join('')}…` : clean.join('');
}

/** A role's name in the policy: its name in Discord, made valid, and different from all in `taken`. */
export function labelOf({ id, name }: Named, taken: readonly string[]): string {
  const label = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^[ ._-]+/, '')
    .slice(0, 32)
    .trim();
  if (label === '' || label.toLowerCase() === 'everyone') return `role-${id}`;
  return taken.includes(label) ? `${label.slice(0, 12).trim()}-${id}` : label;
}
