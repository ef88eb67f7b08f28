import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, codeIn, documents } from '../helpers/docs/documents.ts';
import { readRoot, root, sources } from '../helpers/house.ts';

/** What begins a line for a shell, wherever it stands. */
const programs = /^(?:npm|npx|node|curl|chmod|kill -9 \S|git) /;

/** Tests of their own hold what these pages say. */
const heldElsewhere = [
  'docs/adding-a-command.md',
  'docs/commands.md',
  'docs/deploy-docker.md',
  'docs/deploy-kubernetes.md',
  'docs/deploy-systemd.md',
];

/** All lines for a shell, each once: of blocks, and of inline code. */
const lines = new Set(
  documents
    .filter(({ path }) => !heldElsewhere.includes(path))
    .flatMap(({ text }) => [
      ...blocksOf(text)
        .filter(({ language }) => language === 'sh')
        .flatMap((block) => block.text.split('\n'))
        .map((line) => line.trim()),
      ...codeIn(text).filter((code) => programs.test(code) || /^[A-Z_]+=\S+ npx /.test(code)),
    ]),
);
lines.delete('');

const curlPost = `curl -X POST http://127.0.0.1:PORT/_sandbox/faults -H 'content-type: application/json' -d '{"kind":"status-after","status":500,"match":{"changes":true}}'`;

const curlAlert = `curl -H 'authorization: Bearer sandbox' http://127.0.0.1:9099/alerts/generic -d '{"key":"web-1 down","status":"firing","title":"HostDown","severity":"critical","server":"web-1"}'`;

/** Lines that a test runs, each with what of it stands in that test. */
const run: Readonly<Record<string, string>> = {
  'chmod 600 .env': 'chmod 600',
  'chmod go-w policy.yaml': 'chmod go-w',
  'node dist/src/main.js': '../dist/src/main.js',
  'node dist/src/main.js check': "args: ['check']",
  'node dist/src/main.js audit verify': '`node dist/src/main.js audit verify`',
  'npx panelops': "join(modules, '.bin', 'panelops')",
  'npx panelops setup': "atTerminal('setup'",
  'npx panelops sandbox': "args: ['sandbox']",
  'npx panelops check': "args: ['check']",
  'npx panelops start --check': "args: ['start', '--check']",
  'npx panelops audit verify': "run(['verify']",
  'npm run setup': "atTerminal('setup'",
  'npm run sandbox': "args: ['sandbox']",
  'node dist/src/main.js register': "runHere(['register']",
  'npx panelops policy policy.yaml': "runHere(['policy', 'team.yaml'",
  'POLICY_FILE=policy.yaml npm start': "{ POLICY_FILE: 'own.yaml', ...more }",
  'npx panelops --help': "run('--help')",
  'npx panelops register': "runHere(['register']",
  'npm run audit -- backup --out /var/backups/panelops': "['backup', '--out'",
  'npm run audit -- restore --from ledger-copy.jsonl': "['restore', '--from'",
  'npm run audit -- verify': "lineWith('npm run audit -- verify'",
  'npm --silent run audit -- export --format csv --since 3d --server web-1 --out record.csv':
    "lineWith('npm --silent run audit -- export'",
  'npm start -- --quiet': "['--quiet']",
  'npm start -- --check': "['--check']",
  'kill -HUP PID': "child.kill('SIGHUP')",
  'npm start -- --new-ledger': "args: ['--new-ledger']",
  [curlPost]: "lineWith('curl -X POST'",
  [curlAlert]: "lineWith('curl -H'",
  'curl -X DELETE http://127.0.0.1:PORT/_sandbox/faults': "lineWith('curl -X DELETE'",
  'npm run soak -- --seeds 20 --minutes 30': "readOptions(['--seeds'",
};

/** Lines that no test runs, and why. */
const notRun: Readonly<Record<string, string>> = {
  'npm pack': 'it builds again; what it packs is tried as it was built',
  'npm install': 'it installs from the registry',
  'npm ci && npm start': 'it installs from the registry; what it starts is node dist/src/main.js',
  'npm ci && npm run setup': 'it installs from the registry; what it runs is node dist/src/main.js setup',
  'npm ci && npm run build': 'it installs from the registry; every run of the tests builds',
  'npm ci --omit=dev': 'it installs from the registry',
  'npm ci': 'it installs from the registry',
  'npm start': 'it builds where that is due, and then is node dist/src/main.js',
  'npm test': 'it runs the tests',
  'npm run check': 'it runs the tests',
  'npm run test:deep': 'it runs the tests',
  'npm run test:node26': 'it runs the tests',
  'npm outdated': 'it asks the registry',
  'npx biome check --write .': 'it changes the sources',
  'npm run build': 'it comes before the tests',
  'npx vitest run test/policy/decide.test.ts': 'it runs tests',
  'npx vitest --changed': 'it runs tests',
  'npx vitest run test/conversations': 'it runs tests',
  'npx vitest run --mode deep test/system/crash': 'it runs tests',
  'UPDATE_GOLDEN=1 npx vitest run test/chart': 'it changes what tests expect',
  'npm run bench': 'it takes 15 minutes; a test runs one group of it',
  'npm run bench:node26': 'it takes 15 minutes, and downloads a Node',
  'npm run bench -- --write memory': 'it takes minutes, and writes the results',
  'npm run bench -- --profile click': 'it takes minutes; a test runs one group of it',
  'npm run bench -- start throughput': 'it takes minutes; a test runs one group of it',
  'npm run cards': 'it changes the pictures of docs/cards.md',
  'PICTURES=1 npx vitest run --mode deep test/system/browser/views': 'it changes the pictures of the README',
};

describe('a command line in the documents', () => {
  it('is run by a test, or is known not to be', () => {
    expect([...lines].filter((line) => !(line in run) && !(line in notRun))).toEqual([]);
  });

  it('is in one of the tables only as long as a document has it', () => {
    expect([...Object.keys(run), ...Object.keys(notRun)].filter((line) => !lines.has(line))).toEqual([]);
  });

  const others = sources('test').filter(({ path }) => path !== 'test/docs/command-lines.test.ts');
  it.each(Object.entries(run))('%s is in a test', (_line, words) => {
    expect(others.filter(({ text }) => text.includes(words))).not.toEqual([]);
  });

  it('runs scripts that package.json has', () => {
    const { scripts } = JSON.parse(readRoot('package.json')) as { scripts: Record<string, string> };
    const named = [...lines].flatMap((line) =>
      [...line.matchAll(/npm (?:--silent )?run ([\w-]+)/g)].map(([, it]) => it),
    );
    expect(named.filter((name = '') => !(name in scripts))).toEqual([]);
  });

  it('names files that are there', () => {
    const named = [...lines].flatMap((line) => [...line.matchAll(/(?<=\s)test\/[\w./-]+/g)].map(([path]) => path));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, `${path}.test.ts`)))).toEqual(
      [],
    );
  });
});
