import type { APIApplicationCommand, APIMessage, APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';

/** What one person's Discord shows. Sent whole at every change. */
export interface View {
  /** The name of the person. */
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
  /** Whether the bot is connected to the gateway. */
  online: boolean;
}

export interface PageMessage {
  /** As stored, on the wire form that the bot's REST would get; files have addresses of the page itself. */
  message: APIMessage;
  /** Ephemeral. */
  onlyMe: boolean;
  thinking: boolean;
  /** What Discord says when the application did not respond. */
  failed?: string;
  /** "alice used /firewall flush" */
  used?: { who: string; command: string };
  /** Names of those who were notified. */
  pinged: string[];
}

/** What the side panel shows. Sent whole at every change, to those who have it open. */
export interface Behind {
  /** To the panel, newest last, at most 100. `at` and `ms` in ms; `body` is text, shortened. */
  requests: {
    at: number;
    ms?: number;
    method: string;
    path: string;
    body?: string;
    status?: number;
    note?: string;
  }[];
  /** Of the ledger, newest last, at most 100. */
  entries: { seq: number; time: string; kind: string; who: string; words: string; hash: string }[];
  followUps: { id: string; words: string }[];
  switches: Switch[];
}

/** Something to break. `watch`: one sentence on what to look at. */
export interface Switch {
  id: string;
  label: string;
  watch: string;
  kind: 'toggle' | 'once';
  on: boolean;
}

/** One message of the live connection: the whole of what it names. In JSON the event comes first. */
export type Sent = { event: 'view'; data: View } | { event: 'behind'; data: Behind };
