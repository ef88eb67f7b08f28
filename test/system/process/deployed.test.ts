import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandIn, copiesOf, environmentOf, lastStage, onlyOf } from '../../helpers/deploy/dockerfile.ts';
import { compose } from '../../helpers/deploy/manifests.ts';
import { readRoot, root } from '../../helpers/house.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { typed } from '../../helpers/messages.ts';
import { type Running, running, type Where } from '../../helpers/process.ts';
import { describeWithRedisServer, freePort, redisProgram } from '../../helpers/redis-server.ts';
import { canaries, type Surroundings, surroundings } from '../../helpers/surroundings.ts';

/** Starts a command with this environment and nothing else; it is ended with the test. */
function start(command: readonly string[], where: Where): Running {
  const program = running(command, where);
  onTestFinished(async () => void (await program.end('SIGTERM')));
  return program;
}
const saidBy = ({ stdout, stderr }: Running): string => stdout() + stderr();

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

/** What deploy/Dockerfile makes, in a folder that stands for the root. */
interface Image {
  /** Where a path of the image is on this machine. */
  at(path: string): string;
  entrypoint: string[];
  env: Record<string, string>;
  workdir: string;
  uid: number;
}

/**
 * Lays out what the last stage copies, and nothing else, read-only; gone with the test. Without an engine no RUN is carried
 * out. `before`: what to do to it while it can still be written to.
 */
function layOutImage(before: (workdir: string) => void = () => undefined): Image {
  const top = mkdtempSync(join(tmpdir(), 'panelops-image-'));
  onTestFinished(() => {
    setWritable(top, true);
    rmSync(top, { recursive: true, force: true });
  });
  // Other users must get in.
  chmodSync(top, 0o755);
  const stage = lastStage();
  const workdir = onlyOf(stage, 'WORKDIR');
  const at = (path: string): string => (path.startsWith('/') ? join(top, path) : path);
  mkdirSync(at(workdir), { recursive: true });
  for (const { from, what, to } of copiesOf(stage)) {
    const target = join(at(workdir), to);
    if (from === 'dependencies') copyProduction(target);
    else for (const each of what) copyInto(join(root, each.replace(/^\/build\//, '')), target, to.endsWith('/'));
  }
  before(at(workdir));
  setWritable(at(workdir), false);
  return {
    at,
    entrypoint: commandIn(onlyOf(stage, 'ENTRYPOINT')).map(at),
    env: environmentOf(stage),
    workdir: at(workdir),
    uid: Number(onlyOf(stage, 'USER').split(':')[0]),
  };
}

const copyInto = (source: string, target: string, isFolder: boolean): void =>
  copy(source, isFolder ? join(target, basename(source)) : target);

/** Links files, which is much faster than copying them, where both are on one disk. So nothing may write to them. */
function copy(source: string, target: string, isLeftOut: (name: string) => boolean = () => false): void {
  if (statSync(source).isDirectory()) {
    mkdirSync(target, { recursive: true });
    const names = readdirSync(source).filter((name) => !isLeftOut(name));
    for (const name of names) copy(join(source, name), join(target, name), isLeftOut);
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

/** The packages that `npm ci --omit=dev` installs, from what is installed here. */
function copyProduction(target: string): void {
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readRoot('package-lock.json'),
  );
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const source = join(root, path);
    // The project itself has no path, and builds for other platforms are not here.
    if (
      path === '' ||
      dev === true ||
      devOptional === true ||
      statSync(source, { throwIfNoEntry: false }) === undefined
    )
      continue;
    copy(source, join(target, path.slice('node_modules/'.length)), (name) => name === 'node_modules');
  }
}

/** Folders alone: the files may be links to those that are in use, and belong to another user than the bot's. */
function setWritable(path: string, isWritable: boolean): void {
  chmodSync(path, isWritable ? 0o755 : 0o555);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) setWritable(join(path, entry.name), isWritable);
}

/** A read, a refusal and a change, as people see them. */
async function serves(world: Surroundings): Promise<void> {
  await typed(world, '/firewall show server:web-1', ['SUCCEEDED'], 'carol');
  await typed(world, '/power boot server:web-1', ['ACCEPTED']);
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
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('without any settings is an error, and no sandbox', async () => {
    const bot = start([process.execPath, program], { env: environmentOf(lastStage()), cwd: folder() });
    expect(await bot.ended).toBe(78);
    for (const name of ['DISCORD_TOKEN', 'PANEL_URL', 'POLICY_FILE']) expect(saidBy(bot)).toContain(`  ${name}\n`);
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
  async function startValkey(): Promise<{ port: number; secrets: string; valkey: Running }> {
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
    expect(code, saidBy(refused)).toBe(1);
    expect(saidBy(refused)).toContain('The certificate of Redis is from an authority that this machine does not know.');

    const bot = start(['/bin/sh', ...hold.slice(1)], { env, cwd });
    await bot.says('ready ');
    await serves(world);
    // Everything is in Valkey.
    expect(readdirSync(cwd)).toEqual([]);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const password = readFileSync(join(secrets, 'valkey.conf'), 'utf8').trim().replace('requirepass ', '');
    for (const secret of [password, canaries.discord, canaries.panel]) expect(saidBy(bot)).not.toContain(secret);
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
