import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledPath, readBackups, readQueueItem, readStatus, type StatusSource } from '../../src/follow-ups/status.ts';

const source: StatusSource = {
  ...{ path: '/servers/{serverId}/backupManager/jobs/{jobId}', status: '/data/status' },
  ...{ progress: '/data/progress', message: '/data/message' },
  ...{ running: ['queued', 'running'], succeeded: ['completed'], failed: ['failed'] },
};

it.each([
  [source, ['servers', '101', 'backupManager', 'jobs', '9001']],
  [{ path: '/jobs/{jobId}.json/{serverId}-{jobId}' }, ['jobs', '9001.json', '101-9001']],
])('the path of a job has the ids in it: $path', (of, path) => {
  expect(filledPath(of, { serverId: 101, jobId: 9001 })).toEqual(path);
});

describe('the status of a restore', () => {
  it.each([
    ['queued', 'running'],
    ['running', 'running'],
    ['completed', 'succeeded'],
    ['failed', 'failed'],
    // No words of ours.
    ['verifying', 'running'],
    ['Completed', 'running'],
    [' completed', 'running'],
  ])('of %j is %s', (word, state) => {
    expect(readStatus(source, { data: { jobId: 9001, status: word } })).toEqual({ state, word });
  });

  it('comes with the progress and the words of the panel, where the policy says where they stand', () => {
    const data = { status: 'failed', progress: 40, message: 'no space left' };
    const bare = { state: 'failed', word: 'failed' };
    expect(readStatus(source, { data })).toEqual({ ...bare, progress: 40, message: 'no space left' });
    const { progress: _, message: __, ...without } = source;
    expect(readStatus(without, { data })).toEqual(bare);
  });

  it.each<[object, object]>([
    [{ progress: 0 }, { progress: 0 }],
    [{ progress: 12.5 }, { progress: 12.5 }],
    [{ progress: 100 }, { progress: 100 }],
    ...[-1, 101, Number.NaN, Number.POSITIVE_INFINITY, '40', null, true].map((progress): [object, object] => [
      { progress },
      {},
    ]),
    [{ message: { text: 'x' } }, {}],
    [{ message: ' ' }, {}],
  ])('beside %j, says %j', (said, shown) => {
    const status = readStatus(source, { data: { status: 'running', ...said } });
    expect(status).toEqual({ state: 'running', word: 'running', ...shown });
  });

  it.each([undefined, null, 'completed', [], {}, { data: null }, { data: { status: 2 } }, { data: { status: '' } }])(
    'is nothing where no text stands: %j',
    (answer) => {
      expect(readStatus(source, answer)).toBeUndefined();
      expect(readStatus({ ...source, status: '/data/toString/name' }, answer)).toBeUndefined();
    },
  );

  it.each([
    ['/jobs/0/state', { jobs: [{ state: 'completed' }] }],
    ['/a~1b', { 'a/b': 'completed' }],
    ['/m~0n', { 'm~n': 'completed' }],
    ['/~01', { '~1': 'completed' }],
  ])('is found at %s', (pointer, answer) => {
    expect(readStatus({ ...source, status: pointer }, answer)).toEqual({ state: 'succeeded', word: 'completed' });
  });

  it.each(['/jobs/00', '/jobs/-1', '/jobs/1', '/jobs/length', '/jobs/-'])('is not found at %s', (pointer) => {
    expect(readStatus({ ...source, status: pointer }, { jobs: ['completed'] })).toBeUndefined();
  });
});

describe('an item of the queue', () => {
  const item = { id: 77, action: 'shutdown', serverId: 101, started: '2026-11-19T22:00:00Z', finished: null };
  const finished = '2026-11-19T22:00:09Z';
  const errors = { exception: { message: 'domain is locked', trace: '/opt/panel/secret.php:12' } };
  const running = { state: 'running', word: 'running' };
  const failed = { state: 'failed', word: 'failed' };

  it.each<[string, object, object]>([
    ['runs until it has an end', { failed: false, progress: 30 }, { ...running, progress: 30 }],
    ['runs, whatever it says of failing', { failed: true }, running],
    ['finished', { finished, failed: false, progress: 100 }, { state: 'succeeded', word: 'finished', progress: 100 }],
    ['finished, by a 0', { finished, failed: 0 }, { state: 'succeeded', word: 'finished' }],
    ['failed', { finished, failed: true, progress: null }, failed],
    ['failed, by a 1', { finished, failed: 1 }, failed],
    [
      'failed with the reason that the panel gives, and without its trace',
      { finished, failed: true, errors, trace: '#0 /opt/panel' },
      { ...failed, message: 'domain is locked' },
    ],
    // Each form in which releases write that it has no end.
    ...[false, 0, '', '0000-00-00 00:00:00'].map((none): [string, object, object] => [
      `runs with the end ${none}`,
      { finished: none, failed: 0 },
      running,
    ]),
  ])('%s', (_how, own, status) => {
    expect(readQueueItem({ data: { ...item, ...own } })).toEqual(status);
  });

  it.each([
    { success: false, msg: 'Suspended', data: { ...item, finished, failed: false } },
    ...[undefined, null, [], {}, { data: {} }, { data: { finished, failed: 'no' } }, { msg: 'x' }],
  ])('is nothing where the answer says no, or nothing: %j', (answer) => {
    expect(readQueueItem(answer)).toBeUndefined();
  });
});

describe('the backups of a server', () => {
  const list = { path: '/backups/server/{serverId}', list: '/data', created: '/created', complete: '/complete' };
  const made = (created: unknown, complete: unknown = true) => ({ id: 1, serverId: 101, complete, created });

  it('are those that are complete, newest first, whatever the zone in which the panel writes', () => {
    const data = [
      made('2026-11-18T02:00:00+00:00'),
      made('2026-11-19T03:30:00+01:00', 1),
      made('2026-11-19T21:00:00Z', false),
    ];
    expect(readBackups(list, { data })).toEqual([Date.UTC(2026, 10, 19, 2, 30), Date.UTC(2026, 10, 18, 2)]);
    expect(readBackups({ path: '', list: '/data', created: '/created' }, { data })).toHaveLength(3);
    expect(readBackups(list, { data: [] })).toEqual([]);
  });

  it.each([
    ['no list', { data: { 1: made('2026-11-19T02:00:00Z') } }],
    ['a time without its zone', { data: [made('2026-11-19 02:00:00')] }],
    ['no time', { data: [made(null)] }],
    ['nothing where it says whether it is complete', { data: [{ created: '2026-11-19T02:00:00Z' }] }],
    ['an error', { msg: 'server not found' }],
  ])('are unknown where there is %s', (_, answer) => {
    expect(readBackups(list, answer)).toBeUndefined();
  });
});

it('no answer makes any of them throw', () => {
  fc.assert(
    fc.property(fc.anything(), (answer) => {
      for (const each of [answer, { data: answer }]) {
        readStatus(source, each);
        readQueueItem(each);
      }
      readBackups({ path: '', list: '', created: '/created' }, answer);
    }),
  );
});
