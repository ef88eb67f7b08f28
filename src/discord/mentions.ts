import { ApplicationCommandType } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../command.ts';

const registered = z.array(
  z.looseObject({ id: z.string(), name: z.string(), type: z.number().default(ApplicationCommandType.ChatInput) }),
);

/** Commands as links that type them: `</firewall flush:1500000000000000007>`. Discord gives ids as it registers them. */
export function commandMentions() {
  let ids: ReadonlyMap<string, string> = new Map();
  return {
    /** `there`: what Discord says is registered. */
    learn(there: unknown): void {
      const read = registered.safeParse(there);
      if (!read.success) return;
      const typed = read.data.filter(({ type }) => type === ApplicationCommandType.ChatInput);
      ids = new Map(typed.map(({ name, id }) => [name, id]));
    },
    mention({ id, menu }: Pick<Command, 'id' | 'menu'>): string | undefined {
      const [name = id] = id.split('.');
      const found = menu === undefined ? ids.get(name) : undefined;
      return found === undefined ? undefined : `</${id.replace('.', ' ')}:${found}>`;
    },
  };
}
