import { once } from 'node:events';
import { copyFileSync, linkSync, readdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSegments, verifySegments } from '../../../src/ledger/segments.ts';
import { appender, rest, start } from '../../helpers/ledger/appender.ts';
import { asked, folder, intent, openLedger, outcome } from '../../helpers/ledger/samples.ts';

const live = 'ledger.jsonl';
const closed = 'ledger-2026-11.jsonl';

/** The runs in each file of a ledger. */
const runsIn = (dir: string): Record<string, string[]> =>
  Object.fromEntries(
    readdirSync(dir)
      .filter((name) => name.startsWith('ledger') && name.endsWith('.jsonl'))
      .sort()
      .map((name) => {
        const lines = readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1);
        return [name, lines.map((line) => JSON.parse(line).run)];
      }),
  );

const openAt = (dir: string, time: string) => openLedger({ dir, now: () => new Date(time) });

const verified = async (dir: string) => verifySegments(await readSegments(dir));

describe('A disk that is full', () => {
  test('refuses the append as a whole, and the next one that fits is recorded', async () => {
    const dir = folder();
    // A limit of 16 × 512 bytes for any file of the process: the second entry is cut off in the middle of its write.
    const limited = ['sh', '-c', 'ulimit -f 16; exec "$0" "$@"', ...appender, dir, 'append'];
    const { said } = start([...limited, '5000', '5000', '10', '6000', '20', '6000']);
    const refused = 'LedgerUnavailable EFBIG';
    expect(await rest(said)).toEqual(['open', 'recorded', refused, 'recorded', refused, 'recorded', refused]);
    expect(runsIn(dir)).toEqual({ [live]: ['sized.1', 'sized.3', 'sized.5'] });
    expect(await verified(dir)).toMatchObject({ ok: true, head: { seq: 3 } });
  });
});

describe('A crash while a file is closed', () => {
  test.each<[string, (at: (name: string) => string) => void]>([
    ['before it has its second name', () => undefined],
    ['when it has both names', (at) => linkSync(at(live), at(closed))],
    ['when it has both names, and the folder was copied since', (at) => copyFileSync(at(live), at(closed))],
    ['when it has lost the first', (at) => renameSync(at(live), at(closed))],
    [
      'when the new one is there',
      (at) => {
        renameSync(at(live), at(closed));
        writeFileSync(at(live), '');
      },
    ],
    [
      'when the first entry of the new one is half written',
      (at) => {
        renameSync(at(live), at(closed));
        writeFileSync(at(live), '{"actor":{"id":"11');
      },
    ],
  ])('%s leaves a ledger that goes on', async (_when, crash) => {
    const dir = folder();
    const before = await openAt(dir, '2026-11-30T23:59:00.000Z');
    await before.append([asked('b.1'), intent('a.1')]);
    await before.close();
    crash((name) => join(dir, name));

    expect(await verified(dir)).toMatchObject({ ok: true, head: { seq: 2 } });
    const after = await openAt(dir, '2026-12-01T00:00:00.000Z');
    expect(after.head()).toEqual(before.head());
    expect(statSync(join(dir, live)).mode & 0o777).toBe(0o600);
    await after.append([outcome('a.1')]);
    await after.close();
    expect(runsIn(dir)).toEqual({ [closed]: ['b.1', 'a.1'], [live]: ['a.1'] });
    expect((await openAt(dir, '2026-12-01T00:00:00.000Z')).head().seq).toBe(3);
  });

  test('after which the clock is back in the old month leaves a ledger that goes on', async () => {
    const dir = folder();
    const before = await openAt(dir, '2026-11-30T23:59:00.000Z');
    await before.append([asked('b.1')]);
    await before.close();
    linkSync(join(dir, live), join(dir, closed));
    const after = await openAt(dir, '2026-11-30T23:59:59.000Z');
    await after.append([intent('a.1')]);
    await after.close();
    const next = await openAt(dir, '2026-12-01T00:00:00.000Z');
    await next.append([outcome('a.1')]);
    expect(runsIn(dir)).toEqual({ [closed]: ['b.1'], 'ledger-2026-11-2.jsonl': ['a.1'], [live]: ['a.1'] });
    expect(await verified(dir)).toMatchObject({ ok: true, head: { seq: 3 } });
  });
});

const store = new URL('../../../dist/src/ledger/file-store.js', import.meta.url).href;

/** What every process of these tests begins with: a ledger whose clock is `clock.month`, months from January 2026. */
const opening = `
  import { chmodSync, chownSync, closeSync, openSync } from 'node:fs';
  import { once } from 'node:events';
  import { openFileLedger } from '${store}';
  const [dir, month] = process.argv.slice(1);
  const clock = { month: Number(month) };
  const now = () => new Date(Date.UTC(2026, clock.month, 1));
  const say = (word) => process.stdout.write(word + '\\n');
  const quiet = () => undefined;
  const open = () => openFileLedger({ dir, now, log: { info: quiet, warn: quiet, error: quiet } });
  const actor = { id: '1', name: 'bob', roles: [] };
  const place = { guild: '1', channel: '1' };
  const append = (ledger, run) =>
    ledger
      .append([{ actor, place, run, kind: 'outcome', outcome: 'accepted', command: 'power.boot', options: {} }])
      .then(() => run, (error) => error.name + ' ' + error.cause.code);
`;

/** Starts a process that can have but few open files. */
const does = (task: string, dir: string, month: number) =>
  start([
    ...['sh', '-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath],
    ...['--input-type=module', '-e', opening + task, dir, String(month)],
  ]);

describe('A process that is killed', () => {
  test('while it appends leaves everything that it acknowledged, in a chain that verifies', async () => {
    const dir = folder();
    const { child, said } = start([...appender, dir, 'loop']);
    const gone = once(child, 'exit');
    const acknowledged: string[] = [];
    for (let step = await said.next(); !step.done; step = await said.next()) {
      if (step.value !== 'open') acknowledged.push(step.value);
      if (acknowledged.length === 150) child.kill('SIGKILL');
    }
    // What it said ends a moment before the process does, and until then the ledger is its own.
    await gone;
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    const ledger = await openAt(dir, '2999-01-01T00:00:00.000Z');
    const recorded = ['worker1', 'worker2', 'worker3'].flatMap((stem) => ledger.runs(stem)).map(({ run }) => run);
    expect(acknowledged.filter((run) => !recorded.includes(run))).toEqual([]);
    expect(await verified(dir)).toEqual({ ok: true, head: ledger.head() });
  });

  const everyMonth = `
    const ledger = await open();
    say('open');
    await once(process.stdin, 'data');
    for (;; clock.month += 1) say(await append(ledger, 'm' + clock.month + '.1'));
  `;

  test('at any moment while it closes files leaves all that it acknowledged, in a chain that verifies', async () => {
    const dir = folder();
    const acknowledged: string[] = [];
    for (let moment = 1; moment <= 12; moment += 1) {
      const { child, said } = does(everyMonth, dir, moment * 100);
      const gone = once(child, 'exit');
      expect((await said.next()).value).toBe('open');
      // Each change in the folder is another moment of the closing: link, checkpoint, unlink, create.
      let left = moment;
      const watcher = watch(dir, () => {
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      });
      child.stdin.write('go\n');
      acknowledged.push(...(await rest(said)));
      await gone;
      watcher.close();
    }
    const ledger = await openAt(dir, '2999-01-01T00:00:00.000Z');
    expect(acknowledged.length).toBeGreaterThan(5);
    const lost = acknowledged.filter((run) => ledger.runs(run.replace('.1', '')).length !== 1);
    expect(lost).toEqual([]);
    expect(await verified(dir)).toEqual({ ok: true, head: ledger.head() });
  });
});

describe('A file that cannot be closed', () => {
  const refusedFolder = `
    chmodSync(dir, 0o755);
    if (process.getuid() === 0) {
      chownSync(dir, 65534, 65534);
      process.seteuid(65534);
    }
    const ledger = await open();
    say(await append(ledger, 'a.1'));
    clock.month += 1;
    chmodSync(dir, 0o555);
    say(await append(ledger, 'a.2'));
    say(await append(ledger, 'a.3'));
    chmodSync(dir, 0o755);
    say(await append(ledger, 'a.4'));
    await ledger.close();
    process.exit();
  `;

  test('refuses the append, and is closed at the next that finds the folder open', async () => {
    const dir = folder();
    const refused = 'LedgerUnavailable EACCES';
    expect(await rest(does(refusedFolder, dir, 0).said)).toEqual(['a.1', refused, refused, 'a.4']);
    expect(runsIn(dir)).toEqual({ 'ledger-2026-01.jsonl': ['a.1'], [live]: ['a.4'] });
    expect((await openAt(dir, '2026-03-01T00:00:00.000Z')).head().seq).toBe(2);
  });

  const noHandles = `
    const ledger = await open();
    say(await append(ledger, 'a.1'));
    clock.month += 1;
    const taken = [];
    try {
      for (;;) taken.push(openSync('/dev/null'));
    } catch (error) {
      if (error.code !== 'EMFILE') throw error;
    }
    await append(ledger, 'a.2');
    say(await append(ledger, 'a.2'));
    await once(process.stdin, 'data');
    for (const one of taken) closeSync(one);
    clock.month -= 1;
    say(await append(ledger, 'a.3'));
    clock.month += 1;
    say(await append(ledger, 'a.4'));
    await ledger.close();
    process.exit();
  `;

  test('with both its names is closed first by the next append, whatever its month', async () => {
    const dir = folder();
    const { child, said } = does(noHandles, dir, 0);
    expect([(await said.next()).value, (await said.next()).value]).toEqual(['a.1', 'LedgerUnavailable EMFILE']);
    expect(runsIn(dir)).toEqual({ 'ledger-2026-01.jsonl': ['a.1'], [live]: ['a.1'] });
    expect((await readSegments(dir)).map(({ lines }) => [...lines].length)).toEqual([1]);
    child.stdin.write('go\n');
    expect(await rest(said)).toEqual(['a.3', 'a.4']);
    expect(runsIn(dir)).toEqual({
      'ledger-2026-01.jsonl': ['a.1'],
      'ledger-2026-01-2.jsonl': ['a.3'],
      [live]: ['a.4'],
    });
    expect(await verified(dir)).toMatchObject({ ok: true, head: { seq: 3 } });
  });
});
