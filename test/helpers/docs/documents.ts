import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { readRoot, root } from '../house.ts';

export interface Document {
  /** From the root, with slashes: docs/policy.md. */
  path: string;
  text: string;
}

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))
  .sort();

/** All documents, README.md first. */
export const documents: readonly Document[] = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...inDocs].map(
  (path) => ({ path, text: readRoot(path) }),
);

/** A block between fences, with the word behind the first fence. */
export interface Block {
  language: string;
  text: string;
}

const fenced = /^[ \t]*```(\w*)\n([\s\S]*?)^[ \t]*```$/gm;

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(fenced)].map(([, language = '', block = '']) => ({ language, text: block }));

/** Without what stands between fences, so that only what people wrote for people is left. */
export const proseOf = (text: string): string => text.replace(fenced, '');

/** The inline code of a text. */
export const codeIn = (text: string): string[] =>
  [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside);

/** The rows of all tables, as trimmed cells, without the lines below the heads. */
export const rowsOf = (text: string): string[][] =>
  proseOf(text)
    .split('\n')
    .filter((line) => /^\|(?![ -]*-{3})/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Where the links and pictures of a document lead. */
export const targetsOf = ({ text }: Document): string[] => [
  ...[...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
  ...[...proseOf(text).matchAll(/\bsrc="([^"]+)"/g)].map(([, target = '']) => target),
];

/** Why a link leads nowhere; undefined when it does. What is outside of the repository is not looked at. */
export function brokenness({ path, text }: Document, target: string): string | undefined {
  if (/^https?:/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const there = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, there))) return `${there} is not there`;
  if (anchor === undefined) return undefined;
  const anchors = anchorsIn(file === '' ? text : readRoot(there));
  return anchors.includes(anchor) ? undefined : `${there} has no heading #${anchor}`;
}

/** The document of that path. */
export function documentOf(path: string): Document {
  const found = documents.find((each) => each.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
}

/** What stands below a heading, to the next of its level. */
export function sectionOf(path: string, heading: string): string {
  const { text } = documentOf(path);
  const start = text.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`${path} has no ${heading}`);
  const rest = text.slice(start + heading.length + 2);
  const level = heading.split(' ', 1).join();
  const end = rest.search(new RegExp(`^${level} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}
