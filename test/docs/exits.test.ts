import { expect, it } from 'vitest';
import { RedisUnfit } from '../../src/app/redis.ts';
import { NoLedger, readLedger } from '../../src/audit/place.ts';
import { describeProblems } from '../../src/config.ts';
import { folderProblem } from '../../src/ledger/kept-out.ts';
import {
  Deposed,
  LedgerDamaged,
  LedgerLocked,
  LedgerMissing,
  LedgerTaken,
  LedgerUnsafe,
  NotAFile,
  Outdated,
} from '../../src/ledger/ledger.ts';
import { FolderUnfit } from '../../src/ledger/try-folder.ts';
import { SandboxUnreadable } from '../../src/sandbox/unreadable.ts';
import { rowsOf, sectionOf } from '../helpers/docs/documents.ts';
import { readRoot, sources } from '../helpers/house.ts';
import { folder } from '../helpers/ledger/samples.ts';

const unfit = { code: 'EPERM', path: '/data', what: 'create a file' };

/** Each error with which a start is refused, by its class, as it may read. */
const refusals: Readonly<Record<string, Error>> = {
  LedgerLocked: new LedgerLocked('/data', 'process 7'),
  LedgerDamaged: new LedgerDamaged('/data/ledger.jsonl', 3, 'entry 3 was changed'),
  LedgerMissing: new LedgerMissing('DATA_DIR', '13', 7),
  LedgerUnsafe: new LedgerUnsafe('appendonly is no', 'Set it.'),
  NotAFile: new NotAFile('/data/ledger.jsonl', 'a folder'),
  FolderUnfit: new FolderUnfit(unfit),
  Outdated: new Outdated('0.1.0', '0.2.0'),
  RedisUnfit: new RedisUnfit({ state: 'wrong', problem: 'The ledger is not safe in this Redis: x', remedy: 'Set it.' }),
};

/** What is handed to fail() and is no text of its own. */
const handed: Readonly<Record<string, readonly string[]>> = {
  describeProblems: [describeProblems([{ what: 'A', rule: 'B', where: 'C' }])],
  folderProblem: [folderProblem(unfit), folderProblem({ code: 'EACCES', path: '/data' })],
  // Of the errors above, of setup, which says what to do, and of the sandbox.
  'error.message': [
    new LedgerDamaged('/data/ledger.jsonl', 3, 'entry 3 is missing').message,
    new SandboxUnreadable('/data', 'this folder holds a ledger, and the sandbox does not touch it').message,
  ],
  // Of the port, and of a folder or a lead that another process took.
  problem: [
    ...['HTTP', 'ALERTS'].flatMap((of) =>
      texts(readRoot('src/cli/watch.ts'), /`\$\{of\}(_[^`]+)`/g).map((text) => `${of}${text}`),
    ),
    new LedgerTaken('/data').message,
    new LedgerTaken('/data', 'process 7').message,
    new Deposed().message,
  ],
};

function texts(source: string, form: RegExp): string[] {
  return [...source.matchAll(form)].map(([, ...found]) => found.find((each) => each !== undefined) ?? '');
}

/** What is put into a text at run time becomes a word. */
const filled = (text: string): string => text.replace(/\$\{[^}]*\}/g, 'X');

const cli = sources('src/cli').filter(({ path }) => !path.endsWith('/host.ts'));
const calls = cli.flatMap(({ text }) =>
  texts(text, /\b(?:fail|new Stop)\(\s*('[^']*'|"[^"]*"|`(?:[^`$]|\$\{[^}]*\})*`|[\w.]+)/g),
);
const isText = (given: string): boolean => /^['"`]/.test(given);
const fragments = rowsOf(sectionOf('docs/operations.md', '## When it does not start'))
  .slice(1)
  .map(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, fragment = '']) => fragment));
const formOf = (fragment: string): RegExp =>
  new RegExp(
    fragment
      .split('…')
      .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*'),
  );

it('Each end that the program has is in docs/operations.md, and each row there is one', async () => {
  const named = /const refusals = \[([^\]]*)\]/.exec(readRoot('src/cli/fault.ts'))?.[1] ?? '';
  expect(named.match(/\w+/g)?.toSorted()).toEqual(Object.keys(refusals).toSorted());
  expect(calls.length).toBeGreaterThan(15);
  expect(calls.filter((given) => !isText(given) && handed[given] === undefined)).toEqual([]);

  const missing = await readLedger({ dataDir: folder() }).catch((error: unknown) => error);
  expect(missing).toBeInstanceOf(NoLedger);
  const said = [
    ...calls.filter(isText).map((given) => filled(given.slice(1, -1))),
    ...Object.values(handed).flat().map(filled),
    ...Object.values(refusals).map(({ message }) => message),
    String(missing),
    ...sources('src/redis').flatMap(({ text }) => texts(text, /\bproblem: (?:'([^']+)'|`([^`]+)`)/g).map(filled)),
    'Redis cannot be reached',
  ];
  const forms = fragments.flat().map(formOf);
  // An error's own words, which are here already.
  expect(said.filter((text) => text !== 'X. X' && !forms.some((form) => form.test(text)))).toEqual([]);
  expect(fragments.flat().filter((fragment) => !said.some((text) => formOf(fragment).test(text)))).toEqual([]);
});

it('No text of the ledger or the command line advises to delete the data folder', () => {
  const advice = /(?:delete|remove|rm -rf?) (?:the (?:data )?folder|DATA_DIR|the ledger)\b/i;
  const all = ['src/ledger', 'src/cli', 'src/audit', 'src/check', 'src/sandbox'].flatMap((place) => [
    ...sources(place),
  ]);
  expect(all.filter(({ text }) => advice.test(text)).map(({ path }) => path)).toEqual([]);
});
