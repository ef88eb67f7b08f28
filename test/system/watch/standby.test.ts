import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { textOf, typed } from '../../helpers/messages.ts';
import { describeWithRedisServer, freePort, ownRedisServer } from '../../helpers/redis-server.ts';
import { type BotProcess, environmentFor, run } from '../../helpers/stage.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { readScrape, valueIn } from '../../helpers/watch/scrape.ts';
import { examplePolicy } from '../../helpers/world.ts';

const bobMay = 'allow: [read, write, "power.*"';

/** Processes with one ledger. */
async function processes(policyText = examplePolicy) {
  const [{ discord, panel }, redis] = [await surroundings(), await ownRedisServer()];
  const start = async (more = {}): Promise<{ bot: BotProcess; url: string; policy: string }> => {
    const [cwd, port] = [folder(), await freePort()];
    const policy = join(cwd, 'policy.yaml');
    writeFileSync(policy, policyText);
    const own = { POLICY_FILE: policy, REDIS_URL: redis.url, LEDGER: 'redis', HTTP_PORT: String(port), ...more };
    const bot = run({ ...environmentFor({ discord, panel }, join(cwd, 'data')), ...own }, { cwd });
    onTestFinished(async () => void (await bot.end('SIGKILL')));
    return { bot, url: `http://127.0.0.1:${port}`, policy };
  };
  const raw = new Redis(redis.url);
  onTestFinished(() => raw.disconnect());
  return { discord, panel, raw, start };
}

describeWithRedisServer('of two processes with one ledger, the one that stands by', () => {
  it('says so, is not at the gateway, and leads with the policy that it read last', { timeout: 60_000 }, async () => {
    const { discord, raw, start } = await processes();
    const roleOf = async (url: string): Promise<unknown> => {
      const answer = await fetch(`${url}/readyz`);
      const { ready, role, parts }: { ready: boolean; role: string; parts: object } = JSON.parse(await answer.text());
      return [answer.status, ready, role, Object.keys(parts)];
    };
    const leader = await start();
    await leader.bot.ready();
    const standby = await start();
    await vi.waitFor(async () => expect(await roleOf(standby.url)).toEqual([200, true, 'standby', ['redis']]), 20_000);
    await vi.waitFor(
      async () =>
        expect(await roleOf(leader.url)).toEqual([200, true, 'leader', ['gateway', 'redis', 'ledger', 'canary']]),
      20_000,
    );
    const leads = async ({ url }: { url: string }) =>
      valueIn(readScrape(await (await fetch(`${url}/metrics`)).text()), 'panelops_leader');
    expect([await leads(leader), await leads(standby)]).toEqual([1, 0]);
    const logins = () => discord.requests.filter(({ path }) => path.endsWith('/gateway/bot')).length;
    const before = logins();
    writeFileSync(standby.policy, readFileSync(standby.policy, 'utf8').replace(bobMay, 'allow: [read'));
    standby.bot.child.kill('SIGHUP');
    await vi.waitFor(
      () => expect(standby.bot.stderr()).toContain('the configuration was read again: in force'),
      20_000,
    );
    await leader.bot.end('SIGTERM');
    await standby.bot.ready();
    expect(logins()).toBe(2 * before);
    await typed({ discord }, '/power boot server:web-1', ['DENIED'], 'bob');
    const kinds = (await raw.xrange('panelops:ledger', '-', '+')).map(([, [, line = '']]) => JSON.parse(line));
    expect(kinds.slice(0, 4)).toMatchObject([
      { kind: 'started' },
      { kind: 'stopped' },
      { kind: 'configured', changed: ['policy.roles'] },
      { kind: 'started' },
    ]);
  });

  it('does not lead any more once it is told to stop, whatever its stop still waits for', {
    timeout: 60_000,
  }, async () => {
    const { raw, start } = await processes();
    const leader = await start();
    await leader.bot.ready();
    const collector = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void collector.close());
    await once(collector, 'listening');
    // Its address is an object, as it listens on TCP.
    const { port } = collector.address() as AddressInfo;
    const standby = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    await vi.waitFor(() => expect(standby.bot.stderr()).toContain('standing by'), 20_000);
    standby.bot.child.kill('SIGTERM');
    await once(collector, 'connection');
    expect(await leader.bot.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(await standby.bot.ended).toBe(0);
    const kinds = (await raw.xrange('panelops:ledger', '-', '+')).map(([, [, line = '']]) => JSON.parse(line).kind);
    expect(kinds).toEqual(['started', 'stopped']);
    expect(await raw.get('panelops:lease')).toMatch(/^released /);
    expect(standby.bot.stderr()).not.toContain('a fault while stopping');
  });

  it('leads with the names of the panel that the one before knew, and says how old they are', {
    timeout: 60_000,
  }, async () => {
    // The row of web-2 leaves its name to the panel.
    const rows = examplePolicy.replace('name: web-2, ', '');
    const inventory = 'inventory: { source: panel, path: "/servers?type=simple", id: /id, name: /name }';
    const { discord, panel, raw, start } = await processes(`${rows}\n${inventory}\n`);
    const types = async (line: string, fact: string) => {
      const typed = await discord.type('alice', 'ops', line);
      const isMeant = (card: SeenMessage) => card.answers === typed && textOf(card).includes(fact);
      await discord.until(() => discord.messages('alice', 'ops').find(isMeant));
    };
    const first = await start();
    await first.bot.ready();
    await types('/panel refresh', 'The panel lists 12 servers.');
    const { at } = JSON.parse((await raw.get('panelops:inventory'))?.split('\n')[0] ?? '');
    panel.order({ kind: 'status-before', times: 0, match: { path: '/servers?type=simple' } });
    const second = await start();
    await vi.waitFor(async () => expect((await fetch(`${second.url}/readyz`)).status).toBe(200), 20_000);
    await first.bot.end('SIGTERM');
    await second.bot.ready();
    await types('/panel refresh', `The bot keeps using the list of <t:${Math.floor(at / 1_000)}:R>.`);
    await types('/firewall flush server:web-2', 'web-2 (102');
  });
});
