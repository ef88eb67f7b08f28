import { type Client, Events, PermissionFlagsBits } from 'discord.js';
import type { ChannelWatch } from '../trail/channel.ts';

const needed = [
  { name: 'View Channel', bit: PermissionFlagsBits.ViewChannel },
  { name: 'Send Messages', bit: PermissionFlagsBits.SendMessages },
  { name: 'Read Message History', bit: PermissionFlagsBits.ReadMessageHistory },
];

/** Events that may take a permission from the bot. */
const changes = [
  Events.ChannelUpdate,
  Events.ChannelDelete,
  Events.GuildRoleUpdate,
  Events.GuildRoleDelete,
  Events.GuildMemberUpdate,
] as const;

/** Gateway events of the audit channel. Needs the intents Guilds and GuildMessages, and partial messages. */
export function watchTrail(client: Client, guild: string, channel: string): ChannelWatch {
  const watch: ChannelWatch = {
    hindrance() {
      const home = client.guilds.cache.get(guild);
      // Unknown before the login and during an outage of the guild.
      if (home === undefined || !home.available) return undefined;
      const place = home.channels.cache.get(channel);
      const me = home.members.me;
      if (place === undefined) return { kind: 'gone' };
      const rights = me === null ? undefined : place.permissionsFor(me);
      const lacks = needed.flatMap(({ name, bit }) => (rights === undefined || rights.has(bit) ? [] : [name]));
      return lacks.length === 0 ? undefined : { kind: 'lacks', rights: lacks };
    },
    listen(events) {
      client.on(Events.MessageCreate, ({ channelId, author, id, content }) => {
        if (channelId === channel && author.id === client.user?.id)
          events.posted({ id, content, edited: false, own: true });
      });
      client.on(Events.MessageDelete, ({ channelId, id }) => {
        if (channelId === channel) events.deleted([id]);
      });
      client.on(Events.MessageBulkDelete, (messages, { id }) => {
        if (id === channel) events.deleted([...messages.keys()]);
      });
      client.on(Events.MessageUpdate, (_before, { channelId, id, editedTimestamp }) => {
        // Without an edit time this is not an edit: Discord resolved a link, or somebody pinned the message.
        if (channelId === channel && editedTimestamp !== null) events.edited(id);
      });
      client.on(Events.ShardReady, () => events.ready());
      for (const change of changes)
        client.on(change, () => {
          if (watch.hindrance() === undefined) events.opened();
          else events.closed();
        });
    },
  };
  return watch;
}
