import { oneLine, shortNames } from '../card.ts';
import type { Server } from '../outcome.ts';

export const maxReasonLength = 200;

/** Discord's limit for the title of a form, in characters. */
const maxTitle = 45;

/** "/firewall flush · web-1": what a form is about. A title has no markup, but what could reorder it is taken out. */
export function titleOf(name: string, servers: readonly Server[]): string {
  const title = oneLine(servers.length === 0 ? name : `${name} · ${shortNames(servers)}`);
  if (title.length <= maxTitle) return title;
  // A cut must not leave half a character.
  return `${title.slice(0, maxTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
