import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Closing, folder } from './processes.ts';

/** A redis-server that has everything on disk before it answers; undefined where there is none. */
export async function startRedis(closing: Closing): Promise<string | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const dir = folder(closing);
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', dir, appendonly: 'yes', appendfsync: 'always' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', [...args, '--save', ''], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(async () => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('Ready to accept connections') && resolve());
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
  });
  return `redis://127.0.0.1:${port}`;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // The address of a TCP server is an object.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
