import { noteInteraction, TIMER_SLACK_MS, tokenIsOver } from './interactions.ts';
import { edit, post } from './messages.ts';
import { invalidForm, Refusal, unknownInteraction, unknownMessage } from './refusal.ts';
import { callbackShape, choicesShape, messageShape, modalShape, read } from './shapes.ts';
import { checkChoices, checkMessage, checkModal, type FieldErrors } from './validate/index.ts';
import { messageObject } from './wire.ts';
import { FLAGS, type Interaction, type Message, type Upload, type World } from './world.ts';

/** The callback types allowed for each interaction type. */
const TYPES: Record<Interaction['type'], readonly number[]> = {
  2: [4, 5, 9],
  3: [4, 5, 6, 7, 9],
  4: [8],
  5: [4, 5, 6, 7],
};

/** POST /interactions/{id}/{token}/callback: the first answer, due within 3 seconds. */
export function answerInteraction(world: World, id: string, token: string, body: unknown, files: Upload[]): unknown {
  const interaction = world.interactions.get(token);
  if (interaction?.id !== id || tokenIsOver(world, interaction)) throw unknownInteraction();
  if (interaction.answer) throw new Refusal(400, 40060, 'Interaction has already been acknowledged.');
  if (world.now() - interaction.createdAt > world.answerMs) throw unknownInteraction();
  const { type, data } = read(callbackShape, body);
  // A modal opened by a command has no message to update.
  const types = TYPES[interaction.type].filter((one) => interaction.sourceId !== undefined || (one !== 6 && one !== 7));
  if (!types.includes(type)) {
    const error = { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${types.join(', ')}}.` };
    throw invalidForm({ type: { _errors: [error] } });
  }
  const message = carryOut(world, interaction, type, data, files);
  noteInteraction(world, interaction);
  world.changed();
  return {
    interaction: {
      id,
      type: interaction.type,
      channel_id: interaction.channelId,
      guild_id: world.guild.id,
      ...(message && {
        response_message_id: message.id,
        response_message_loading: (message.flags & FLAGS.loading) !== 0,
        response_message_ephemeral: message.onlyFor !== undefined,
      }),
    },
    ...(message && { resource: { type, message: messageObject(world, message, true) } }),
  };
}

function carryOut(world: World, interaction: Interaction, type: number, data: unknown, files: Upload[]) {
  switch (type) {
    case 4:
    case 5:
      return answer(world, interaction, type, data, files);
    case 6:
    case 7:
      return update(world, interaction, type, data, files);
    case 8: {
      refuse(checkChoices(data));
      interaction.answer = { type, choices: read(choicesShape, data).choices };
      return undefined;
    }
    default: {
      refuse(checkModal(data));
      const { id, channelId, sourceId } = interaction;
      const modal = { id, body: read(modalShape, data), channelId, ...(sourceId !== undefined && { sourceId }) };
      world.modals.set(interaction.person.id, modal);
      interaction.answer = { type };
      return undefined;
    }
  }
}

function refuse(errors: FieldErrors | undefined): void {
  if (errors) throw invalidForm({ data: errors });
}

function answer(world: World, interaction: Interaction, type: number, data: unknown, files: Upload[]): Message {
  const thinking = type === 5;
  if (!thinking) refuse(checkMessage(data ?? {}));
  const draft = read(messageShape, data);
  const ephemeral = ((draft.flags ?? 0) & FLAGS.ephemeral) !== 0;
  const replyTo = interaction.sourceId ?? interaction.targetId;
  const message = post(world, {
    channelId: interaction.channelId,
    author: world.guild.bot,
    draft: thinking ? {} : { ...draft, enforce_nonce: false },
    files,
    flags: (ephemeral ? FLAGS.ephemeral : 0) | (thinking ? FLAGS.loading : 0),
    type: interaction.targetId !== undefined ? 23 : interaction.type === 2 ? 20 : 19,
    cause: interaction,
    thinking,
    ...(replyTo !== undefined && { replyTo }),
    ...(ephemeral && { onlyFor: interaction.person.id }),
  });
  interaction.answer = { type, messageId: message.id };
  if (thinking) world.later(world.tokenMs + TIMER_SLACK_MS, world.changed);
  return message;
}

function update(world: World, interaction: Interaction, type: number, data: unknown, files: Upload[]) {
  const messageId = interaction.sourceId;
  const message = messageId === undefined ? undefined : world.messages.get(messageId);
  if (messageId === undefined || !message) throw unknownMessage();
  if (type === 7) {
    refuse(checkMessage(data ?? {}));
    edit(world, message, read(messageShape, data), files);
  }
  interaction.answer = { type, messageId };
  return type === 7 ? message : undefined;
}
