import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allOf, buildStages, commandIn, copiesOf, lastStage, onlyOf } from '../helpers/deploy/dockerfile.ts';
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

  it('starts node itself, so that signals reach the bot (DL3025)', () => {
    expect(commandIn(onlyOf(last, 'ENTRYPOINT'))).toEqual(['node', '/opt/panelops/dist/src/main.js']);
    expect(commandIn(onlyOf(last, 'HEALTHCHECK')).slice(0, 2)).toEqual(['node', '-e']);
    expect(allOf(last, 'CMD')).toEqual([]);
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
