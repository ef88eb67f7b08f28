import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, root, sources } from '../helpers/house.ts';

const files = sources('test').filter(({ path }) => !path.startsWith('test/fixtures/'));
const isBelow = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`test/${folder}/`));
const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
const mirrors = tests.filter(({ path }) => !isBelow(path, 'conversations', 'smoke', 'system'));
const parts = 'audit chart check cli deploy discord follow-ups ledger on-call panel redis sandbox trail'.split(' ');
const units = mirrors.filter(({ path }) => !isBelow(path, ...parts));

describe('the folder of the tests', () => {
  it('keeps what tests share apart from them', () => {
    const other = files.filter(({ path }) => !isBelow(path, 'helpers', 'soak', 'docs') && !path.endsWith('.test.ts'));
    expect(other.map(({ path }) => path)).toEqual([
      // Of the runner: what it says after a run, and what each worker loads first.
      ...['test/durations.ts', 'test/left-out.ts'],
      // The contract itself, to which client, sandbox and tests are held.
      'test/panel/contract.ts',
      'test/setup.ts',
    ]);
    expect(tests.filter(({ path }) => isBelow(path, 'helpers', 'soak'))).toEqual([]);
  });

  it('mirrors the source', () => {
    const mirrored = mirrors.map(({ path }) => dirname(path)).filter((path) => !isBelow(`${path}/`, 'house', 'docs'));
    const sourceOf = (path: string): string[] => [path.replace('test', 'src'), path.replace('test/', '')];
    expect(mirrored.filter((path) => !sourceOf(path).some((folder) => existsSync(join(root, folder))))).toEqual([]);
  });

  it('sorts what a machine does to the bot by its kind', () => {
    const kinds = /^test\/system\/(?:attack|browser|crash|load|outage|process|race|watch)\/[^/]+$/;
    const system = tests.filter(({ path }) => isBelow(path, 'system'));
    expect(system.map(({ path }) => path).filter((path) => !kinds.test(path))).toEqual([]);
  });

  it('judges units without the bot and without anything compiled', () => {
    const whole = ['world', 'stage', 'redis/shared'].map((name) => `test/helpers/${name}.ts`);
    const asked = units.filter(
      (unit) =>
        importsOf(unit).some(({ target, values }) => values && whole.includes(target)) || /\/dist\//.test(unit.text),
    );
    // Those name what is compiled, and do not run it.
    expect(asked.map(({ path }) => path).filter((path) => !isBelow(path, 'docs', 'house'))).toEqual([]);
  });
});
