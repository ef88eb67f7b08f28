import { expect, it, onTestFinished } from 'vitest';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { leaderLease } from '../../src/redis/leader.ts';
import type { SandboxDiscord } from '../../src/sandbox/discord/index.ts';
import type { TrailIntervals } from '../../src/trail/index.ts';
import { connection, ownServer, redisPlace } from '../helpers/ledger/places.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';
import {
  audit,
  begun,
  contents,
  isSeamless,
  linesOf,
  ownDiscord,
  posted,
  reaches,
  several,
  startTrailProcess,
  type TrailProcess,
} from '../helpers/trail/process.ts';

interface Scene {
  discord: SandboxDiscord;
  ledger: Ledger;
  /** Two processes on one ledger. */
  both: [TrailProcess, TrailProcess];
  /** From here on this one of them leads; none: nobody does. */
  lead(one?: 0 | 1): void;
  /** How often the second has asked whether it leads. */
  asked(): number;
}

async function open(intervals: Partial<TrailIntervals> = {}): Promise<Scene> {
  const discord = await ownDiscord();
  const ledger = await openFileLedger({ dir: folder(), log: notes() });
  onTestFinished(() => ledger.close());
  const shelf = {
    open: () => Promise.resolve(ledger),
    lines: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  };
  let leader: number | undefined = 0;
  const asked = [0, 0];
  const process = (one: 0 | 1) => {
    const isLeader = () => {
      asked[one] = (asked[one] ?? 0) + 1;
      return Promise.resolve(leader === one);
    };
    return startTrailProcess(discord, shelf, { isLeader, intervals });
  };
  await ledger.append([begun]);
  const both: Scene['both'] = [await process(0), await process(1)];
  await reaches(discord, () => 1);
  return {
    ...{ discord, ledger, both },
    lead(one) {
      leader = one;
    },
    asked: () => asked[1] ?? 0,
  };
}

/** Lines, each in a message of its own. */
async function lines({ discord, ledger }: Scene, n: number): Promise<void> {
  for (let at = 1; at <= n; at += 1) {
    await ledger.append(several(1, ledger.head().seq));
    await reaches(discord, () => ledger.head().seq);
  }
}

const findings = ({ ledger }: Scene) =>
  ledger
    .entries()
    .slice()
    .flatMap((each) => (each.kind === 'tampered' ? [`${each.finding} ${each.actor.name}`] : []));
const posts = ({ discord }: Scene): number => discord.requests.filter(({ method }) => method === 'POST').length;

it('One of two processes posts, and the other takes over when that one stops', async () => {
  const scene = await open();
  await lines(scene, 3);
  scene.lead();
  await scene.ledger.append(several(3, 50));
  scene.lead(1);
  await reaches(scene.discord, () => scene.ledger.head().seq);
  await lines(scene, 2);
  scene.lead(0);
  await lines(scene, 2);
  expect(isSeamless(scene.discord)).toBe(true);
  expect(linesOf(scene.discord)).toHaveLength(scene.ledger.head().seq);
  expect(findings(scene)).toEqual([]);
});

it('A process that is not the leader knows how far the trail is, and changes wait there only where it is behind', async () => {
  const scene = await open({ patience: 300 });
  const [, follower] = scene.both;
  await lines(scene, 3);
  await expect.poll(() => follower.trail.reach()?.seq).toBe(4);
  expect(follower.trail.trouble()).toBeUndefined();
  scene.lead();
  await scene.ledger.append(several(1));
  const behind = { reason: 'trail-behind', words: `The last entry has not reached <#${audit}> yet.` };
  await expect.poll(() => follower.trail.trouble()).toEqual(behind);
  scene.lead(0);
  await expect.poll(() => follower.trail.trouble()).toBeUndefined();
});

it('A former leader posts nothing, whatever it has read before', async () => {
  const discord = await ownDiscord();
  const ledger = await openFileLedger({ dir: folder(), log: notes() });
  onTestFinished(() => ledger.close());
  await ledger.append([begun]);
  const shelf = {
    open: () => Promise.resolve(ledger),
    lines: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  };
  let asked = 0;
  // Each second answer is a no: it leads when it begins, and before it posts another does.
  const isLeader = () => {
    asked += 1;
    return Promise.resolve(asked % 2 === 1);
  };
  await startTrailProcess(discord, shelf, { isLeader });
  await expect.poll(() => asked).toBeGreaterThan(20);
  expect(contents(discord)).toEqual([]);
});

it('A process that is not the leader reads the channel only while something waits', async () => {
  const scene = await open();
  await lines(scene, 2);
  await expect.poll(() => scene.both[1].trail.reach()?.seq).toBe(3);
  const before = scene.discord.requests.length;
  const asked = scene.asked();
  await expect.poll(scene.asked).toBeGreaterThan(asked + 10);
  expect(scene.discord.requests.slice(before)).toEqual([]);
});

it('What a dead leader heard and did not report is reported by the next, once', async () => {
  const scene = await open();
  await lines(scene, 4);
  await expect.poll(() => scene.both[1].trail.reach()?.seq).toBe(5);
  for (const each of posted(scene.discord))
    scene.both[1].hears.posted({ id: each.id, content: each.content, edited: false, own: true });
  scene.lead();
  const victim = posted(scene.discord)[2]?.id ?? '';
  scene.discord.deleteMessage('alice', victim);
  for (const { hears } of scene.both) hears.deleted([victim]);
  scene.lead(1);
  await expect.poll(() => findings(scene)).toEqual(['deleted panelops']);
  await reaches(scene.discord, () => scene.ledger.head().seq);
  scene.lead(0);
  await lines(scene, 2);
  expect(findings(scene)).toEqual(['deleted panelops']);
});

it('What nobody heard is found by the next leader', async () => {
  const scene = await open();
  await lines(scene, 4);
  // It has led before, and compared the channel then.
  scene.lead(1);
  await lines(scene, 1);
  scene.lead(0);
  const asked = scene.asked();
  await expect.poll(scene.asked).toBeGreaterThan(asked + 2);
  scene.lead();
  scene.discord.deleteMessage('alice', posted(scene.discord)[2]?.id ?? '');
  scene.lead(1);
  await expect.poll(() => findings(scene)).toEqual(['missing panelops']);
  await lines(scene, 2);
  scene.lead(0);
  await lines(scene, 2);
  expect(findings(scene)).toEqual(['missing panelops']);
});

it('The end of the trail that somebody deleted, unheard, is reported by a process that has read it, and posted again', async () => {
  const scene = await open();
  await lines(scene, 4);
  for (const { id } of posted(scene.discord).slice(-2)) scene.discord.deleteMessage('alice', id);
  await scene.ledger.append(several(1));
  await expect.poll(() => findings(scene)).toEqual(['deleted panelops']);
  expect(scene.ledger.entries().at(-1)).toMatchObject({ from: 4, to: 5, unsaid: true });
  await reaches(scene.discord, () => scene.ledger.head().seq);
  expect(isSeamless(scene.discord)).toBe(true);
});

it('The end that somebody deleted while nobody led is reported by a process that had read it', async () => {
  const scene = await open();
  await lines(scene, 4);
  await expect.poll(() => scene.both[1].trail.reach()?.seq).toBe(5);
  scene.lead();
  scene.discord.deleteMessage('alice', posted(scene.discord).at(-1)?.id ?? '');
  await scene.ledger.append(several(1));
  // By now it has read that the end is not there any more.
  const asked = scene.asked();
  await expect.poll(scene.asked).toBeGreaterThan(asked + 5);
  scene.lead(1);
  await expect.poll(() => findings(scene)).toEqual(['deleted panelops']);
  expect(scene.ledger.entries().at(-1)).toMatchObject({ from: 5, to: 5, unsaid: true });
  await reaches(scene.discord, () => scene.ledger.head().seq);
});

it('A channel that is closed to the bot is trouble until it is open again', async () => {
  const scene = await open();
  const [{ trail, log }] = scene.both;
  scene.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  await scene.ledger.append(several(1));
  const closed = { reason: 'trail-closed', words: `Discord refuses the bot in <#${audit}>.` };
  await expect.poll(() => trail.trouble()).toEqual(closed);
  const before = posts(scene);
  await expect.poll(() => posts(scene)).toBeGreaterThan(before + 2);
  expect(log.messages.filter((message) => message.includes('denies the bot access'))).toHaveLength(1);
  scene.discord.clear();
  await expect.poll(() => trail.trouble()).toBeUndefined();
  await reaches(scene.discord, () => scene.ledger.head().seq);
});

describeWithRedisServer('Two processes on one stream, with a lease', () => {
  const server = ownServer();

  it('post everything once and in order, also after an outage of Redis', async () => {
    const discord = await ownDiscord();
    const place = redisPlace(server().url);
    const redis = await connection(server().url);
    const process = (id: string) =>
      startTrailProcess(discord, place, { isLeader: leaderLease(redis, `trail:${audit}`, id, 500) });
    const both = [await process('a'), await process('b')];
    await both[0]?.append([begun]);
    for (let at = 1; at <= 30; at += 1) await both[at % 2]?.append(several(1, at));
    await reaches(discord, () => 31);
    await expect.poll(() => both.map(({ trail }) => trail.reach()?.seq)).toEqual([31, 31]);
    await server().kill();
    await server().restart();
    await expect
      .poll(() =>
        both[1]?.append(several(1, 50)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await discord.until(() => linesOf(discord).some((line) => line.includes('`owner 50`')));
    await both[0]?.trail.close();
    await both[1]?.append(several(1, 60));
    await discord.until(() => linesOf(discord).some((line) => line.includes('`owner 60`')));
    expect(isSeamless(discord)).toBe(true);
    await expect.poll(() => both[1]?.trail.trouble()).toBeUndefined();
  });
});
