import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The page as a bundle in dist/page: everything from its own origin, nothing inline, so that the strictest policy holds. */
export default defineConfig({
  root: path('.'),
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  // The drawn parts take it from Lit, whose own does not keep to the page's policy.
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
