import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachTurnsItsLine, type Fault } from '../helpers/check/faults.ts';
import { openScene } from '../helpers/check/scene.ts';
import { describeWithRedisServer } from '../helpers/redis-server.ts';

const panelSkips = ['panel-token', 'budget', 'restore-status', 'backup-list'];

const faults: Fault[] = [
  {
    what: 'a Redis that is down',
    order: ({ redis }) => redis.kill(),
    bad: ['wrong redis'],
    skipped: ['follow-ups'],
    says: 'Redis cannot be reached.',
  },
  {
    what: 'a line of the ledger that was changed',
    order({ dir }) {
      const path = join(dir, 'ledger.jsonl');
      writeFileSync(path, readFileSync(path, 'utf8').replace('"bob"', '"eve"'));
    },
    bad: ['wrong ledger'],
    skipped: ['restore-status', 'trail'],
    says: 'The ledger is not as it was written: `ledger.jsonl: entry 2 was changed`.',
  },
  {
    what: 'a DATA_DIR that is no folder',
    order: ({ file }) => ({ DATA_DIR: file('data.txt', 'x') }),
    bad: ['wrong ledger'],
    skipped: ['trail', 'follow-ups', 'restore-status'],
    says: 'The ledger cannot be read: `ENOTDIR`.',
  },
  {
    what: 'a ledger that was cut off at its end',
    order({ dir }) {
      const path = join(dir, 'ledger.jsonl');
      writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0]}\n`);
    },
    bad: ['wrong trail'],
    skipped: ['restore-status'],
    says: 'The audit channel has entries that are missing from the ledger, or differ there.',
  },
  {
    what: 'a data folder without the ledger of that trail',
    order({ dir }) {
      rmSync(join(dir, 'ledger.jsonl'));
    },
    bad: ['wrong trail'],
    skipped: ['follow-ups', 'restore-status'],
    says: 'Point DATA_DIR or REDIS_URL at that ledger, or restore it from a copy',
  },
  {
    what: 'a message of the trail that was deleted',
    order({ discord }) {
      const [first] = discord.messages('alice', 'audit');
      discord.deleteMessage('alice', first?.id ?? '');
    },
    bad: ['wrong trail'],
    says: '1 finding in the audit channel, not acknowledged.',
  },
  {
    what: 'a trail that is behind',
    order: ({ appendAt }) => appendAt(Date.now() - 600_000),
    bad: ['wrong trail'],
    says: '2 entries of the ledger are not in the audit channel, the oldest for 10 minutes.',
  },
  {
    what: 'a bot without an audit channel',
    order: () => ({ AUDIT_CHANNEL_ID: '' }),
    bad: ['warning trail'],
    says: 'There is no audit channel',
  },
  {
    what: 'a queue in which nobody works',
    order: ({ client }) => client.set('panelops:canary', '1', 'PX', 86_400_000 - 600_000).then(() => undefined),
    bad: ['wrong follow-ups'],
    says: 'No worker has taken a job from the queue for 60',
  },
  {
    what: 'a queue in which nobody ever worked',
    order: ({ client }) => client.del('panelops:canary').then(() => undefined),
    bad: ['wrong follow-ups'],
    says: 'No worker has taken a job from the queue yet.',
  },
  {
    what: 'a disk that is nearly full',
    order: () => undefined,
    options: { bounds: { disk: { free: Number.MAX_SAFE_INTEGER, share: 0 } } },
    bad: ['warning disk'],
    says: 'are free on the disk of DATA_DIR.',
  },
  {
    what: 'a policy without alerts at a port for them',
    order: () => ({ ALERTS_PORT: '0', ALERTS_TOKEN: 'alertmanager=a-token-of-the-night-shift' }),
    bad: ['warning alerts'],
    says: 'is refused: the policy has no alerts.',
  },
  {
    what: 'a panel address that is none',
    order: () => ({ PANEL_URL: 'http://panel.example.com' }),
    bad: ['wrong configuration'],
    skipped: ['panel', 'certificate', ...panelSkips],
    says: 'PANEL_URL: It must use https',
  },
  {
    what: 'a guild id that is none',
    order: () => ({ DISCORD_GUILD_ID: 'ops' }),
    bad: ['wrong configuration'],
    skipped: ['guild', 'rights', 'pings', 'commands', 'roles', 'channels', 'trail'],
    says: 'DISCORD_GUILD_ID: ',
  },
  {
    what: 'a policy that is none',
    order: ({ policy }) => policy('roles: nobody\n'),
    bad: ['wrong configuration'],
    skipped: ['rights', 'pings', 'commands', 'roles', 'roles-twice', 'restore-status'],
    says: 'roles (line 1): ',
  },
];

describeWithRedisServer('panelops check', () => {
  it('finds nothing where nothing is wrong', async () => {
    const scene = await openScene();
    const { bad, skipped, text, code } = await scene.check();
    expect({ bad, skipped, code }, text).toEqual({ bad: [], skipped: [], code: 0 });
    // Two checks read at once.
    expect(scene.panel.requests.map(({ path }) => path).sort()).toEqual([
      '/backups/server/101',
      '/compute/hypervisors/groups?results=1',
      '/connect',
      '/servers/101/backupManager/jobs/91',
    ]);
  });
});

describeWithRedisServer('panelops check of the machine', () => eachTurnsItsLine(faults));

describeWithRedisServer('panelops check with LEDGER=redis', () => {
  it('finds nothing where nothing is wrong', async () => {
    const { bad, skipped, text } = await (await openScene({ ledger: 'redis' })).check();
    expect({ bad, skipped }, text).toEqual({ bad: [], skipped: [] });
  });

  it('turns one line where a Redis without WAITAOF writes every second', async () => {
    const scene = await openScene({ ledger: 'redis' });
    await scene.client.config('SET', 'appendfsync', 'everysec');
    const { bad, skipped, text, code } = await scene.check();
    expect({ bad, skipped, code }, text).toEqual({ bad: ['wrong redis'], skipped: [], code: 1 });
    expect(text).toContain('The ledger is not safe in this Redis: appendfsync is everysec');
  });

  it('looks at no other Redis where REDIS_URL is missing', async () => {
    const { bad, skipped, text } = await (await openScene({ ledger: 'redis' })).check({ REDIS_URL: '' });
    expect({ bad, skipped }, text).toEqual({
      bad: ['wrong configuration'],
      skipped: ['restore-status', 'redis', 'ledger', 'trail', 'follow-ups'],
    });
    expect(text).toContain('REDIS_URL: It is not set. LEDGER=redis keeps the ledger there.');
  });
});
