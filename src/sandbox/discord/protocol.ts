import type { APIApplicationCommand, APIMessage, APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';

/** What one person's Discord shows. Sent whole at every change. */
export interface View {
  me: string;
  guild: { id: string; name: string };
  /** `roles` are names, lead first. */
  people: { id: string; name: string; roles: string[]; bot: boolean }[];
  roles: { id: string; name: string }[];
  /** Threads have a parent. */
  channels: { id: string; name: string; topic: string; parent?: string; archived?: boolean; locked?: boolean }[];
  /** By channel id, oldest first, at most 200 each: what this person sees. */
  messages: Record<string, PageMessage[]>;
  modal?: { id: string; channel: string; body: APIModalInteractionResponseCallbackData };
  /** As the bot registered them (types 1 and 3). */
  commands: APIApplicationCommand[];
  online: boolean;
}

/** One message, as that person sees it. */
export interface PageMessage {
  /** As REST would return it to the bot, but with file URLs of the page. */
  message: APIMessage;
  onlyMe: boolean;
  thinking: boolean;
  /** Discord's text for an application that did not respond. */
  failed?: string;
  /** "alice used /firewall flush" */
  used?: { who: string; command: string };
  /** Names of the people it notified. */
  pinged: string[];
}
