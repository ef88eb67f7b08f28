import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { importsOf, type Source, sources } from '../helpers/house.ts';

const product = sources('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
const modules = [...product, ...sources('commands')];
const paths = (list: readonly Source[]): string[] => list.map(({ path }) => path);
const imports = (source: Source, module: string): boolean => importsOf(source).some(({ target }) => target === module);
const isOf =
  (folder: string) =>
  ({ path }: Source): boolean =>
    path.startsWith(`${folder}/`);

describe('a card', () => {
  it('is edited in one file', () => {
    const editing = modules.filter(({ text }) => /\bmessages\s*\.edit\(/.test(text));
    // What is pinned is no card, and has a port of its own. What is in a terminal is shown there, and the rest passed on.
    expect(paths(editing)).toEqual(['src/cards/editor.ts', 'src/handover/pin.ts', 'src/terminal/screen.ts']);
    expect(paths(editing.filter((source) => imports(source, 'src/cards/messages.ts')))).toEqual([
      'src/cards/editor.ts',
      'src/terminal/screen.ts',
    ]);
  });

  it('reaches its port by no other name', () => {
    const users = modules.filter((source) => imports(source, 'src/cards/messages.ts'));
    expect(users.length).toBeGreaterThan(3);
    expect(
      paths(users.filter(({ text }) => /\.edit\(|\{[^{}]*\bedit\b[^{}]*\}\s*[:=]\s*(?:\w+\.)*messages\b/.test(text))),
    ).toEqual(['src/cards/editor.ts', 'src/terminal/screen.ts']);
  });

  it('of a run is made in src/cards/render', () => {
    const rendering = product.filter(isOf('src/cards/render'));
    const makers = rendering.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:const|function) (\w+)\b[^\n]*\): (?:Card\b)/gm)].map(([, name = '']) => name),
    );
    expect(makers).toEqual(expect.arrayContaining(['render', 'endedCard', 'questionCard', 'workingCard', 'note']));
    // A note is of no run.
    const ofRuns = makers.filter((name) => name !== 'note');
    const calls = modules.filter(
      (source) =>
        !isOf('src/cards/render')(source) &&
        importsOf(source).some(({ target }) => target.startsWith('src/cards/render/')) &&
        ofRuns.some((name) => new RegExp(`\\b${name}\\(`).test(source.text)),
    );
    expect(paths(calls)).toEqual(['src/app/cards.ts', 'src/cards/draw.ts']);
  });

  it('says that it asks, is under way or reminds only there', () => {
    const states = /\bstate: '(?:question|working|reminder)'/;
    const saying = modules.filter(({ text }) => states.test(text));
    expect(saying.length).toBeGreaterThan(1);
    expect(paths(saying.filter((source) => !isOf('src/cards/render')(source)))).toEqual([]);
  });
});

/** The code, without what is said about it, and without properties that are asked for: `'hold' in pass` is no command. */
const code = ({ path, text }: Source): Source => ({
  path,
  text: text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|'\w+' in /gm, ''),
});

describe('a command', () => {
  it('is named by its id in commands/ alone', () => {
    const ids: readonly string[] = commands.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['firewall.flush', 'handover']));
    const named = product
      .map(code)
      .flatMap(({ path, text }) =>
        ids
          .filter((id) => [`'${id}'`, `"${id}"`, `\`${id}\``].some((quoted) => text.includes(quoted)))
          .map((id) => `${path}: ${id}`),
      );
    expect(named).toEqual([]);
  });

  it('is there, wherever people are told to type it', () => {
    const ids: readonly string[] = commands.map(({ id }) => id);
    const isGroup = (word: string): boolean => ids.some((id) => id.startsWith(`${word}.`));
    const told = modules.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w./:-])\/([a-z0-9-]+) ([a-z-]+)/g)].flatMap(([, group = '', word]) =>
        isGroup(group) ? [{ path, id: `${group}.${word}` }] : [],
      ),
    );
    expect(told.length).toBeGreaterThan(40);
    expect(told.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });
});
