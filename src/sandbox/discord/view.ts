import type { Person, Place } from './guild.ts';
import { modalFor } from './modals.ts';
import { messagesFor, NO_ANSWER, type SeenButton, type SeenMessage } from './seen.ts';
import type { Embed } from './shapes.ts';
import { readable } from './text.ts';
import type { World } from './world.ts';

/** A channel as plain text, as one person sees it: messages, then the person's open modal. */
export function viewChannel(world: World, person: Person, channel: Place): string {
  const blocks = messagesFor(world, person, channel).map((message) => viewMessage(world, person, message));
  const modal = world.modals.get(person.id)?.channelId === channel.id ? modalFor(world, person) : undefined;
  if (modal) {
    const inputs = modal.inputs.map(({ label, value, options }) =>
      options ? `│ ${label} ${options.map((one) => `( ) ${one.label}`).join(' ')}` : `│ ${label} <${value}>`,
    );
    blocks.push([`┌ ${modal.title}`, ...inputs, '└ [Submit] [Cancel]'].join('\n'));
  }
  return blocks.join('\n\n');
}

export function viewMessage(world: World, person: Person, message: SeenMessage): string {
  if (message.system) return noteLine(message);
  const lines: string[] = [];
  if (message.usedBy !== undefined) lines.push(`${message.usedBy} used ${message.command}`);
  else if (message.replyTo !== undefined) lines.push(`↪ reply to ${quoted(world, message.replyTo)}`);
  lines.push(...saying(world, message));
  for (const embed of message.embeds) {
    lines.push(...embedLines(world, embed).map((line) => `  │ ${line}`.trimEnd()));
  }
  for (const file of message.files) lines.push(`  📎 ${file.name} (${file.size} bytes)`);
  lines.push(...rows(message.buttons));
  const thread = world.guild.threads.find((one) => one.id === message.thread);
  if (thread) lines.push(`  ↳ thread #${thread.name}`);
  if (message.pinned) lines.push('  📌 pinned');
  if (message.ephemeral) lines.push(`  (only ${person.name} sees this)`);
  return lines.join('\n');
}

function noteLine({ author, system, content }: SeenMessage): string {
  return system === 'pinned'
    ? `→ ${author} pinned a message to this channel.`
    : `→ ${author} started a thread: #${content}`;
}

function saying(world: World, message: SeenMessage): string[] {
  if (message.state === 'thinking') return [`${message.author} is thinking…`];
  if (message.state === 'failed') return [`${message.author}: ${NO_ANSWER}`];
  const text = readable(world.guild, message.content, world.now(), message);
  const [first = '', ...rest] = `${text}${message.edited ? ' (edited)' : ''}`.trim().split('\n');
  return [`${message.author}: ${first}`.trimEnd(), ...rest.map((line) => `  ${line}`.trimEnd())];
}

function embedLines(world: World, embed: Embed): string[] {
  // Whole, because a block of code has several lines.
  const linesOf = (text: string): string[] => readable(world.guild, text, world.now()).split('\n');
  const fields = (embed.fields ?? []).flatMap((field) => [
    ...linesOf(field.name),
    ...linesOf(field.value).map((line) => `  ${line}`),
  ]);
  const parts = [embed.author?.name, embed.title, embed.description].filter((part) => part != null && part !== '');
  return [...parts.flatMap((part) => linesOf(part ?? '')), ...fields, ...linesOf(embed.footer?.text ?? '')].filter(
    (line, index, all) => line !== '' || index < all.length - 1,
  );
}

function rows(buttons: SeenButton[]): string[] {
  const numbers = [...new Set(buttons.map((button) => button.row))];
  return numbers.map((row) => {
    const labels = buttons.filter((button) => button.row === row);
    return `  ${labels.map(({ label, disabled }) => (disabled ? `(${label})` : `[${label}]`)).join(' ')}`;
  });
}

const boldText = /\*\*((?:`[^`\n]*`|[^*`\n])+)\*\*/g;

function quoted(world: World, id: string): string {
  const message = world.messages.get(id);
  if (!message) return 'a deleted message';
  const text = readable(world.guild, message.content || (message.embeds[0]?.title ?? ''), world.now());
  // Before the cut, which may fall into what is bold.
  const [line = ''] = text.replaceAll(boldText, '$1').split('\n');
  return `${message.author.name}: ${line.length > 40 ? `${line.slice(0, 39)}…` : line}`.trimEnd();
}
