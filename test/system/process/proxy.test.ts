import { writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCertificate } from '../../../src/sandbox/panel/certificate.ts';
import { answerOf } from '../../helpers/follow-ups/story.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { until } from '../../helpers/messages.ts';
import { startProxy } from '../../helpers/panel/proxy.ts';
import { startBot } from '../../helpers/stage.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';
import { listening } from '../../helpers/tcp.ts';

const names = ['discord.example.com', 'gateway.discord.gg', 'panel.example.com', 'traces.example.com'];
const certificate = createCertificate('a private CA', undefined, names);

/** The hosts that the bot asks for, with TLS, in front of the sandbox, whose gateway has a name there, too. */
async function frontOf({ discord, panel }: Surroundings): Promise<() => number> {
  const gateway = Number(new URL(discord.apiUrl).port);
  const front = createServer(certificate, (request, answer) => {
    const { method, url: path, headers } = request;
    if (headers.host === 'traces.example.com') return void answer.writeHead(200).end('{}');
    const port = headers.host === 'panel.example.com' ? Number(new URL(panel.url).port) : gateway;
    // The sandbox serves its own address alone.
    const own = { ...headers, host: `127.0.0.1:${port}` };
    const onwards = ask({ port, method, path, headers: own }, async (came) => {
      const chunks: Buffer[] = [];
      for await (const chunk of came) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString().replaceAll(`ws://127.0.0.1:${gateway}`, 'wss://gateway.discord.gg');
      answer
        .writeHead(came.statusCode ?? 500, { ...came.headers, 'content-length': Buffer.byteLength(text) })
        .end(text);
    });
    return void request.pipe(onwards);
  });
  front.on('upgrade', ({ url, headers }, socket) => {
    const onwards = connect(gateway, '127.0.0.1');
    const lines = Object.entries({ ...headers, host: `127.0.0.1:${gateway}` }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    onwards.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onwards.on('error', () => socket.destroy());
    socket.on('error', () => onwards.destroy());
    socket.pipe(onwards).pipe(socket);
  });
  const port = await listening(front);
  return () => port;
}

it('A bot that reaches nothing but its proxy serves: Discord, the gateway, the panel and traces go through it', async () => {
  const around = await surroundings();
  const proxy = await startProxy(await frontOf(around));
  const dir = folder();
  const ca = join(dir, 'ca.pem');
  writeFileSync(ca, certificate.ca);
  const bot = await startBot(around, {
    dir,
    env: {
      DISCORD_API_URL: 'https://discord.example.com/api',
      PANEL_URL: 'https://panel.example.com',
      PANEL_CA_FILE: ca,
      NODE_EXTRA_CA_CERTS: ca,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
      HTTPS_PROXY: proxy.url,
    },
  });
  expect(await answerOf(around, 'alice', '/power boot server:web-1')).toContain('/power boot');
  expect(await answerOf(around, 'alice', '/hypervisors resources group:1')).toContain('📎');
  await until(() => proxy.asked.includes('traces.example.com:443'), 'traces');
  expect([...new Set(proxy.asked)].sort()).toEqual(names.map((name) => `${name}:443`));
  expect(bot.stderr()).toContain('a proxy is in use');
  expect(bot.stderr()).not.toContain('proxy-canary');
});
