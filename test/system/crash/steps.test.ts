import { createServer, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { isLabelled } from '../../helpers/card-text.ts';
import { chainIn } from '../../helpers/ledger/reading.ts';
import { forAll } from '../../helpers/lives.ts';
import {
  answerTo,
  changes,
  historyOf,
  labelsOf,
  moment,
  presses,
  quietLog,
  stateOf,
  typed,
  until,
} from '../../helpers/messages.ts';
import { type BotProcess, openStage, type Stage, stageForAll } from '../../helpers/stage.ts';
import { listening } from '../../helpers/tcp.ts';

const redis = forAll(() => startEmbeddedRedis(quietLog));
// What is queued stays so: it is looked at, and never seen to end.
const stage = stageForAll({ panel: { powerMs: 3_600_000 } });
let bot: BotProcess;
beforeAll(async () => {
  bot = await stage.start({ REDIS_URL: redis.url });
});
const answersTo = (id: string) => stage.discord.messages('alice', 'ops').filter(({ answers }) => answers === id);

/** The message that pinged about a card has its buttons, once the card has given them up; which they are. */
async function movedTo({ discord }: Pick<Stage, 'discord'>, { id }: SeenMessage): Promise<string[]> {
  const all = () => discord.messages('alice', 'ops');
  await until(() => all().find((each) => each.id === id)?.buttons.length === 0, 'a card without');
  return labelsOf(
    await until(() => all().find(({ replyTo, buttons }) => replyTo === id && buttons.length > 0), 'buttons'),
  );
}

async function restart(): Promise<void> {
  await bot.end('SIGKILL');
  stage.discord.clear();
  await stage.panel.clear();
  bot = await stage.start({ REDIS_URL: redis.url });
}

/** Resolves at the n-th request from now on that the bot makes, of Discord or of the panel. */
function request(n: number): Promise<void> {
  // A start looks at the cards of the last day again, which are reads.
  const count = () =>
    stage.discord.requests.filter(({ method }) => method !== 'GET').length + stage.panel.requests.length;
  const goal = count() + n;
  return moment(stage, () => count() >= goal);
}

const ends: Record<string, { histories: string[][]; effects: number[] }> = {
  'NOT-SENT': { histories: [['not-sent'], ['asked', 'confirmed', 'not-sent']], effects: [0] },
  UNKNOWN: { histories: [['asked', 'confirmed', 'intent', 'unknown', 'pinged']], effects: [0, 1] },
  SUCCEEDED: { histories: [['asked', 'confirmed', 'intent', 'succeeded']], effects: [1] },
  QUESTION: { histories: [['asked']], effects: [0] },
};

// A flush that is asked about and confirmed makes eight requests; a server for each, so that none meets what was left unknown before.
const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1'];

describe('with a Redis that outlives it, the bot is killed', () => {
  it.each(servers.map((server, i): [number, string] => [i + 1, server]))(
    'at request %i of a question and its confirmation: at most one effect, one card, one end (%s)',
    async (n, server) => {
      const [sent, effects] = [changes(stage).length, stage.panel.effects.length];
      const { child } = bot;
      const nth = request(n);
      const id = await stage.discord.type('alice', 'ops', `/firewall flush server:${server}`);
      const confirmed = answerTo(stage, id, ['QUESTION']).then(async (card) => {
        if (!child.killed) await presses(stage, card, 'Confirm');
      });
      // Of edits that Discord has no time for, the bot makes one: then it is over before the last requests.
      const over = confirmed.then(() => answerTo(stage, id, ['SUCCEEDED']));
      await Promise.race([nth, over]);
      child.kill('SIGKILL');
      over.catch(() => undefined);
      await restart();

      // A question that was not confirmed stays open: all others come to an end.
      const asRecorded = (card: SeenMessage): boolean | undefined =>
        ends[stateOf(card)]?.histories.some((each) => each.join() === historyOf(stage, card).join());
      const rested = await until(
        () => answersTo(id).find((card) => stateOf(card) !== 'WORKING' && asRecorded(card)),
        () => `a card as recorded: ${answersTo(id).map((card) => `${stateOf(card)} ${historyOf(stage, card)}`)}`,
      );
      expect(answersTo(id)).toHaveLength(1);
      const end = ends[stateOf(rested)];
      expect(end?.effects).toContain(stage.panel.effects.length - effects);
      expect(changes(stage).length - sent).toBeLessThanOrEqual(1);
      expect(rested.buttons.some((each) => isLabelled(each, 'Confirm'))).toBe(stateOf(rested) === 'QUESTION');
      expect(chainIn(stage.dir)).toBe(true);
      if (stateOf(rested) !== 'QUESTION') return;
      // An open question would be drawn again after the next kill, and those requests would count.
      await presses(stage, rested, 'Cancel');
      await answerTo(stage, id, ['CANCELLED']);
    },
  );

  it('at the second of three servers: the first keeps its outcome, the third is not sent', async () => {
    const effects = stage.panel.effects.length;
    stage.panel.order({ kind: 'hang-before', match: { changes: true, path: '/servers/102/' } });
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-1,web-2,web-3');
    await stage.panel.until(() => changes(stage).at(-1)?.path === '/servers/102/power/boot');
    await restart();
    const card = await answerTo(stage, id, ['UNKNOWN']);
    await until(() => historyOf(stage, card).includes('pinged'), 'the ping');
    expect(await movedTo(stage, card)).toEqual(['Say what happened: web-2', 'Ask again']);
    expect(answersTo(id)).toHaveLength(1);
    expect(historyOf(stage, card)).toEqual([
      ...['intent', 'accepted', 'follow-up', 'intent', 'unknown', 'not-sent', 'pinged'],
    ]);
    expect(stage.panel.effects.length - effects).toBe(1);
    expect(chainIn(stage.dir)).toBe(true);
  });
});

it('A bot that is killed after its intent, before anything was sent, leaves an unknown end: nobody can tell', async () => {
  // Connections to the panel are taken and never answered: the request waits behind the handshake of TLS.
  const held: Socket[] = [];
  const port = await listening(createServer((socket) => void held.push(socket)));
  const tls = await openStage({ tls: true });
  const before = await tls.start({ PANEL_URL: `https://127.0.0.1:${port}` });
  await until(() => held.length === 1, 'the try of the start');
  const card = await typed(tls, '/power boot server:web-1', ['WORKING']);
  await until(() => held.length > 1, 'a connection to the panel');
  expect(historyOf(tls, card)).toEqual(['intent']);
  await before.end('SIGKILL');
  await tls.start();
  await until(() => historyOf(tls, card).includes('pinged'), 'the ping');
  expect(historyOf(tls, card)).toEqual(['intent', 'unknown', 'pinged']);
  expect(await movedTo(tls, card)).toEqual(['Say what happened']);
  expect(chainIn(tls.dir)).toBe(true);
  expect(changes(tls)).toEqual([]);
  await tls.stop();
});
