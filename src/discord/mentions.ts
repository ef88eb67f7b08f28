import { ApplicationCommandType } from 'discord.js';
import { z } from 'zod';
import type { Command } from '../command.ts';

const registered = z.array(
  z.looseObject({ id: z.string(), name: z.string(), type: z.number().default(ApplicationCommandType.ChatInput) }),
);

/** Links that type a command: `</firewall flush:1500000000000000007>`. Discord assigns the ids at registration. */
export function commandMentions() {
  let ids: ReadonlyMap<string, string> = new Map();
  return {
    /** `response`: Discord's list of registered commands. */
    learn(response: unknown): void {
      const read = registered.safeParse(response);
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
