/** A panel that only answers: what the bench asks of it, as fast as node:http can. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FromPanel } from '../protocol.ts';

const say = (message: FromPanel): void => void process.send?.(message);
let queueId = 0;

const rules = [
  { direction: 'in', protocol: 'tcp', ports: '22', source: '192.0.2.0/24', action: 'accept' },
  { direction: 'in', protocol: 'tcp', ports: '443', source: '0.0.0.0/0', action: 'accept' },
];
const firewall = JSON.stringify({ data: { enabled: true, rules } });

function answerTo(method: string, path: string): string {
  if (path.includes('/backupManager/jobs/')) return '{"data":{"status":"running","progress":5}}';
  if (method === 'GET') return path.includes('/firewall/') ? firewall : '{}';
  queueId += 1;
  return `{"data":{"queueId":${queueId}}}`;
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const body = answerTo(request.method ?? '', request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', 4_096, () => {
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  say({ ready: { url: `http://127.0.0.1:${port}/api/v1` } });
});
process.once('disconnect', () => process.exit(0));
