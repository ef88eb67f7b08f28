import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSource } from '../../src/follow-ups/source.ts';
import { finding } from '../../src/redis/finding.ts';
import { notes, ownRedis } from '../redis/instance.ts';

describe('a panel without a read of its queue', () => {
  const { connect } = ownRedis();

  it('is found out by one process, and known to the others', async () => {
    const log = notes();
    const notFound = { kind: 'no', reason: 'not-found', status: 404 } as const;
    const panel = { look: () => Promise.resolve(notFound), slot: () => Promise.resolve(0) };
    const worker = createSource(panel, undefined, finding(await connect(), 'no-queue-read'), log);
    const gateway = createSource(panel, undefined, finding(await connect(), 'no-queue-read'), log);
    await gateway.hear();
    expect(gateway.troubles()).toEqual([]);

    expect(await worker.look(powerAction(Date.now() + 1000))).toEqual({ kind: 'no-read' });
    await gateway.hear();
    expect(gateway.troubles()).toEqual([
      'The panel has no read of its queue (404), so power actions are not followed.',
    ]);
    expect(gateway.unreadable('power')).toBe(true);
  });

  it('is not forgotten by a process that was asking the others while it found out', async () => {
    const notFound = { kind: 'no', reason: 'not-found', status: 404 } as const;
    const panel = { look: () => Promise.resolve(notFound), slot: () => Promise.resolve(0) };
    const others = new EventEmitter();
    const isKnown = () => once(others, 'answer').then(() => false);
    const worker = createSource(panel, undefined, { isKnown, tell: () => Promise.resolve() }, notes());
    const heard = worker.hear();
    await worker.look(powerAction(Date.now() + 1000));
    others.emit('answer');
    await heard;
    expect(worker.unreadable('power')).toBe(true);
  });
});

function powerAction(started: number) {
  const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
  return {
    id: 'queue-5001',
    follow: 'power' as const,
    run: 'r.1',
    stem: 'r',
    width: 1,
    server: { id: 101, name: 'web-1' },
    job: 5001,
    command: 'power.boot',
    requester: alice,
    notify: alice,
    place: { guild: '1100000000000000001', channel: '1300000000000000001' },
    origin: '1500000000000000001',
    card: '1500000000000000001',
    started,
    deadline: started + 86_400_000,
    reminded: 0,
    announced: false,
  };
}
