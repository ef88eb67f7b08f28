import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ClientRefusal, type SandboxDiscord } from '../discord/index.ts';

interface Act {
  shape: z.ZodType;
  /** Only called with a body of the right shape. */
  perform(discord: SandboxDiscord, body: unknown): unknown;
}

/** One action of a person: its body, and what it does. */
function act<Shape extends z.ZodType>(
  shape: Shape,
  perform: (discord: SandboxDiscord, body: z.output<Shape>) => unknown,
): Act {
  return { shape, perform: (discord, body) => perform(discord, shape.parse(body)) };
}

const text = z.string();

const acts: Readonly<Record<string, Act>> = {
  type: act(z.strictObject({ as: text, channel: text, line: text }), (discord, { as, channel, line }) =>
    discord.type(as, channel, line),
  ),
  click: act(z.strictObject({ as: text, message: text, customId: text }), (discord, { as, message, customId }) =>
    discord.click(as, message, customId),
  ),
  submit: act(z.strictObject({ as: text, fields: z.record(text, text) }), (discord, { as, fields }) =>
    discord.submit(as, fields),
  ),
  dismiss: act(z.strictObject({ as: text }), (discord, { as }) => discord.dismiss(as)),
  choices: act(
    z.strictObject({ as: text, channel: text, line: text, option: text }),
    (discord, { as, channel, line, option }) => discord.autocomplete(as, channel, line, option),
  ),
  menu: act(z.strictObject({ as: text, message: text, command: text }), (discord, { as, message, command }) =>
    discord.menu(as, message, command),
  ),
  delete: act(z.strictObject({ as: text, message: text }), (discord, { as, message }) =>
    discord.deleteMessage(as, message),
  ),
  thread: act(
    z.strictObject({ as: text, thread: text, to: z.enum(['closed', 'locked', 'open']) }),
    (discord, { as, thread, to }) =>
      to === 'open' ? discord.openThread(as, thread) : discord.closeThread(as, thread, { lock: to === 'locked' }),
  ),
  edit: act(z.strictObject({ as: text, message: text, content: text }), (discord, { as, message, content }) =>
    discord.editMessage(as, message, content),
  ),
};

/** Actions of people: POST /act/…; 409 with the refusal of their Discord client, 400 for a body of another shape. */
export function addActs(app: FastifyInstance, discord: SandboxDiscord): void {
  for (const [what, { shape, perform }] of Object.entries(acts)) {
    app.post(`/act/${what}`, async ({ body }, reply) => {
      const problem = shapeProblem(shape, body);
      if (problem !== undefined) return reply.code(400).send({ problem });
      try {
        return { result: (await perform(discord, body)) ?? null };
      } catch (error) {
        if (!(error instanceof ClientRefusal)) throw error;
        return reply.code(409).send({ problem: error.message });
      }
    });
  }
}

/** The wrong key; undefined if the body has the shape. */
export function shapeProblem(shape: z.ZodType, body: unknown): string | undefined {
  const [issue] = shape.safeParse(body).error?.issues ?? [];
  if (issue === undefined) return undefined;
  return [...issue.path.map(String), issue.message].join(': ');
}
