import { expect, it } from 'vitest';
import { importsOf, sources } from '../helpers/house.ts';

it('No modules import each other in a circle, not even for types', () => {
  const edges = new Map(
    [...sources('commands'), ...sources('src')].map((source) => [
      source.path,
      importsOf(source).map(({ target }) => target),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (way.includes(path) || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  expect(circles).toEqual([]);
});
