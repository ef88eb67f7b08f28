import {
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type GatewayMessageUpdateDispatchData,
  PermissionFlagsBits,
} from 'discord.js';
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

/** Gateway events of the audit channel. Needs the intents Guilds and GuildMessages. */
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
      const { ws } = client;
      ws.on(
        GatewayDispatchEvents.MessageCreate,
        ({ channel_id, author, id, content }: GatewayMessageCreateDispatchData) => {
          if (channel_id === channel && author.id === client.user?.id)
            events.posted({ id, content, edited: false, own: true });
        },
      );
      ws.on(GatewayDispatchEvents.MessageDelete, ({ channel_id, id }: GatewayMessageDeleteDispatchData) => {
        if (channel_id === channel) events.deleted([id]);
      });
      ws.on(GatewayDispatchEvents.MessageDeleteBulk, ({ channel_id, ids }: GatewayMessageDeleteBulkDispatchData) => {
        if (channel_id === channel) events.deleted(ids);
      });
      ws.on(
        GatewayDispatchEvents.MessageUpdate,
        ({ channel_id, id, edited_timestamp }: GatewayMessageUpdateDispatchData) => {
          // Without an edit time this is not an edit: Discord resolved a link, or somebody pinned the message.
          if (channel_id === channel && typeof edited_timestamp === 'string') events.edited(id);
        },
      );
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
