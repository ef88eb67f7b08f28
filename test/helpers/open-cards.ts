import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cards of which a bot still keeps in its folder that they may not show yet what is known, by the ids of their invocations. */
export function openCards({ dir }: { dir: string }): string[] {
  const open = new Set<string>();
  // While the bot lives, the last line may be half written.
  const lines = readFileSync(join(dir, 'cards.jsonl'), 'utf8').split('\n').slice(0, -1);
  for (const line of lines) {
    const { card, gone }: { card?: { id: string }; gone?: string } = JSON.parse(line);
    if (card !== undefined) open.add(card.id);
    if (gone !== undefined) open.delete(gone);
  }
  return [...open];
}
