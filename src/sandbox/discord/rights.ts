/** Discord's permission bits that the sandbox uses. */
export const RIGHTS = {
  administrator: 1n << 3n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  useCommands: 1n << 31n,
  manageThreads: 1n << 34n,
  createThreads: 1n << 35n,
  sendInThreads: 1n << 38n,
  pinMessages: 1n << 51n,
};

// As on a new server, @everyone may mention everyone, and so may its bots: a bot that forgets allowed_mentions is
// noticed here.
export const EVERYONE =
  RIGHTS.addReactions |
  RIGHTS.viewChannel |
  RIGHTS.sendMessages |
  RIGHTS.embedLinks |
  RIGHTS.attachFiles |
  RIGHTS.readHistory |
  RIGHTS.mentionEveryone |
  RIGHTS.useCommands |
  RIGHTS.createThreads |
  RIGHTS.sendInThreads;

/** The bot's permissions beyond those of everyone: exactly what docs/install.md asks for. */
export const INVITED = RIGHTS.pinMessages | RIGHTS.mentionEveryone;

/** What an overwrite denies the bot in a channel, by the right taken away. */
export const DENIED = {
  send: RIGHTS.sendMessages,
  view: RIGHTS.viewChannel | RIGHTS.sendMessages,
  pin: RIGHTS.pinMessages,
  threads: RIGHTS.createThreads | RIGHTS.sendInThreads,
  history: RIGHTS.readHistory,
  files: RIGHTS.attachFiles,
  embed: RIGHTS.embedLinks,
  mention: RIGHTS.mentionEveryone,
};

/** All that is left to a member in time-out. */
export const IN_TIME_OUT = RIGHTS.viewChannel | RIGHTS.readHistory;
