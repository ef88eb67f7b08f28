import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { policyFile } from '../../src/policy/schema.ts';
import { known } from '../helpers/policy/known.ts';

const text = readFileSync(new URL('../../policy.example.yaml', import.meta.url), 'utf8');

it('the example is a policy without a problem', () => {
  expect(readPolicy(text, known)).toHaveProperty('policy');
});

it("the example follows with what the sandbox offers, and says that it is the sandbox's", () => {
  expect(readPolicy(text, known)).toMatchObject({
    policy: {
      restoreStatus: {
        path: '/servers/{serverId}/backupManager/jobs/{jobId}',
        status: '/data/status',
        progress: '/data/progress',
        message: '/data/message',
        running: ['queued', 'running'],
        succeeded: ['completed'],
        failed: ['failed'],
      },
      backupList: { path: '/backups/server/{serverId}', list: '/data', created: '/created', complete: '/complete' },
      queueStatus: true,
      askOthers: true,
      handoverPin: false,
      timezone: 'UTC',
      rulesets: { 3: 'office-only' },
      vlans: { 8: 'backup-net' },
      followUps: { deadline: 86_400_000 },
    },
  });
  expect(text.replaceAll('\n# ', ' ')).toContain("what is set here is the sandbox's own.");
});

it('the example uses or explains every key at the top, and no other', () => {
  const keys = [...text.matchAll(/^([\w-]+):/gm)].map(([, key]) => key);
  expect(keys).toEqual(
    'channels roles commands servers unlisted limits several audit-channel restore-status backup-list queue-status follow-ups notify ask-others handover-pin alerts timezone rulesets vlans'.split(
      ' ',
    ),
  );
  // In the example all servers have a row, and each row its tier; nobody has a calendar.
  const left = ['inventory', 'inventory-rights', 'tiers', 'on-call', 'handover-at-shift', 'shell'];
  expect(Object.keys(policyFile.shape).filter((key) => !left.includes(key))).toEqual(keys);
  for (const key of left) expect(text).toContain(`\n# ${key}: `);
});

it('the example explains every key of a row in its comments', () => {
  const explained = [...text.matchAll(/^# {3}([\w-]+) {2,}\S/gm)].map(([, key]) => key);
  const inRows =
    'role name allow during-freeze break-glass allow-in-emergency servers match confirm typed reason approvals tiers'.split(
      ' ',
    );
  const news = ['failed', 'unknown', 'restore', 'slow', 'answered', 'done'];
  const ofAlerts =
    'channel stale-after remind ignore labels domains link-hosts ping suggest alert command sources'.split(' ');
  const ofStatus = ['path', 'status', 'progress', 'message', 'running', 'succeeded', 'failed'];
  expect(explained).toEqual([
    ...inRows,
    ...'id name tier ips group source preset path ipv4 ipv6 most also'.split(' '),
    ...ofStatus,
    ...['path', 'list', 'created', 'complete'],
    'deadline',
    ...news,
    ...['people', 'account', 'discord', 'roles'],
    ...ofAlerts,
  ]);
  const shown = new Set([...text.matchAll(/(?:[{,] |^ +)([a-z]\w*):/gm)].map(([, key]) => key));
  const shownOfAlerts = ['channel', 'suggest', 'alert', 'command'];
  const hidden = ['during-freeze', 'break-glass', 'allow-in-emergency'].concat(
    ofAlerts.filter((key) => !shownOfAlerts.includes(key)),
  );
  const isShown = (key: string | undefined): boolean => !hidden.includes(key ?? '');
  expect([...shown].sort()).toEqual([...new Set(explained)].filter(isShown).sort());
});

it('the example says of every key at the top what holds without it', () => {
  const sections = text.split(/^[\w-]+:.*(?:\n {2}\S.*)*$/m).slice(0, 16);
  expect(sections).toHaveLength(16);
  const optional = sections.filter((_, at) => at !== 1);
  for (const section of optional) expect(section).toContain('Left out:');
  expect(sections[1]).toContain('At least one.');
});
