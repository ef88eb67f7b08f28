import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { verify } from '../../../src/ledger/chain.ts';
import type { Entry } from '../../../src/runs/entry.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { asks, changes, messageOf, presses, stateOf, textOf, typed, until } from '../../helpers/messages.ts';
import { type QuickBot, startQuickBot } from '../../helpers/quick-bot.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { wayTo } from '../../helpers/tcp.ts';

/** A tenth of what a bot has. */
const lease = { renew: 200, look: 50, patience: 1_000, safe: 600 };

interface Process extends QuickBot {
  way: Awaited<ReturnType<typeof wayTo>>;
}

/** What happens to the leader, what brings it back once another one leads, and how it ends then. */
const disasters = [
  ['killed', ({ child }: Process) => child.kill('SIGKILL'), (): void => undefined, 'SIGKILL'],
  ['frozen', ({ child }: Process) => child.kill('SIGSTOP'), ({ child }: Process) => child.kill('SIGCONT'), 1],
  ['cut off from Redis', ({ way }: Process) => void way.cut(), ({ way }: Process) => way.mend(), 1],
] as const;

/** When in a change, and how that may end by the ledger: with an entry, its answer may have come just before. */
const steps = [
  ['asked', ['open']],
  ['confirmed', ['open', 'not-sent', 'unknown', 'succeeded']],
  ['intent', ['not-sent', 'unknown', 'succeeded']],
  ['hang-before', ['unknown']],
  ['hang-after', ['unknown']],
  ['outcome', ['unknown', 'succeeded']],
] as const;

/** How many requests the panel may have by then, for each end. */
const mayHave: Readonly<Record<string, readonly number[]>> = {
  open: [0],
  'not-sent': [0],
  unknown: [0, 1],
  succeeded: [1],
};

/** How a change ended; `open`: nobody has confirmed it. */
function endOf(own: readonly Entry[]): string | undefined {
  const outcome = own.find((entry) => entry.kind === 'outcome');
  return outcome?.outcome ?? (own.some(({ kind }) => kind === 'confirmed') ? undefined : 'open');
}

/** Three processes, of which one leads. */
async function three() {
  const [around, redis] = [await surroundings(), await ownRedisServer()];
  const raw = new Redis(redis.url);
  raw.on('error', () => undefined);
  onTestFinished(() => raw.disconnect());
  const start = async (standsBy?: true): Promise<Process> => {
    const way = await wayTo(redis.port);
    const bot = await startQuickBot(around, {
      ...{ dataDir: folder(), redisUrl: way.url, ledger: 'redis', intervals: { recover: 50, lease } },
      standsBy,
    });
    return { ...bot, way };
  };
  const all = [await start(), await start(true), await start(true)];
  const lines: string[] = [];
  return {
    ...{ around, redis, all },
    /** The ledger, whole and verified. */
    async entries(): Promise<Entry[]> {
      lines.splice(
        0,
        lines.length,
        ...(await raw.xrange('panelops:ledger', '-', '+')).map(([, [, line = '']]) => line),
      );
      expect(verify(lines)).toMatchObject({ ok: true });
      return lines.map((line) => JSON.parse(line));
    },
    leader: () => until(() => all.find(({ stderr }) => stderr().includes('this process leads')), 'a leader', 20_000),
    /** Another one stands by in its place. */
    async replace(lost: Process): Promise<void> {
      all.splice(all.indexOf(lost), 1);
      all.push(await start(true));
    },
  };
}

describeWithRedisServer('of three processes, the one that leads', () => {
  it.each(disasters)(
    'is %s at each step of a change, of which the panel gets one request at most',
    { timeout: 240_000 },
    async (_what, happens, ends, how) => {
      const { around, all, entries, leader, replace } = await three();
      for (const [step, endings] of steps) {
        const lost = await leader();
        const [sent, before] = [changes(around).length, (await entries()).length];
        const card = await asks(around, `/firewall flush server:web-${(before % 3) + 1}`);
        const disaster = new Promise<void>((resolve) => {
          const act = (): void => {
            happens(lost);
            resolve();
          };
          if (step === 'asked') return act();
          if (step !== 'hang-before' && step !== 'hang-after') return lost.way.when(`"kind":"${step}"`, act);
          around.panel.order({ kind: step, match: { changes: true } });
          void around.panel.until(() => changes(around).length > sent).then(act);
        });
        if (step !== 'asked') await presses(around, card, 'Confirm');
        await disaster;
        const standbys = all.filter((each) => each !== lost);
        await until(
          () => standbys.some(({ stderr }) => stderr().includes('this process leads')),
          `${step}: the next leader`,
          20_000,
        );
        await around.panel.clear();
        ends(lost);
        expect(await lost.ended, step).toBe(how);
        await replace(lost);

        const state = () => stateOf(messageOf(around, card.id));
        // What was not confirmed stays open.
        await expect.poll(async () => endOf((await entries()).slice(before)), { timeout: 20_000 }).toBeDefined();
        const ending = endOf((await entries()).slice(before)) ?? '';
        expect(endings, step).toContain(ending);
        const requests = changes(around).length - sent;
        expect(mayHave[ending], step).toContain(requests);
        if (ending === 'open') await presses(around, messageOf(around, card.id), 'Confirm');
        const shown = ending === 'open' ? 'SUCCEEDED' : ending.toUpperCase();
        await until(() => state() === shown, `${step}: ${shown} on the card`, 20_000);
        expect(changes(around).length - sent, step).toBe(ending === 'open' ? 1 : requests);
      }
    },
  );

  it('goes on when Redis was away for all: reads are answered meanwhile, and changes refused in private', {
    timeout: 90_000,
  }, async () => {
    const { around, redis, entries, leader } = await three();
    const [first, before] = [await leader(), await entries()];
    await redis.kill();
    await expect
      .poll(async () => (await typed(around, '/firewall enable server:web-1', ['UNAVAILABLE'])).ephemeral, {
        timeout: 20_000,
      })
      .toBe(true);
    expect(textOf(await typed(around, '/firewall show server:web-1', ['SUCCEEDED']))).toContain('Firewall');
    const asked = await typed(around, '/panel check', ['SUCCEEDED'], 'bob');
    expect(textOf(asked)).toContain('**Nothing may change.** Redis cannot be reached.');
    await redis.restart();
    const again = async () =>
      stateOf(await typed(around, '/firewall enable server:web-1', ['SUCCEEDED', 'UNAVAILABLE']));
    await expect.poll(again, { timeout: 20_000 }).toBe('SUCCEEDED');
    expect(changes(around)).toHaveLength(1);
    expect((await entries()).slice(before.length).map(({ kind }) => kind)).not.toContain('started');
    expect((await leader()).pid).toBe(first.pid);
  });
});
