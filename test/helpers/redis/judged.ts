import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openRedis } from '../../../src/app/redis-place.ts';
import type { Closing } from '../../../src/app/store.ts';
import { inRedis } from '../../../src/app/store-in-redis.ts';
import { checks } from '../../../src/check/list.ts';
import { outsideProbes } from '../../../src/check/outside.ts';
import { runChecks } from '../../../src/check/run.ts';
import { notes } from '../ledger/samples.ts';

/** Of the application 100000000000000001. */
const token = `${Buffer.from('100000000000000001').toString('base64')}.CANARY.discord-canary`;

/** What is done with a Redis: `file` is follow-ups alone, `redis` the ledger, too. */
const ledgers = ['file', 'redis'] as const;
type LedgerIn = (typeof ledgers)[number];

/** What `panelops check` says of this Redis, without what is well. */
async function checked(redisUrl: string, ledger: LedgerIn): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'panelops-check-'));
  const { probes, close } = outsideProbes({
    config: {
      ...{ discord: { kind: 'real', token, guild: '' }, panel: { kind: 'sandbox' }, policyFile: '', policyText: '' },
      ...{ dataDir, shellSocket: '', ledger, role: 'both', redisUrl, register: 'off', logLevel: 'warn', quiet: true },
    },
    ...{ problems: [], warnings: [] },
  });
  const lines = await runChecks(
    checks.filter(({ id }) => id === 'redis' || id === 'ledger'),
    probes,
  );
  await close();
  rmSync(dataDir, { recursive: true });
  return lines
    .filter(({ state }) => state === 'wrong' || state === 'warning')
    .map(({ state, words, remedy }) => `${state}: ${words.markup} ${remedy?.markup ?? ''}`);
}

/** What a start says of it: each warning of the log, and why it goes no further. */
async function started(redisUrl: string, ledger: LedgerIn): Promise<string[]> {
  const said: string[] = [];
  const log = { ...notes(), warn: (_facts: object, words: string) => said.push(`warning: ${words}`) };
  const closing: Closing = [];
  const around = { discord: { token, guild: '', register: false }, redisUrl, ledger, log };
  try {
    const place = await openRedis(around, closing);
    const own = { ...place, panel: 'panel', processId: 'a', version: '0.1.0', log: notes() };
    if (ledger === 'redis') await inRedis(own, closing);
  } catch (error) {
    // While it tries to connect, it logs what it then stops at.
    said.splice(0);
    const { message, remedy } = error as Error & { remedy?: string };
    said.push(`wrong: ${remedy === undefined ? message : `${message}. ${remedy}`}`);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
  return said.filter((words) => !words.includes('ledger in Redis is empty'));
}

/** Where a check has nothing to say. */
export const good = '';

/** That a check says this, with the state before it, and a start the same: what a check calls wrong, a start refuses. */
export async function expectJudged(redisUrl: string, expected: Readonly<Record<LedgerIn, string>>): Promise<void> {
  const each = ledgers.map(async (ledger) => {
    // In the order of a person, so that no check relies on what a start leaves behind.
    const check = await checked(redisUrl, ledger);
    const start = await started(redisUrl, ledger);
    expect(start, `${ledger}: a start says what a check says`).toEqual(check);
    expect(check.length, check.join('\n')).toBe(expected[ledger] === good ? 0 : 1);
    expect((check[0] ?? good).slice(0, expected[ledger].length), ledger).toBe(expected[ledger]);
  });
  await Promise.all(each);
}
