import { describe, expect, it } from 'vitest';
import { type Source, sources } from '../helpers/house.ts';

const files = [...sources('src'), ...sources('commands'), ...sources('test'), ...sources('bench')];
// This file has to say what it looks for.
const spoken = files.filter(({ path }) => path !== 'test/house/text.test.ts');
const tests = spoken.filter(({ path }) => path.startsWith('test/'));

/** The places that fit, as "path:line: text". */
function found(where: readonly Source[], form: RegExp, but: (line: string, before: string) => boolean = () => false) {
  return where.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, i) =>
      form.test(line) && !but(line, lines[i - 1] ?? '') ? [`${path}:${i + 1}: ${line.trim()}`] : [],
    );
  });
}

/** Literal strings taken out, so that only code is left. */
const withoutStrings = ({ path, text }: Source): Source => ({
  path,
  text: text.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`/g, "''"),
});

describe('a file', () => {
  it('is there to be looked at', () => {
    expect(files.length).toBeGreaterThan(150);
  });

  it('has at most 300 lines', () => {
    const long = files
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  it('is named in small letters with hyphens', () => {
    const named =
      /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:property\.)?(?:test|config)|\.d)?\.(?:ts|mjs)$/;
    expect(files.map(({ path }) => path).filter((path) => !named.test(path))).toEqual([]);
  });

  it('is no catch-all such as utils or misc', () => {
    const drawer = /(?:^|[/-])(?:utils?|helpers?|manager|service|misc|common)(?:[.-]|$)/;
    expect(files.map(({ path }) => path).filter((path) => drawer.test(path))).toEqual([]);
  });
});

describe('the code', () => {
  it('uses no any', () => {
    const open = /(?:[:<,|&(]|\bas)\s*any\b\s*(?:[;,)>=[\]|&{]|$)/;
    expect(found(spoken.map(withoutStrings), open)).toEqual([]);
  });

  it('gives each cast a reason', () => {
    const comment = /^\s*(?:\/\/|\/?\*)/;
    const explained = (line: string, before: string): boolean =>
      line.includes('//') || comment.test(line) || comment.test(before);
    expect(found(spoken, /\bas unknown as\b/, explained)).toEqual([]);
  });

  it('silences neither compiler nor linter', () => {
    expect(found(spoken, /@ts-(?:ignore|nocheck|expect-error)|biome-ignore|eslint-disable/)).toEqual([]);
  });

  it('leaves no TODO', () => {
    expect(found(spoken, /\b(?:TODO|FIXME|XXX|HACK)\b|\bfor now\b/)).toEqual([]);
  });

  it('writes to the console nowhere: the log is handed in', () => {
    expect(
      found(
        spoken.filter(({ path }) => !path.startsWith('test/')),
        /\bconsole\.\w+\(/,
      ),
    ).toEqual([]);
  });

  it('listens on loopback alone, except for health, where HTTP_HOST says so', () => {
    expect(
      found(
        spoken.filter(({ path }) => path.startsWith('src/') && path !== 'src/health/index.ts'),
        /['"`](?:0\.0\.0\.0|::)['"`]/,
      ),
    ).toEqual([]);
  });
});

describe('a test', () => {
  it('mocks no module', () => {
    expect(found(tests, /\bvi\.(?:mock|doMock|stubGlobal|hoisted)\(/)).toEqual([]);
  });

  it('waits for something, and never sleeps', () => {
    expect(found(tests, /\bsetTimeout\(\s*(?:resolve|done|r)\b|node:timers\/promises|\bsleep\(/)).toEqual([]);
  });

  it('is neither skipped nor exclusive', () => {
    const left = /\b(?:it|test|describe)\.(?:only|skip|todo|fails)\b/;
    expect(found(tests, left)).toEqual([]);
  });
});
