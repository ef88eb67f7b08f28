/** What the console needs of a message: its buttons, and enough to notice changes. */
export interface ConsoleMessage {
  id: string;
  /** A link has an empty id. */
  buttons: { label: string; customId: string; disabled: boolean; style?: number }[];
  state: 'sent' | 'thinking' | 'failed';
  /** The id of the interaction it answers. */
  answers?: string | undefined;
}

export interface ConsoleModal {
  title: string;
  inputs: { label: string; placeholder: string; options?: { label: string }[] }[];
}

/** The human side of the sandbox's Discord for a terminal. Channels and people are named; threads go by id. */
export interface ConsoleDiscord {
  people: Readonly<Record<string, { roles: string[] }>>;
  /** Name to id. */
  channels: Readonly<Record<string, string>>;
  /** Oldest first. */
  threads(): { id: string; name: string; archived: boolean }[];
  /** Name to id. */
  roles: Readonly<Record<string, string>>;
  type(who: string, channel: string, line: string): Promise<string>;
  click(who: string, messageId: string, customId: string): Promise<string>;
  submit(who: string, text: string): Promise<string>;
  modalOf(who: string): ConsoleModal | undefined;
  messages(who: string, channel: string): ConsoleMessage[];
  view(who: string, channel: string): string;
  viewMessage(who: string, message: ConsoleMessage): string;
  changed(listener: () => void): () => void;
}
