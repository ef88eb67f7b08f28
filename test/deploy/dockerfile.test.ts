import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  buildStages,
  commandIn,
  copiesOf,
  environmentOf,
  lastStage,
  onlyOf,
} from '../helpers/deploy/dockerfile.ts';
import { readRoot, root } from '../helpers/house.ts';

const stages = buildStages();
const last = lastStage();
const runs = stages.flatMap((stage) => allOf(stage, 'RUN'));

// The numbers are hadolint's, which is not to be had from npm.
describe('the Dockerfile', () => {
  it('begins each stage with the same image, of one exact version (DL3006, DL3007)', () => {
    expect(stages.map(({ name }) => name)).toEqual(['build', 'dependencies', undefined]);
    expect([...new Set(stages.map(({ base }) => base))]).toEqual([
      expect.stringMatching(/^node:24\.\d+\.\d+-[a-z]+-slim$/),
    ]);
  });

  it('takes nothing from the network but the packages of the lockfile (DL3016, DL3020)', () => {
    expect(stages.flatMap((stage) => allOf(stage, 'ADD'))).toEqual([]);
    expect(runs).toEqual([
      'npm ci --ignore-scripts && npm cache clean --force',
      'npm run build',
      'npm ci --omit=dev --ignore-scripts && npm cache clean --force',
      'install -d -m 700 -o 10001 -g 10001 /var/lib/panelops',
    ]);
  });

  it('copies to a place that is said, and from stages that are there (DL3022, DL3045)', () => {
    const named = stages.map(({ name }) => name);
    for (const stage of stages) {
      const keywords = stage.steps.map((step) => step.getKeyword());
      expect(keywords.indexOf('WORKDIR')).toBeGreaterThanOrEqual(0);
      expect(keywords.indexOf('COPY')).toBeGreaterThan(keywords.indexOf('WORKDIR'));
      for (const { from } of copiesOf(stage)) expect(named).toContain(from);
    }
    // DL3000: a folder to work in is named from the root.
    expect(stages.flatMap((stage) => allOf(stage, 'WORKDIR')).filter((path) => !path.startsWith('/'))).toEqual([]);
  });

  it('installs packages before it copies sources, which change more often', () => {
    const [build] = stages;
    const keywords = build?.steps.map((step) => step.getKeyword());
    expect(keywords).toEqual(['WORKDIR', 'COPY', 'RUN', 'COPY', 'COPY', 'COPY', 'RUN']);
  });

  it('ends as a user without rights, by number (DL3002)', () => {
    expect(onlyOf(last, 'USER')).toBe('10001:10001');
    const keywords = last.steps.map((step) => step.getKeyword());
    expect(keywords.slice(keywords.indexOf('USER')).filter((keyword) => ['RUN', 'COPY'].includes(keyword))).toEqual([]);
  });

  it('starts node itself, so that signals reach the bot (DL3025)', () => {
    expect(commandIn(onlyOf(last, 'ENTRYPOINT'))).toEqual(['node', '/opt/panelops/dist/src/main.js']);
    expect(commandIn(onlyOf(last, 'HEALTHCHECK')).slice(0, 2)).toEqual(['node', '-e']);
    expect(allOf(last, 'CMD')).toEqual([]);
  });

  it('takes production dependencies and built files, and nothing that only builds or plays', () => {
    expect(copiesOf(last)).toEqual([
      { from: undefined, what: ['LICENSE', 'package.json', 'policy.example.yaml', 'deploy/hold.sh'], to: './' },
      { from: 'dependencies', what: ['/dependencies/node_modules'], to: 'node_modules' },
      ...[
        'main.js',
        'audit/thread.js',
        'on-call/thread.js',
        'chart/canvas-process.js',
        'redis/embedded-server.js',
        'chunks',
      ].map((name) => ({
        ...{ from: 'build', what: [`/build/dist/src/${name}`], to: `dist/src/${name}` },
      })),
    ]);
  });

  it('holds no secret, and names a policy, so that no container starts the sandbox by mistake', () => {
    expect(environmentOf(last)).toEqual({
      NODE_ENV: 'production',
      POLICY_FILE: '/etc/panelops/policy.yaml',
      DATA_DIR: '/var/lib/panelops',
      HTTP_HOST: '::',
      HTTP_PORT: '8137',
    });
    expect(onlyOf(last, 'EXPOSE')).toBe('8137');
  });
});

describe('the health check of the image', () => {
  /** Its exit code, with a server that answers so, or without one. */
  async function checked(status?: number): Promise<number | null> {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(status ?? 200).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Of a server that listens on TCP, the address is an object.
    const { port } = server.address() as AddressInfo;
    const end = async (): Promise<void> => {
      server.close();
      await once(server, 'close');
    };
    if (status === undefined) await end();
    const [, ...args] = commandIn(onlyOf(last, 'HEALTHCHECK'));
    const child = spawn(process.execPath, args, { env: { HTTP_PORT: String(port) } });
    const [code] = await once(child, 'exit');
    if (status !== undefined) await end();
    expect(asked).toEqual(status === undefined ? [] : ['/livez']);
    return code;
  }

  it('is passed by a bot that lives, and by no other', async () => {
    expect(await checked(200)).toBe(0);
    expect(await checked(503)).toBe(1);
    expect(await checked()).toBe(1);
  });
});

describe('.dockerignore', () => {
  const lines = readRoot('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  it('lets in what the Dockerfile copies, and nothing else', () => {
    const copied = stages.flatMap(copiesOf).flatMap(({ from, what }) => (from === undefined ? what : []));
    expect(lines[0]).toBe('*');
    expect(lines.slice(1).sort()).toEqual([...new Set(copied)].map((path) => `!${path}`).sort());
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
