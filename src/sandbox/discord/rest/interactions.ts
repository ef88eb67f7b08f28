import { answerInteraction } from '../callback.ts';
import { tokenIsOver } from '../interactions.ts';
import { edit, post, remove } from '../messages.ts';
import { invalidForm, Refusal, unknownMessage, unknownWebhook } from '../refusal.ts';
import { type Draft, messageShape, read } from '../shapes.ts';
import { checkMessage } from '../validate/index.ts';
import { messageObject } from '../wire.ts';
import { FLAGS, type Interaction, type Message, type World } from '../world.ts';
import { type Call, done, ok, type Route } from './call.ts';

/** Answers to interactions, authorized by the token in the path alone. */
export const interactionRoutes: Route[] = [
  {
    method: 'POST',
    path: '/interactions/:id/:token/callback',
    open: true,
    handle(world, { params, query, body, files }) {
      const result = answerInteraction(world, params['id'] ?? '', params['token'] ?? '', body, files);
      return query.get('with_response') === 'true' ? ok(result) : done();
    },
  },
  {
    method: 'POST',
    path: '/webhooks/:application/:token',
    open: true,
    handle: (world, call) => ok(followUp(world, call)),
  },
  {
    method: 'GET',
    path: '/webhooks/:application/:token/messages/:message',
    open: true,
    handle: (world, call) => ok(messageObject(world, messageOf(world, call), true)),
  },
  {
    method: 'PATCH',
    path: '/webhooks/:application/:token/messages/:message',
    open: true,
    handle(world, call) {
      const message = messageOf(world, call);
      return ok(messageObject(world, edit(world, message, readDraft(call.body), call.files), true));
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:application/:token/messages/:message',
    open: true,
    handle(world, call) {
      remove(world, messageOf(world, call));
      return done();
    },
  },
];

// An interaction's webhook exists from its first answer until 15 minutes after the interaction.
function answered(world: World, { params }: Call): Interaction {
  const found = world.interactions.get(params['token'] ?? '');
  if (!found || params['application'] !== world.guild.bot.id) throw unknownWebhook();
  if (tokenIsOver(world, found)) throw new Refusal(401, 50027, 'Invalid Webhook Token');
  if (!found.answer) throw unknownWebhook();
  return found;
}

function messageOf(world: World, call: Call): Message {
  const interaction = answered(world, call);
  const id = call.params['message'] === '@original' ? interaction.answer?.messageId : call.params['message'];
  const message = id === undefined ? undefined : world.messages.get(id);
  const own = message && (message.cause === interaction || message.id === interaction.answer?.messageId);
  if (!own) throw unknownMessage();
  return message;
}

function readDraft(body: unknown): Draft {
  const errors = checkMessage(body ?? {});
  if (errors) throw invalidForm(errors);
  return read(messageShape, body);
}

/** The first follow-up of a "thinking" answer becomes that answer, and inherits whether it is ephemeral. */
function followUp(world: World, call: Call): Record<string, unknown> {
  const interaction = answered(world, call);
  const draft = readDraft(call.body);
  const original = world.messages.get(interaction.answer?.messageId ?? '');
  if (original && (original.flags & FLAGS.loading) !== 0) {
    return messageObject(world, edit(world, original, draft, call.files), true);
  }
  const ephemeral = ((draft.flags ?? 0) & FLAGS.ephemeral) !== 0;
  const message = post(world, {
    channelId: interaction.channelId,
    author: world.guild.bot,
    draft: { ...draft, enforce_nonce: false },
    files: call.files,
    flags: ephemeral ? FLAGS.ephemeral : 0,
    cause: interaction,
    ...(original && { replyTo: original.id }),
    ...(ephemeral && { onlyFor: interaction.person.id }),
  });
  return messageObject(world, message, true);
}
