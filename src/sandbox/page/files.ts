import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { SandboxDiscord } from '../discord/index.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Types that a browser shows without executing anything. */
const PICTURES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'];

/** Serves the built page, read once from its folder. Throws if it is not built. */
export function addBundle(app: FastifyInstance, folder: string): void {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`${join(folder, 'index.html')} is missing: run "npm run build" first`);
  }
  for (const path of pathsIn(folder)) {
    const bytes = readFileSync(join(folder, path));
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    // Names in assets/ contain a hash of their content.
    const cache = path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-store';
    app.get(path === 'index.html' ? '/' : `/${path}`, (_request, reply) =>
      reply.type(type).header('cache-control', cache).send(bytes),
    );
  }
}

const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(folder, path)).isFile());

/** Serves the files of messages: pictures inline, everything else as a download. */
export function addAttachments(app: FastifyInstance, discord: SandboxDiscord): void {
  app.get<{ Params: { file: string } }>('/attachments/:channel/:file/:name', (request, reply) => {
    const file = discord.file(request.params.file);
    if (!file) return reply.code(404).send({ problem: 'This file is gone.' });
    const isPicture = PICTURES.includes(file.type);
    return reply
      .type(isPicture ? file.type : 'application/octet-stream')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header(
        'content-disposition',
        `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      )
      .send(Buffer.from(file.bytes));
  });
}
