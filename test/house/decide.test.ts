import { expect, it } from 'vitest';
import { importsOf, sources } from '../helpers/house.ts';

const modules = new Map([...sources('commands'), ...sources('src')].map((source) => [source.path, source]));
const decisions = [...modules.values()].filter(({ path }) => path.startsWith('src/decide/'));

/** Every module and package that is loaded with a module. */
function loadedWith(path: string, loaded = new Set<string>()): Set<string> {
  const source = modules.get(path);
  for (const { target, values } of source === undefined ? [] : importsOf(source)) {
    if (!values || loaded.has(target)) continue;
    loaded.add(target);
    loadedWith(target, loaded);
  }
  return loaded;
}

it('A decision does nothing: it has nothing to read or write with, no clock, and waits for nothing', () => {
  expect(decisions.length).toBeGreaterThan(20);
  const packages = decisions.flatMap(({ path }) => [...loadedWith(path)].filter((each) => !modules.has(each)));
  // A schema says what an entry is.
  expect([...new Set(packages)]).toEqual(['zod']);
  const waits = /\b(?:await|async|Promise|setTimeout|Date\.now|new Date\(\)|performance|Math\.random)\b/;
  expect(decisions.filter(({ text }) => waits.test(text)).map(({ path }) => path)).toEqual([]);
});
