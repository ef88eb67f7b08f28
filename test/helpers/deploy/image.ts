import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readRoot, root } from '../house.ts';
import { commandIn, copiesOf, environmentOf, lastStage, onlyOf } from './dockerfile.ts';

/** What deploy/Dockerfile makes, in a folder that stands for the root. */
export interface Image {
  /** Where a path of the image is on this machine. */
  at(path: string): string;
  entrypoint: string[];
  env: Record<string, string>;
  workdir: string;
  uid: number;
}

/**
 * Lays out what the last stage copies, and nothing else, read-only; gone with the test. Without an engine no RUN is carried
 * out. `before`: what to do to it while it can still be written to.
 */
export function layOutImage(before: (workdir: string) => void = () => undefined): Image {
  const top = mkdtempSync(join(tmpdir(), 'panelops-image-'));
  onTestFinished(() => {
    setWritable(top, true);
    rmSync(top, { recursive: true, force: true });
  });
  // Other users must get in.
  chmodSync(top, 0o755);
  const stage = lastStage();
  const workdir = onlyOf(stage, 'WORKDIR');
  const at = (path: string): string => (path.startsWith('/') ? join(top, path) : path);
  mkdirSync(at(workdir), { recursive: true });
  for (const { from, what, to } of copiesOf(stage)) {
    const target = join(at(workdir), to);
    if (from === 'dependencies') copyProduction(target);
    else for (const each of what) copyInto(join(root, each.replace(/^\/build\//, '')), target, to.endsWith('/'));
  }
  before(at(workdir));
  setWritable(at(workdir), false);
  return {
    at,
    entrypoint: commandIn(onlyOf(stage, 'ENTRYPOINT')).map(at),
    env: environmentOf(stage),
    workdir: at(workdir),
    uid: Number(onlyOf(stage, 'USER').split(':')[0]),
  };
}

const copyInto = (source: string, target: string, isFolder: boolean): void =>
  copy(source, isFolder ? join(target, basename(source)) : target);

/** Links files, which is much faster than copying them, where both are on one disk. So nothing may write to them. */
function copy(source: string, target: string, isLeftOut: (name: string) => boolean = () => false): void {
  if (statSync(source).isDirectory()) {
    mkdirSync(target, { recursive: true });
    const names = readdirSync(source).filter((name) => !isLeftOut(name));
    for (const name of names) copy(join(source, name), join(target, name), isLeftOut);
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

/** The packages that `npm ci --omit=dev` installs, from what is installed here. */
function copyProduction(target: string): void {
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readRoot('package-lock.json'),
  );
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const source = join(root, path);
    // The project itself has no path, and builds for other platforms are not here.
    if (
      path === '' ||
      dev === true ||
      devOptional === true ||
      statSync(source, { throwIfNoEntry: false }) === undefined
    )
      continue;
    copy(source, join(target, path.slice('node_modules/'.length)), (name) => name === 'node_modules');
  }
}

/** Folders alone: the files may be links to those that are in use, and belong to another user than the bot's. */
function setWritable(path: string, isWritable: boolean): void {
  chmodSync(path, isWritable ? 0o755 : 0o555);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) setWritable(join(path, entry.name), isWritable);
}
