import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { root } from '../../helpers/house.ts';
import { forThis } from '../../helpers/lives.ts';
import { confirms, quietLog, stateOf, until } from '../../helpers/messages.ts';
import { openWorld, type World } from '../../helpers/world.ts';

/** The server's process alone, on a port that is given: what comes back, empty, where another one was. */
async function serverAt(port: number, password: string): Promise<void> {
  const file = join(root, 'dist/src/redis/embedded-server.js');
  const child = fork(file, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send({ port, password });
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
}

/** A Redis that can be taken away, and brought back. */
async function ownRedis() {
  const redis = await forThis(startEmbeddedRedis(quietLog));
  const { port, password } = new URL(redis.url);
  return {
    url: redis.url,
    away: {
      killed: () => redis.close(),
      frozen: () => Promise.resolve(process.kill(redis.pid, 'SIGSTOP')),
    },
    back: {
      killed: () => serverAt(Number(port), password),
      frozen: () => Promise.resolve(process.kill(redis.pid, 'SIGCONT')),
    },
  };
}

/** The messages that pinged alice. */
const pings = ({ discord }: World): string[] =>
  discord.messages('alice', 'ops').flatMap(({ content }) => /^(.*) <@1400000000000000001>$/.exec(content)?.[1] ?? []);

const hasBooted = ({ discord }: World): boolean =>
  discord
    .messages('alice', 'ops')
    .some((card) => stateOf(card) === 'FINISHED' && card.content.includes('/power boot · web-3'));

it.each(['killed', 'frozen'] as const)(
  'While Redis is %s, commands, questions and confirmations go on; what is followed goes on when it is back',
  async (how) => {
    const redis = await ownRedis();
    const world = await openWorld({
      redisUrl: redis.url,
      panel: { powerMs: 1_000, restoreMs: 6_000 },
      intervals: { followUps: { first: 300, most: 500 } },
    });
    const { alice, bob, carol } = world;
    expect(await confirms(alice, '/backup restore server:web-2 disks:0 reason:"lost update"', 'web-2')).toContain(
      'ACCEPTED /backup restore · web-2',
    );
    expect(await alice.types('/firewall disable server:web-1')).toContain('QUESTION /firewall disable · web-1');

    await redis.away[how]();
    expect(await alice.clicks('Confirm')).toContain('SUCCEEDED /firewall disable · web-1');
    expect(await bob.types('/power boot server:web-3')).toContain('ACCEPTED /power boot · web-3');
    expect(await alice.types('/firewall flush server:web-1')).toContain('QUESTION /firewall flush · web-1');
    expect(await bob.types('/firewall enable server:web-1')).toContain('SUCCEEDED /firewall enable · web-1');
    expect(await alice.clicks('Cancel')).toContain('CANCELLED /firewall flush · web-1');
    expect(await carol.types('/firewall show server:web-1')).toContain('Firewall of web-1 · primary');
    expect(await alice.types('/follow-ups list')).toContain('web-3 (103)');
    expect(await alice.types('/follow-ups hand-over server:web-3 user:@alice')).toContain('SUCCEEDED');
    expect(world.panel.effects).toHaveLength(4);

    await redis.back[how]();
    await world.discord.until(() => pings(world).length > 0 && hasBooted(world), 30_000);
    // A short power action that went well pings nobody.
    expect(pings(world)).toEqual(['■ **FINISHED /backup restore · web-2 (102, production)**']);
    expect(world.panel.effects).toHaveLength(4);
    expect(alice.sees()).not.toContain('UNAVAILABLE');
    const restore = world.ledger()[0]?.run;
    // What is in the file may not be known to the bot yet.
    const announced = (): boolean =>
      [...world.app.entries()].some(
        (each) => 'run' in each && each.run === restore && 'step' in each && each.step === 'announced',
      );
    await until(announced, 'the announcement in the ledger');
    expect(await alice.types(`/audit run id:${restore}`)).toContain('**ANNOUNCED**');
  },
  60_000,
);
