import { type Markup, md, quote, serverName, trusted } from '../card.ts';

/** Maximum length of text from outside: people read lines on a phone. */
export const maxLengths = { text: 60, options: 120 };

export const short = (text: string): Markup => quote(text, maxLengths.text);
export const typed = (command: string): string => `/${command.replace('.', ' ')}`;
export const quotedCommand = (command: string): Markup => short(typed(command));

/** Mentions a person. Pings nobody: messages of the trail allow no mentions. Without a valid id, shows the name. */
export const person = ({ id, name }: { id: string; name: string }): Markup =>
  /^\d{17,20}$/.test(id) ? trusted(`<@${id}>`) : short(name);

export const timestamp = (time: string): Markup => trusted(`<t:${Math.floor(Date.parse(time) / 1000)}:T>`);

const isId = (text: string | undefined): text is string => text !== undefined && /^\d{1,20}$/.test(text);
/** A link to a message, or without `message` to a channel. Empty if an id is not valid. */
export function link(words: 'card' | 'thread' | 'message', guild: string, channel: string, message?: string): Markup[] {
  const ids = [guild, channel, ...(message === undefined ? [] : [message])];
  return ids.every(isId) ? [trusted(`[${words}](https://discord.com/channels/${ids.join('/')})`)] : [];
}

/** Names in the policy have only letters, digits, dots and hyphens. Other names are quoted. */
export const nameOf = (server: { id: number; name?: string }): Markup =>
  server.name === undefined || /^[a-z0-9.-]{1,63}$/i.test(server.name)
    ? serverName(server)
    : md`${short(server.name)} (${server.id})`;

export const seqRange = (from: number | undefined, to: number | undefined): Markup =>
  trusted(from === undefined ? '' : ` #${from}${to === undefined || to === from ? '' : `–#${to}`}`);
