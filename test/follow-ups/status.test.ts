import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledPath, readBackups, readQueueItem, readStatus, type StatusSource } from '../../src/follow-ups/status.ts';

const source: StatusSource = {
  path: '/servers/{serverId}/backupManager/jobs/{jobId}',
  status: '/data/status',
  progress: '/data/progress',
  message: '/data/message',
  running: ['queued', 'running'],
  succeeded: ['completed'],
  failed: ['failed'],
};

describe('the path of a job', () => {
  it('has the ids in it', () => {
    const ids = { serverId: 101, jobId: 9001 };
    expect(filledPath(source, ids)).toEqual(['servers', '101', 'backupManager', 'jobs', '9001']);
    expect(filledPath({ path: '/jobs/{jobId}.json/{serverId}-{jobId}' }, ids)).toEqual([
      'jobs',
      '9001.json',
      '101-9001',
    ]);
  });
});

describe('the status of a restore', () => {
  it.each([
    ['queued', 'running'],
    ['running', 'running'],
    ['completed', 'succeeded'],
    ['failed', 'failed'],
  ])('%s means %s', (word, state) => {
    expect(readStatus(source, { data: { jobId: 9001, status: word } })).toEqual({ state, word });
  });

  it.each(['verifying', 'Completed', 'FAILED', ' completed'])(
    '%j is no word of ours, and counts as running',
    (word) => {
      expect(readStatus(source, { data: { status: word } })).toEqual({ state: 'running', word });
    },
  );

  it('comes with the progress and the words of the panel', () => {
    const data = { status: 'failed', progress: 40, message: 'no space left' };
    expect(readStatus(source, { data })).toEqual({
      state: 'failed',
      word: 'failed',
      progress: 40,
      message: 'no space left',
    });
    const { progress: _, message: __, ...bare } = source;
    expect(readStatus(bare, { data })).toEqual({ state: 'failed', word: 'failed' });
  });

  it.each([-1, 101, Number.NaN, Number.POSITIVE_INFINITY, '40', null, true])('takes %s as no progress', (progress) => {
    expect(readStatus(source, { data: { status: 'running', progress } })).toEqual({
      state: 'running',
      word: 'running',
    });
  });

  it.each([0, 12.5, 100])('takes %s as progress', (progress) => {
    expect(readStatus(source, { data: { status: 'running', progress } })).toMatchObject({ progress });
  });

  it('takes only text for a message', () => {
    expect(readStatus(source, { data: { status: 'running', message: { text: 'x' } } })?.message).toBeUndefined();
    expect(readStatus(source, { data: { status: 'running', message: ' ' } })?.message).toBeUndefined();
  });

  it('is nothing where the pointer finds no text', () => {
    for (const answer of [undefined, null, 'completed', [], {}, { data: null }, { data: { status: 2 } }])
      expect(readStatus(source, answer)).toBeUndefined();
    expect(readStatus(source, { data: { status: '' } })).toBeUndefined();
    expect(readStatus({ ...source, status: '/data/toString/name' }, { data: {} })).toBeUndefined();
  });

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
  const item = {
    id: 77,
    action: 'shutdown',
    serverId: 101,
    hypervisorId: 1,
    started: '2026-11-19T22:00:00Z',
    updated: '2026-11-19T22:00:01Z',
    finished: null,
    failed: false,
    progress: 30,
  };
  const finished = '2026-11-19T22:00:09Z';

  it('runs until it has an end, whatever it says of failing', () => {
    const running = { state: 'running', word: 'running', progress: 30 };
    expect(readQueueItem({ data: item })).toEqual(running);
    expect(readQueueItem({ data: { ...item, failed: true } })).toEqual(running);
  });

  it('finished or failed, as `failed` says', () => {
    expect(readQueueItem({ data: { ...item, finished, progress: 100 } })).toEqual({
      state: 'succeeded',
      word: 'finished',
      progress: 100,
    });
    expect(readQueueItem({ data: { ...item, finished, failed: true, progress: null } })).toEqual({
      state: 'failed',
      word: 'failed',
    });
  });

  it('failed with the reason that the panel gives, and without its trace', () => {
    const errors = { exception: { message: 'domain is locked', trace: '/opt/panel/secret.php:12' } };
    const status = readQueueItem({ data: { ...item, finished, failed: true, errors, trace: '#0 /opt/panel' } });
    expect(status).toEqual({ state: 'failed', word: 'failed', progress: 30, message: 'domain is locked' });
  });

  it('running in each form in which releases write that it has no end', () => {
    for (const none of [false, 0, '', '0000-00-00 00:00:00'])
      expect(readQueueItem({ data: { ...item, finished: none, failed: 0 } })).toMatchObject({ state: 'running' });
    expect(readQueueItem({ data: { ...item, finished, failed: 0 } })).toMatchObject({ state: 'succeeded' });
    expect(readQueueItem({ data: { ...item, finished, failed: 1 } })).toMatchObject({ state: 'failed' });
  });

  it('unknown where the answer says no beside it', () => {
    expect(readQueueItem({ success: false, msg: 'Suspended', data: { ...item, finished } })).toBeUndefined();
  });

  it('is nothing where the answer is none', () => {
    for (const answer of [undefined, null, [], {}, { data: {} }, { data: { finished, failed: 'no' } }, { msg: 'x' }])
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
      readStatus(source, answer);
      readQueueItem(answer);
      readStatus(source, { data: answer });
      readQueueItem({ data: answer });
      readBackups({ path: '', list: '', created: '/created' }, answer);
    }),
  );
});
