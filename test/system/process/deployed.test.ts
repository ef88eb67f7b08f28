import { spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, lastStage } from '../../helpers/deploy/dockerfile.ts';
import { layOutImage } from '../../helpers/deploy/image.ts';
import { compose } from '../../helpers/deploy/manifests.ts';
import { type Started, start } from '../../helpers/deploy/started.ts';
import { readRoot, root } from '../../helpers/house.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { answerTo, stateOf } from '../../helpers/messages.ts';
import { describeWithRedisServer, freePort, redisProgram } from '../../helpers/redis-server.ts';
import { canaries, type Surroundings, surroundings } from '../../helpers/surroundings.ts';

/** Tests of another user need one who may start programs as others: root, as CI is. */
const isRoot = process.getuid?.() === 0;

const program = join(root, 'dist/src/main.js');

/** What an operator puts into panelops.env, with the address of a Discord that is not Discord's. */
const settings = ({ discord, panel }: Surroundings): Record<string, string> => ({
  DISCORD_GUILD_ID: discord.guildId,
  DISCORD_API_URL: discord.apiUrl,
  PANEL_URL: panel.url,
  HTTP_HOST: '127.0.0.1',
});

/** Here localhost is two addresses, of which Valkey has one: on a slow machine the other's refusal would be what is told. */
const oneAddress = { NODE_OPTIONS: '--dns-result-order=ipv4first --no-network-family-autoselection' };

/** A read, a refusal and a change, as people see them. */
async function serves(world: Surroundings): Promise<void> {
  const read = await world.discord.type('carol', 'ops', '/firewall show server:web-1');
  expect(stateOf(await answerTo(world, read, ['SUCCEEDED'], 'carol'))).toBe('SUCCEEDED');
  const change = await world.discord.type('alice', 'ops', '/power boot server:web-1');
  expect(stateOf(await answerTo(world, change, ['ACCEPTED']))).toBe('ACCEPTED');
}

describe('the image', () => {
  it('serves as another user, from a tree that nobody can write to, without the sandbox and without what only builds', async () => {
    const world = await surroundings();
    const image = layOutImage(withoutSandbox);
    const [policy, data] = ['POLICY_FILE', 'DATA_DIR'].map((name) => image.at(image.env[name] ?? ''));
    if (policy === undefined || data === undefined) throw new Error('the image names no policy and no folder');
    for (const dir of [join(policy, '..'), data]) mkdirSync(dir, { recursive: true });
    copyFileSync(join(root, 'policy.example.yaml'), policy);
    if (isRoot) chownSync(data, image.uid, image.uid);
    expect(existsSync(join(image.workdir, 'node_modules/discord.js'))).toBe(true);
    expect(existsSync(join(image.workdir, 'node_modules/vitest'))).toBe(false);

    const env = { ...image.env, POLICY_FILE: policy, DATA_DIR: data, ...settings(world) };
    const tokens = { DISCORD_TOKEN: canaries.discord, PANEL_TOKEN: canaries.panel };
    const [, ...args] = image.entrypoint;
    const bot = start([process.execPath, ...args], {
      env: { ...env, ...tokens, HTTP_PORT: String(await freePort()) },
      cwd: image.workdir,
      uid: isRoot ? image.uid : undefined,
    });
    await bot.says('ready ');
    await serves(world);
    expect(readdirSync(data)).toContain('ledger.jsonl');
    expect(await bot.stops()).toBe(0);
  });

  it('without any settings is an error, and no sandbox', async () => {
    const bot = start([process.execPath, program], { env: environmentOf(lastStage()), cwd: folder() });
    expect(await bot.ended).toBe(78);
    for (const name of ['DISCORD_TOKEN', 'PANEL_URL', 'POLICY_FILE']) expect(bot.said()).toContain(`  ${name}\n`);
  });
});

/** It is a chunk of its own, beside the error with which a start can end. */
function withoutSandbox(workdir: string): void {
  const chunks = join(workdir, 'dist/src/chunks');
  const its = readdirSync(chunks).filter(
    (name) => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes('\n// src/sandbox/index.ts\n'),
  );
  expect(its).toHaveLength(1);
  for (const name of its) rmSync(join(chunks, name));
}

/** A folder of secrets as the operator makes it, and where the deployment finds it. */
function secretsFor(host: string, port: number): string {
  const dir = folder();
  const made = spawnSync('sh', [join(root, 'deploy/valkey-secrets.sh'), dir, host], { encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, '']);
  writeFileSync(join(dir, 'discord-token'), `${canaries.discord}\n`);
  writeFileSync(join(dir, 'panel-token'), `${canaries.panel}\n`);
  const url = readFileSync(join(dir, 'redis-url'), 'utf8');
  expect(url).toMatch(/^rediss:\/\/:[0-9a-f]{64}@localhost:6379$/);
  writeFileSync(join(dir, 'redis-url'), url.replace('6379', String(port)));
  return dir;
}

describeWithRedisServer('what bot and Valkey are given', () => {
  /** The Valkey of compose.yaml, with its very arguments, on this machine. */
  async function startValkey(): Promise<{ port: number; secrets: string; valkey: Started }> {
    const port = await freePort();
    const secrets = secretsFor('localhost', port);
    const data = folder();
    const [, ...args] = compose().services.valkey.command ?? [];
    const here = args.map((arg) =>
      arg
        .replace('/run/secrets', secrets)
        .replace(/^\/data$/, data)
        .replace(/^6379$/, String(port)),
    );
    const valkey = start([redisProgram, ...here, '--loglevel', 'notice'], { env: {}, cwd: data });
    await valkey.says('Ready to accept connections');
    return { port, secrets, valkey };
  }

  const policy = join(root, 'policy.example.yaml');

  it('in compose.yaml lets them trust each other and nobody else, and serves', async () => {
    const world = await surroundings();
    const { secrets } = await startValkey();
    const { bot: service } = compose().services;
    const mapped = Object.entries(service.environment).map(([name, value]): [string, string] => [
      name,
      value.replace('/run/secrets', secrets),
    ]);
    const port = String(await freePort());
    const env = {
      ...Object.fromEntries(mapped),
      ...settings(world),
      ...oneAddress,
      POLICY_FILE: policy,
      HTTP_PORT: port,
    };
    const hold = (service.entrypoint ?? []).map((part) =>
      part === 'node'
        ? process.execPath
        : part.replace('/opt/panelops/hold.sh', join(root, 'deploy/hold.sh')).replace('/opt/panelops', root),
    );
    const cwd = folder();
    const distrustful = { ...env, NODE_EXTRA_CA_CERTS: '' };
    const refused = start([process.execPath, program], { env: distrustful, cwd });
    const code = await refused.ended;
    expect(code, refused.said()).toBe(1);
    expect(refused.said()).toContain('The certificate of Redis is from an authority that this machine does not know.');

    const bot = start(['/bin/sh', ...hold.slice(1)], { env, cwd });
    await bot.says('ready ');
    await serves(world);
    // Everything is in Valkey.
    expect(readdirSync(cwd)).toEqual([]);
    expect(await bot.stops()).toBe(0);
    const password = readFileSync(join(secrets, 'valkey.conf'), 'utf8').trim().replace('requirepass ', '');
    for (const secret of [password, canaries.discord, canaries.panel]) expect(bot.said()).not.toContain(secret);
  });
});

describe('valkey-secrets.sh', () => {
  it('never makes new secrets in the place of those that are in use', () => {
    const dir = folder();
    const make = () => spawnSync('sh', [join(root, 'deploy/valkey-secrets.sh'), dir, 'valkey'], { encoding: 'utf8' });
    expect(make().status).toBe(0);
    const before = readFileSync(join(dir, 'redis-url'), 'utf8');
    const second = make();
    expect(second.status).toBe(1);
    expect(second.stderr).toContain('valkey.conf is there already');
    expect(readFileSync(join(dir, 'redis-url'), 'utf8')).toBe(before);
    expect(readRoot('.gitignore').split('\n')).toEqual(expect.arrayContaining(['secrets/', 'panelops.env']));
  });
});
