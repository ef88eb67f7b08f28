import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Goes up: compiled for the soak, this file is one folder deeper. */
const rootFrom = (dir: string): string => (existsSync(join(dir, 'package.json')) ? dir : rootFrom(dirname(dir)));

/** The folder of the project. */
export const root = rootFrom(dirname(fileURLToPath(import.meta.url)));

export interface Source {
  /** From the root, with slashes: src/panel/url.ts. */
  path: string;
  text: string;
}

/** A file at the root. */
export const readRoot = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The sources below a folder, in a fixed order. */
export const sources = (folder: string): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(ts|mjs)$/.test(path))
    .sort()
    .map((path) => ({ path, text: readRoot(path) }));

export interface Import {
  /** The package's name; with its folder for a module of ours: src/panel/url.ts. */
  target: string;
  /** Whether something is there at run time: not so for `import type` and where every name has `type` before it. */
  values: boolean;
  /** Loaded when it is asked for: `await import(…)`, or read from a package. */
  isLazy: boolean;
}

const declaration = /^(?:import|export)\s+(?:(type\s)?([\w\s{},*$]*?)\s*from\s*)?'([^']+)'/gm;
/** A file that is looked up in a package, to be read. */
const looked = /\bresolve\(\s*['`](@?[a-z][^'`$]*\/)/g;
const dynamic = /\bimport\(\s*'([^']+)'/g;

/** What a module imports, exports again, and reads from packages. */
export function importsOf({ path, text }: Source): Import[] {
  const declared = [...text.matchAll(declaration)].map(([, type, names = '', from = '']) => ({
    target: targetOf(path, from),
    values: type === undefined && !isTypesOnly(names),
    isLazy: false,
  }));
  const asked = [...text.matchAll(dynamic), ...text.matchAll(looked)].map(([, from = '']) => ({
    target: targetOf(path, from),
    values: true,
    isLazy: true,
  }));
  return [...declared, ...asked];
}

function isTypesOnly(names: string): boolean {
  const [, inside] = /^\{([\s\S]*)\}$/.exec(names.trim()) ?? [];
  const each = (inside ?? '').split(',').map((name) => name.trim());
  return inside !== undefined && each.every((name) => name === '' || name.startsWith('type '));
}

function targetOf(path: string, from: string): string {
  if (from.startsWith('.')) return relative(root, join(root, dirname(path), from));
  return from.startsWith('node:')
    ? 'node'
    : from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/');
}
