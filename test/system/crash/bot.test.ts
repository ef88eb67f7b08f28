import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, changes, historyOf, labelsOf, messageOf, runOf, stateOf, until } from '../../helpers/messages.ts';
import { type BotProcess, chainIn, openCardsIn, openStage, type Stage } from '../../helpers/stage.ts';

/** Of Discord's clock, in ms. */
let ahead = 0;
let stage: Stage;
let bot: BotProcess;
beforeAll(async () => {
  // What is queued stays so: it is looked at, and never seen to end.
  stage = await openStage({ panel: { powerMs: 3_600_000 }, discord: { now: () => Date.now() + ahead } });
  bot = await stage.start();
});
afterAll(() => stage.stop());

/** Kills the bot as it is, and starts it again. */
async function crash(): Promise<void> {
  await bot.end('SIGKILL');
  stage.discord.clear();
  await stage.panel.clear();
  bot = await stage.start();
}

const answersTo = (id: string) => stage.discord.messages('alice', 'ops').filter(({ answers }) => answers === id);

/** The one card of a command, terminal after the crash: its state, its buttons, the history of its runs; and the effects meanwhile. */
async function aftermath(id: string, effects: number) {
  const card = await stage.discord.until(() =>
    answersTo(id).find((one) => !['WORKING', 'QUESTION'].includes(stateOf(one))),
  );
  // What is followed changes by itself.
  const isFollowed = historyOf(stage, card).includes('follow-up');
  await until(() => isFollowed || !openCardsIn(stage.dir).includes(runOf(card)), 'the terminal card');
  // Whoever asked is told that nobody knows.
  const isTold = (): boolean => stateOf(card) !== 'UNKNOWN' || historyOf(stage, card).includes('pinged');
  await until(isTold, 'the ping');
  expect(answersTo(id)).toHaveLength(1);
  expect(chainIn(stage.dir)).toBe(true);
  return {
    state: stateOf(messageOf(stage, card.id)),
    buttons: labelsOf(messageOf(stage, card.id)),
    history: historyOf(stage, card),
    effects: stage.panel.effects.length - effects,
  };
}

describe('the bot is killed', () => {
  it('at the second of three servers: the first keeps its outcome, the third is not sent', async () => {
    const effects = stage.panel.effects.length;
    stage.panel.order({ kind: 'hang-before', match: { changes: true, path: '/servers/102/' } });
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-1,web-2,web-3');
    await stage.panel.until(() => changes(stage).at(-1)?.path === '/servers/102/power/boot');
    await crash();
    expect(await aftermath(id, effects)).toEqual({
      state: 'UNKNOWN',
      buttons: ['Say what happened: web-2', 'Ask again'],
      history: ['intent', 'accepted', 'follow-up', 'intent', 'unknown', 'not-sent', 'pinged'],
      effects: 1,
    });
  });

  it('during a read: Discord itself says that no answer came', async () => {
    stage.panel.order({ kind: 'hang-before' });
    const reads = stage.panel.requests.length;
    const id = await stage.discord.type('carol', 'ops', '/firewall show server:web-1');
    // What is followed is looked at meanwhile.
    await stage.panel.until(() => stage.panel.requests.slice(reads).some(({ path }) => path.includes('/firewall/')));
    await crash();
    const card = () => stage.discord.messages('carol', 'ops').find(({ answers }) => answers === id);
    expect(card()).toMatchObject({ ephemeral: true, state: 'thinking' });
    ahead = 16 * 60_000;
    expect(card()).toMatchObject({ state: 'failed', content: 'The application did not respond' });
    ahead = 0;
  });
});

describe('the bot is killed after its intent, before anything was sent', () => {
  it('is unknown all the same: nobody can tell', async () => {
    // Connections to the panel are taken and never answered: the request waits behind the handshake of TLS.
    const held: Socket[] = [];
    const gate = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const tls = await openStage({ tls: true });
    // Of a server that listens on TCP, the address is an object.
    const { port } = gate.address() as AddressInfo;
    const before = await tls.start({ PANEL_URL: `https://127.0.0.1:${port}` });
    await until(() => held.length === 1, 'the try of the start');
    const id = await tls.discord.type('alice', 'ops', '/power boot server:web-1');
    const card = await answerTo(tls, id, ['WORKING']);
    await until(() => held.length > 1, 'a connection to the panel');
    expect(historyOf(tls, card)).toEqual(['intent']);
    await before.end('SIGKILL');
    await tls.start();
    const rested = await answerTo(tls, id, ['UNKNOWN']);
    await until(() => historyOf(tls, rested).includes('pinged'), 'the ping');
    expect([historyOf(tls, rested), labelsOf(rested)]).toEqual([
      ['intent', 'unknown', 'pinged'],
      ['Say what happened'],
    ]);
    expect(chainIn(tls.dir)).toBe(true);
    expect(changes(tls)).toEqual([]);
    for (const socket of held) socket.destroy();
    gate.close();
    await tls.stop();
  });
});
