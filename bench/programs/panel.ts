/** A panel that only answers: what the bench asks of it, as fast as node:http can. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FromPanel, silentServer } from '../protocol.ts';

const say = (message: FromPanel): void => void process.send?.(message);
let queueId = 0;

const rules = [
  { direction: 'in', protocol: 'tcp', ports: '22', source: '192.0.2.0/24', action: 'accept' },
  { direction: 'in', protocol: 'tcp', ports: '443', source: '0.0.0.0/0', action: 'accept' },
];
const firewall = JSON.stringify({ data: { enabled: true, rules } });

/** How often the list of servers was read. Each time others of them, one in a thousand, have another name. */
let walks = 0;

/** A page of the list of servers, in the panel's envelope; the query says how many there are. */
function pageOf(query: URLSearchParams): string {
  const [total, size, page] = [Number(query.get('servers')), Number(query.get('results')), Number(query.get('page'))];
  if (page === 1) walks += 1;
  const from = (page - 1) * size;
  const data = Array.from({ length: Math.min(size, total - from) }, (_, at) => {
    const id = from + at + 1;
    const name = id % 1_000 === walks % 1_000 ? `s-${id}-new` : `s-${id}`;
    const uuid = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    return { id, uuid, name, hypervisorId: 1, suspended: false, protected: false };
  });
  return listOf(data, total, Math.ceil(total / size));
}

const listOf = (data: readonly object[], total = data.length, lastPage = 1): string =>
  JSON.stringify({ data, last_page: lastPage, total });

function answerTo(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  if (pathname.endsWith('/servers')) return pageOf(searchParams);
  if (pathname.endsWith('/groups')) return listOf([{ id: 1 }]);
  if (pathname.endsWith('/resources')) return listOf([{ hypervisor: { id: 1 } }]);
  if (path.includes('/backupManager/jobs/')) return '{"data":{"status":"running","progress":5}}';
  if (method === 'GET') return path.includes('/firewall/') ? firewall : '{}';
  queueId += 1;
  return `{"data":{"queueId":${queueId}}}`;
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST' && request.url?.includes(`/servers/${silentServer}/`)) return;
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
