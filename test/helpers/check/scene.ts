import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REST } from 'discord.js';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { policyFor } from '../../../src/app/rules.ts';
import type { Line } from '../../../src/check/line.ts';
import { checks } from '../../../src/check/list.ts';
import { outsideProbes } from '../../../src/check/outside.ts';
import type { Bounds } from '../../../src/check/probes.ts';
import { exitCodeOf, report, runChecks } from '../../../src/check/run.ts';
import { readConfig } from '../../../src/config.ts';
import { register } from '../../../src/discord/register.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { isOn, shownOf } from '../../../src/policy/live.ts';
import { readRoot } from '../house.ts';
import { connection, openLeading } from '../ledger/places.ts';
import { accepted, folder, intent, notes, started } from '../ledger/samples.ts';
import { type RedisServer, startRedisServer } from '../redis-server.ts';
import { environmentFor } from '../stage.ts';
import { expectNoSecrets, type Surroundings, surroundings } from '../surroundings.ts';
import { begun, reaches, startTrailProcess } from '../trail/process.ts';

/** Without alerts: there is no port for them. */
export const examplePolicy = readRoot('policy.example.yaml').replace(/^alerts: .*\n/m, '');

/** The restore whose job the panel is asked about: of server 101, which is 2t in base 36. */
const run = '2t';
const job = 91;

/** What a check said, without what is well. */
interface Said {
  /** Each line that is neither OK nor skipped: `wrong rights`. */
  bad: string[];
  skipped: string[];
  lines: readonly Line[];
  text: string;
  code: number;
}

export interface Scene extends Surroundings {
  redis: RedisServer;
  /** Of the same Redis. */
  client: Redis;
  dir: string;
  env: Record<string, string>;
  /** Checks with this environment beside the scene's; a value of '' leaves one out. */
  check(more?: Record<string, string>, options?: { bounds?: Partial<Bounds>; now?(): number }): Promise<Said>;
  /** Writes a policy, and gives the environment that names it. */
  policy(text: string): { POLICY_FILE: string };
  file(name: string, text: string): string;
  /** Appends what is in no channel yet, as of then. */
  appendAt(time: number): Promise<void>;
}

/** All that a bot leaves behind that runs well: nothing in the scene is wrong. */
export async function openScene(options: { ledger?: 'redis' } = {}): Promise<Scene> {
  const { discord, panel } = await surroundings({ tls: true });
  const redis = await startRedisServer({ 'maxmemory-policy': 'noeviction' });
  const client = new Redis(redis.url);
  client.on('error', () => undefined);
  const top = folder();
  onTestFinished(async () => {
    client.disconnect();
    await redis.stop();
  });
  const dir = join(top, 'data');
  const file = (name: string, text: string): string => {
    writeFileSync(join(top, name), text, { mode: 0o600 });
    return join(top, name);
  };
  const policy = (text: string) => ({ POLICY_FILE: file('policy.yaml', text) });
  const env = {
    ...environmentFor({ discord, panel }, dir),
    AUDIT_CHANNEL_ID: discord.channels.audit,
    PANEL_CA_FILE: file('ca.pem', panel.ca ?? ''),
    REDIS_URL: redis.url,
    ...(options.ledger && { LEDGER: options.ledger }),
    ...policy(examplePolicy),
  };
  const openLedger = async (now?: () => Date): Promise<Ledger> => {
    const how = { log: notes(), ...(now && { now }) };
    return options.ledger === 'redis'
      ? openLeading({ redis: await connection(redis.url), ...how })
      : openFileLedger({ dir, ...how });
  };
  await live({ discord, panel }, openLedger);
  await client.set('panelops:canary', '1', 'PX', 86_400_000);
  return {
    ...{ discord, panel, redis, client, dir, env, policy, file },
    check: (more = {}, given = {}) => checkWith({ ...env, ...more }, top, given),
    async appendAt(time) {
      const ledger = await openLedger(() => new Date(time));
      await ledger.append([{ kind: 'stopped', actor: begun.actor, owner: 'cd' }, begun]);
      await ledger.close();
    },
  };
}

/** Registers, records, posts and restores, as a bot does. */
async function live({ discord, panel }: Surroundings, openLedger: () => Promise<Ledger>): Promise<void> {
  const read = policyFor(examplePolicy, discord.guildId);
  if ('problems' in read) throw new Error('the example is a policy');
  const rest = new REST({ api: discord.apiUrl }).setToken(discord.token);
  await register(rest, discord.applicationId, discord.guildId, {
    ...{ commands: commands.filter(isOn(read.policy)), log: notes() },
    ...shownOf(() => read.policy),
  });
  panel.state.next.jobId = job;
  panel.state.jobs.push({
    ...{ jobId: job, serverId: 101, hypervisorId: 1, started: new Date(), disks: ['vda'] },
    fate: 'sticks',
  });
  const poster = await startTrailProcess(discord, {
    open: () => openLedger(),
    lines: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  });
  // A message each: with the first one gone, the others still show that it was there.
  for (const entries of [[begun], [intent(run)], [accepted(run), started(run)]]) {
    await poster.append(entries);
    await reaches(discord, () => poster.ledger.head().seq);
  }
  await poster.trail.close();
  await poster.ledger.close();
}

async function checkWith(
  env: Record<string, string>,
  cwd: string,
  options: { bounds?: Partial<Bounds>; now?(): number },
): Promise<Said> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const checkPolicy = (text: string, guild = '1100000000000000001') => {
    const checked = policyFor(text, guild);
    return 'problems' in checked ? checked.problems : [];
  };
  const { config, problems } = readConfig(set, {}, { examplePolicy: 'none', cwd }, checkPolicy);
  const checked = policyFor(config.policyText, '1100000000000000001');
  const policy = 'policy' in checked ? { policy: checked.policy } : {};
  const { probes, close } = outsideProbes({ config, problems, warnings: [], ...policy, ...options });
  const lines = await runChecks(checks, probes);
  await close();
  const text = report(lines);
  expectNoSecrets([text]);
  return {
    bad: lines
      .filter(({ state }) => state === 'wrong' || state === 'warning')
      .map(({ state, check }) => `${state} ${check}`),
    skipped: lines.filter(({ state }) => state === 'skipped').map(({ check }) => check),
    ...{ lines, text, code: exitCodeOf(lines) },
  };
}
