import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Bundles the page into dist/page: all from its own origin, nothing inline. */
export default defineConfig({
  root: path('.'),
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  // The components import Lit's `styleMap`, which violates the page's content security policy.
  resolve: { alias: { 'lit/directives/style-map.js': path('./style-map.ts') } },
  build: {
    outDir: path('../../../../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
