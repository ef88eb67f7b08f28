import { describe, expect, it } from 'vitest';
import { requirements } from '../../src/policy/decide.ts';
import { changed, command, policyOf, wrongIn } from '../helpers/policy/known.ts';

const roles = 'roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]\n';

/** As the design shows it, from line 2 on. */
const status = `restore-status:
  path: /servers/{serverId}/backupManager/jobs/{jobId}
  status: /data/status
  progress: /data/progress
  message: /data/message
  running: [queued, running]
  succeeded: [completed]
  failed: [failed]
`;

const wrong = (text: string): string[] => wrongIn(roles + text);

describe('restore-status', () => {
  it('may be left out, and in it progress, message and the words for running', () => {
    expect(policyOf(roles).restoreStatus).toBeUndefined();
    const least = 'restore-status: { path: "/jobs/{jobId}", status: /s, succeeded: [ok], failed: [no] }';
    expect(policyOf(roles + least).restoreStatus).toEqual({
      path: '/jobs/{jobId}',
      status: '/s',
      running: [],
      succeeded: ['ok'],
      failed: ['no'],
    });
  });

  it.each([
    '/jobs/{jobId}',
    '/servers/{serverId}/jobs/{jobId}.json',
    '/jobs/{serverId}-{jobId}',
    '/a.b/~c/{jobId}/status',
  ])('takes the path %s', (path) => {
    expect(wrong(changed('/servers/{serverId}/backupManager/jobs/{jobId}', `"${path}"`, status))).toEqual([]);
  });

  it.each([
    ['without the job', '/servers/{serverId}/jobs'],
    ['to another machine', 'https://panel.example.com/jobs/{jobId}'],
    ['to another host', '//panel.example.com/jobs/{jobId}'],
    ['without a slash', 'jobs/{jobId}'],
    ['upwards', '/servers/../jobs/{jobId}'],
    ['of dots', '/./jobs/{jobId}'],
    ['with the base in it', '/api/v1/jobs/{jobId}'],
    ['with a query', '/jobs?id={jobId}'],
    ['with a fragment', '/jobs#{jobId}'],
    ['with an encoded slash', '/jobs%2f{jobId}'],
    ['with a backslash', '/jobs\\\\{jobId}'],
    ['with an empty part', '/jobs//{jobId}'],
    ['with a slash at its end', '/jobs/{jobId}/'],
    ['with another placeholder', '/jobs/{jobId}/{diskId}'],
    ['with a space', '/jobs/{jobId} x'],
  ])('refuses a path %s', (_, path) => {
    const problems = wrong(changed('/servers/{serverId}/backupManager/jobs/{jobId}', `"${path}"`, status));
    expect(problems).toEqual([
      'restore-status.path (line 3): The path below /api/v1, such as /servers/{serverId}/backupManager/jobs/{jobId}: ' +
        '{jobId} must be in it, {serverId} may be; no "..", no query.',
    ]);
  });

  it.each([
    ['status: /data/status', 'status: data.status', 'restore-status.status (line 4): A JSON pointer'],
    ['status: /data/status', 'status: ""', 'restore-status.status (line 4): A JSON pointer'],
    ['status: /data/status', 'status: /data/status~', 'restore-status.status (line 4): A JSON pointer'],
    ['progress: /data/progress', 'progress: /data~2', 'restore-status.progress (line 5): A JSON pointer'],
    ['message: /data/message', 'message: 7', 'restore-status.message (line 6): A JSON pointer'],
    ['  status: /data/status\n', '', 'restore-status.status (line 2): Missing. A JSON pointer'],
    ['[completed]', '[]', 'restore-status.succeeded (line 8): A list of the words'],
    ['[completed]', 'completed', 'restore-status.succeeded (line 8): A list of the words'],
    ['[completed]', '[true]', 'restore-status.succeeded[0] (line 8): A list of the words'],
    ['[failed]', '["  "]', 'restore-status.failed[0] (line 9): A list of the words'],
    ['  failed: [failed]\n', '', 'restore-status.failed (line 2): Missing. A list of the words'],
    ['message:', 'text:', 'restore-status.text (line 6): Unknown key. Known here: path, status, progress, message'],
    ['[failed]', '[failed, completed]', 'restore-status.failed[1] (line 9): This word is in `succeeded` already.'],
    ['[completed]', '[running]', 'restore-status.succeeded[0] (line 8): This word is in `running` already.'],
  ])('%j cannot be %j', (from, to, expected) => {
    expect(wrong(changed(from, to, status))).toEqual([expect.stringContaining(expected)]);
  });
});

describe('backup-list', () => {
  const backups = `backup-list:
  path: /backups/server/{serverId}
  list: /data
  created: /created
  complete: /complete
`;

  it.each([
    ['{serverId}', '101', 'backup-list.path (line 3): The path below /api/v1, such as /backups/server/{serverId}: '],
    ['{serverId}', '{serverId}/{jobId}', 'backup-list.path (line 3): The path below /api/v1'],
    ['  list: /data\n', '', 'backup-list.list (line 2): Missing. A JSON pointer'],
    ['/created', 'created', 'backup-list.created (line 5): A JSON pointer'],
  ])('%j cannot be %j', (from, to, expected) => {
    expect(wrong(backups.replace(from, to))).toEqual([expect.stringContaining(expected)]);
  });
});

describe('queue-status', () => {
  it.each([
    ['on', true],
    ['off', false],
    ['true', true],
    ['false', false],
    ['"on"', true],
  ])('may be %s', (word, expected) => {
    expect(policyOf(`${roles}queue-status: ${word}`).queueStatus).toBe(expected);
  });

  it('is off when it is left out, and nothing else than on or off', () => {
    expect(policyOf(roles).queueStatus).toBe(false);
    expect(wrong('queue-status: yes')).toEqual(['queue-status (line 2): on or off.']);
    expect(wrong('queue-status: 1')).toEqual(['queue-status (line 2): on or off.']);
    expect(wrong('queue-status:')).toEqual(['queue-status (line 2): on or off.']);
  });
});

describe('follow-ups', () => {
  it.each([
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['90m', 5_400_000],
    ['168h', 604_800_000],
    ['7d', 604_800_000],
  ])('give up after %s', (deadline, ms) => {
    expect(policyOf(`${roles}follow-ups: { deadline: ${deadline} }`).followUps).toEqual({ deadline: ms });
  });

  it('give up after a day when nothing is said', () => {
    expect(policyOf(roles).followUps).toEqual({ deadline: 86_400_000 });
    expect(policyOf(`${roles}follow-ups: {}`).followUps).toEqual({ deadline: 86_400_000 });
  });

  it.each(['29m', '8d', '169h', '24', '24 h', '1w', '-1h', '1.5h', '"0h"'])('cannot last %s', (deadline) => {
    expect(wrong(`follow-ups: { deadline: ${deadline} }`)).toEqual([
      'follow-ups.deadline (line 2): A duration from 30m to 7d: a whole number with m, h or d, such as 24h.',
    ]);
  });
});

it('all of it is reported at once, and no value is repeated', () => {
  const secret = 'hunter2-hunter2';
  const text = `${changed('/data/status', secret, status)}queue-status: ${secret}\nfollow-ups: { deadline: ${secret} }\n`;
  const problems = wrong(text);
  expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
    'restore-status.status (line 4)',
    'queue-status (line 10)',
    'follow-ups.deadline (line 11)',
  ]);
  expect(problems.join('\n')).not.toContain('hunter2');
});

it('what never reaches the panel is never asked about, and a row for it alone is refused', () => {
  const all = policyOf(`${roles}commands: [{ match: [write], confirm: true, reason: required }]`);
  expect(requirements(all, command('follow-ups.stop'))).toEqual({ confirm: false, typed: false, reason: false });
  expect(requirements(all, command('power.boot'))).toEqual({ confirm: true, typed: false, reason: true });
  expect(wrong('commands: [{ match: [follow-ups.stop], confirm: true }]')).toEqual([
    'commands[0].match[0] (line 2): It changes nothing in the panel: only write and destructive commands that do belong here.',
  ]);
});
