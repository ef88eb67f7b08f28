import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checks } from '../../src/check/list.ts';
import { variables } from '../../src/config/variables.ts';
import { readPolicy } from '../../src/policy/load.ts';
import { policyFile } from '../../src/policy/schema.ts';
import { reasons } from '../../src/reasons.ts';
import { defaultLimits } from '../../src/shell/limits.ts';
import { blocksOf, codeIn, documentOf, documents, rowsOf, sectionOf } from '../helpers/docs/documents.ts';
import { readRoot, sources } from '../helpers/house.ts';
import { known } from '../helpers/policy/known.ts';
import { commandsPage } from './commands.ts';

const ticked = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside);
const firstCells = (text: string): string[] => rowsOf(text).flatMap(([cell]) => ticked(cell));

describe('variables of the environment', () => {
  const names = variables.map(({ name }): string => name);

  it('stand in the table of docs/install.md, each once', () => {
    const section = sectionOf('docs/install.md', '## 5. Set the environment');
    expect(firstCells(section).sort()).toEqual([...names].sort());
  });

  it('are variables that the program reads, wherever they are named', () => {
    const others = [
      'PANELOPS_',
      'DISCORD_',
      'PANEL_',
      'OTEL_',
      'OTEL_METRIC_EXPORT_INTERVAL',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'UPDATE_GOLDEN',
      'PICTURES',
    ];
    const named = documents.flatMap(({ path, text }) =>
      codeIn(text).flatMap((code) => {
        const [name = ''] = /^[A-Z][A-Z_]{3,}(?==|$)/.exec(code) ?? [];
        return name === '' ? [] : [{ path, name }];
      }),
    );
    expect(named.length).toBeGreaterThan(20);
    // The words of cards, which are in capitals as well, have no underscore.
    const strange = named.filter(({ name }) => name.includes('_') && ![...names, ...others].includes(name));
    // An application's id stands in the place of this one.
    expect(strange.filter(({ name }) => name !== 'APPLICATION_ID')).toEqual([]);
  });
});

/** The keys that a JSON schema has anywhere. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]): string[] =>
    name === 'properties' ? [...Object.keys(part), ...Object.values(part).flatMap(keysOf)] : keysOf(part),
  );
}

describe('docs/policy.md', () => {
  const { text } = documentOf('docs/policy.md');
  const examples = blocksOf(text).filter(({ language }) => language === 'yaml');
  const topKeys = Object.keys(policyFile.shape);

  it('has a section and an example for each key at the top', () => {
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(topKeys);
    expect(examples.flatMap((example) => Object.keys(parse(example.text)))).toEqual(topKeys);
  });

  it('names every key that the schema knows, in an example and in words', () => {
    const keys = new Set(keysOf(z.toJSONSchema(policyFile, { io: 'input' })));
    expect(keys.size).toBeGreaterThan(30);
    const shown = examples.map((example) => example.text).join('\n');
    expect([...keys].filter((key) => !new RegExp(`(?<![\\w-])${key}:`).test(shown))).toEqual([]);
    expect([...keys].filter((key) => !codeIn(text).some((code) => code.includes(key)))).toEqual([]);
  });

  it('shows a policy that loads, put together', () => {
    const whole = examples.map((example) => example.text).join('\n');
    expect(readPolicy(whole, known)).toHaveProperty('policy');
  });
});

describe('exit codes', () => {
  const codes = (text: string): number[] =>
    rowsOf(text).flatMap(([cell]) => (/^\d+$/.test(cell ?? '') ? [Number(cell)] : []));

  it('are all in the table of docs/operations.md', () => {
    const main = readRoot('src/cli/host.ts');
    const [, list = ''] = /exitCodes = \{([^}]*)\}/.exec(main) ?? [];
    const used = [...list.matchAll(/\d+/g)].map(([code]) => Number(code));
    expect(codes(sectionOf('docs/operations.md', '### Exit codes'))).toEqual([0, ...used].sort((a, b) => a - b));
  });
});

describe('the lines of panelops check', () => {
  it('are all in the table of docs/operations.md, in their order', () => {
    const table = rowsOf(sectionOf('docs/operations.md', '## Check'));
    expect(table.map(([line]) => line).slice(1)).toEqual(checks.map(({ title }) => title));
  });
});

describe('the limits for each person', () => {
  it('are in docs/operations.md as the bot has them', () => {
    const { acting, typing, questions, denials } = defaultLimits;
    const table = rowsOf(sectionOf('docs/operations.md', '## Limits for each person'));
    expect(table.map(([, most]) => most).slice(1)).toEqual([
      `${acting.atOnce} at once, then ${acting.perSecond} a second`,
      `${typing.atOnce} at once, then ${typing.perSecond} a second`,
      `${/your (\d+) reads of this minute/.exec(reasons['read-limit'].why)?.[1]} a minute`,
      `${/at most (\d+) times a minute/.exec(reasons['look-limit'].why)?.[1]} a minute`,
      `${questions}`,
      `${denials.alone} in ${denials.window / 60_000} minutes; ${denials.alone} with buttons`,
    ]);
  });
});

describe('the faults of the sandbox', () => {
  it('are all in the table of docs/sandbox.md', () => {
    const kinds = /const kinds = \[([^\]]*)\]/.exec(readRoot('src/sandbox/panel/faults.ts'))?.[1] ?? '';
    const known = [...kinds.matchAll(/'([^']+)'/g)].map(([, kind]) => kind);
    expect(known.length).toBeGreaterThan(10);
    // The sandbox speaks TLS in tests only.
    const ordered = known.filter((kind) => kind !== 'wrong-certificate');
    expect(firstCells(sectionOf('docs/sandbox.md', '## Order a fault')).sort()).toEqual(ordered.sort());
  });
});

describe('the first words of cards', () => {
  it('are all in the table of docs/using.md', () => {
    const table = rowsOf(sectionOf('docs/using.md', '## What a card says'));
    const words = table.slice(1).flatMap(([cell = '']) => cell.split(', '));
    // As src/outcome.ts and src/card.ts have them; a follow-up that was stopped says ACCEPTED.
    expect(words.sort()).toEqual([
      'ACCEPTED',
      'ALERT',
      'BLOCKED',
      'CANCELLED',
      'DENIED',
      'DID NOT HAPPEN',
      'EXPIRED',
      'FAILED',
      'FINISHED',
      'HAPPENED',
      'INVALID',
      'NOT-SENT',
      'QUESTION',
      'REJECTED',
      'REMINDER',
      'SUCCEEDED',
      'UNAVAILABLE',
      'UNKNOWN',
      'WORKING',
    ]);
  });
});

describe('docs/architecture.md', () => {
  it('has each folder and each file at the top of src on its map', () => {
    const map = blocksOf(sectionOf('docs/architecture.md', '## The map'))[0]?.text ?? '';
    const there = new Set(sources('src').map(({ path }) => path.split('/').slice(1, 2).join()));
    const missing = [...there].filter((name) => !map.includes(/\.(ts|mjs)$/.test(name) ? name : `${name}/`));
    expect(missing).toEqual([]);
  });

  it('names on its map what is there', () => {
    const map = blocksOf(sectionOf('docs/architecture.md', '## The map'))[0]?.text ?? '';
    const all = [...sources('src'), ...sources('commands')].map(({ path }) => path);
    const named = [...map.matchAll(/[\w-]+\.ts\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !all.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
  });
});

describe('words of the bot that the documents quote', () => {
  const product = [...sources('src'), ...sources('commands')].map(({ text }) => text).join('\n');
  const said = documents.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n');

  it.each([
    'Add to incident timeline',
    'Apply now',
    'Ask again',
    'Finished',
    'It happened',
    'Say what happened',
    'Undo',
    'denied again',
    'stored, not applied',
  ])('%s', (words) => {
    expect(said).toContain(words);
    expect(product).toContain(words);
  });
});

it('The page of commands is what `npm run docs` writes', () => {
  const isSame = readRoot('docs/commands.md') === commandsPage();
  expect(isSame ? 'up to date' : 'it is out of date: run npm run docs, and look at what it changes').toBe('up to date');
});
