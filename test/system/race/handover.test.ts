import { expect, it, onTestFinished } from 'vitest';
import { type App, policyFor, startApp } from '../../../src/app.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { folder, ownRedisServer, surroundings } from '../../helpers/bot-process.ts';
import {
  answerTo,
  asks,
  changes,
  ended,
  idOf,
  labelsOf,
  messageOf,
  quietLog,
  submits,
  textOf,
} from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { examplePolicy } from '../../helpers/world.ts';

const on = examplePolicy.replace('handover-pin: off', 'handover-pin: on');

/** Two bots on one token and one ledger, both at work. */
async function two() {
  const [around, redis] = [await surroundings(), await ownRedisServer()];
  let ahead = 0;
  const start = async (): Promise<App> => {
    const read = policyFor(on, around.discord.guildId);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const app = await startApp({
      discord: {
        token: around.discord.token,
        guild: around.discord.guildId,
        apiUrl: around.discord.apiUrl,
        register: true,
      },
      panel: { url: around.panel.url, token: around.panel.token },
      policy: read.policy,
      dataDir: folder(),
      redisUrl: redis.url,
      ledger: 'redis',
      role: 'gateway',
      note: '',
      log: quietLog,
      onRefused: () => undefined,
      now: () => Date.now() + ahead,
      intervals: { recover: 50, duties: { pins: 50, lead: 1_000 }, announcer: { every: 50 } },
    });
    onTestFinished(() => app.stop());
    return app;
  };
  const apps = [await start(), await start()] as const;
  const people = {
    /** Does what is asked about, and gives its card. */
    async does(line: string): Promise<SeenMessage> {
      const question = await asks(around, line);
      await around.discord.click('alice', question.id, idOf(question, 'Confirm'));
      return ended(around, question);
    },
    pings: () => around.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0),
    timePasses(ms: number) {
      ahead += ms;
    },
  };
  return { around, apps, ...people };
}

describeWithRedisServer('two processes with one ledger', () => {
  it('close an unknown outcome once, and undo once', async () => {
    const { around, does } = await two();
    around.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    const card = await does('/firewall flush server:web-1');
    await submits(around, card, 'It happened', 'no rule is left');
    const closed = await around.discord.until(() => {
      const now = messageOf(around, card.id);
      return labelsOf(now).length === 0 && now;
    });
    expect(textOf(closed)).toContain('It happened, says <@');

    const off = await does('/firewall disable server:web-2');
    const sent = changes(around).length;
    const undo = await around.discord.click('bob', off.id, idOf(off, 'Undo'));
    await answerTo(around, undo, ['SUCCEEDED']);
    await around.discord.until(() => textOf(messageOf(around, off.id)).includes('Undone since, by'));
    expect(changes(around)).toHaveLength(sent + 1);
    const whispered = around.discord.messages('alice', 'ops').filter(({ ephemeral }) => ephemeral);
    expect(whispered.map(textOf)).toEqual([]);
  });

  it('remind once and pin once, also when the one that did so stops', async () => {
    const { around, apps, does, pings, timePasses } = await two();
    await does('/firewall disable server:web-1 remind:30m');
    timePasses(31 * 60_000);
    await around.discord.until(() => pings().length > 0);
    await apps[0].stop();
    await does('/firewall disable server:web-2 remind:30m');
    const pinned = () =>
      around.discord.messages('alice', 'ops').filter(({ content }) => content.startsWith('**Handover'));
    await around.discord.until(() => pinned().some(({ content }) => content.includes('2 firewalls disabled')));
    timePasses(31 * 60_000);
    await around.discord.until(() => pings().length === 2);
    expect(pinned()).toHaveLength(1);
    expect(around.discord.pins('ops')).toEqual([pinned()[0]?.id]);
  });
});
