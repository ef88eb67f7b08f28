import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerUnavailable, RedisUnavailable } from '../../../src/outcome.ts';
import { alice, bob, followed, startPipeline, type TestPipeline } from '../../helpers/follow-ups/pipeline.ts';
import { labelsOf, textOf } from '../../helpers/messages.ts';

let pipeline: TestPipeline;
beforeEach(async () => {
  pipeline = await startPipeline();
});
afterEach(() => pipeline.close());

const since = '<t:1795125600:R>';
const db = { id: 'restore-111-9002', server: { id: 111, name: 'db-1', tier: 'production' } };
const lab = { id: 'restore-201-9003', server: { id: 201, name: 'lab-1', tier: 'lab' } };
const link = 'https://discord.com/channels/1100000000000000001/1300000000000000001/1500000000000000007';

describe('/follow-ups list', () => {
  it('says who started what, since when, how it was last seen, and where its card is', async () => {
    pipeline.book.open = [
      followed({ seen: { word: 'restoring @everyone', progress: 41.6, at: Date.parse('2026-11-19T22:04:00Z') } }),
      followed({ ...db, notify: bob, seen: { word: 'queued', at: 0 }, blindSince: Date.parse('2026-11-19T22:05:00Z') }),
      followed({ ...lab, unreadable: true }),
      followed({ id: 'queue-77', command: 'power.shutdown' }),
    ];
    const card = await pipeline.says('alice', '/follow-ups list');
    expect(textOf(card)).toBe(`Follow-ups
4 jobs followed.
**web-1 (101)** /backup restore, started by <@1400000000000000001> ${since}.
\`restoring @everyone\`, 42 %, seen <t:1795125840:R>. [Its card](${link}) · \`restore-101-9001\`
**db-1 (111)** /backup restore, started by <@1400000000000000001> ${since}. Handed over to <@1400000000000000002>.
\`queued\`, seen <t:0:R>. It has not been visible since <t:1795125900:R>. [Its card](${link}) · \`restore-111-9002\`
**lab-1 (201)** /backup restore, started by <@1400000000000000001> ${since}.
The panel offers no way to read it: nothing is known. [Its card](${link}) · \`restore-201-9003\`
**web-1 (101)** /power shutdown, started by <@1400000000000000001> ${since}.
Not seen yet. [Its card](${link}) · \`queue-77\``);
    expect(card.ephemeral).toBe(true);
    expect(labelsOf(card)).toEqual(['Share']);
  });

  it('is for one server where one is named', async () => {
    pipeline.book.open = [followed(), followed(db)];
    const card = textOf(await pipeline.says('carol', '/follow-ups list server:db-1'));
    expect(card).toContain('Follow-ups of db-1');
    expect(card).toContain('restore-111-9002');
    expect(card).not.toContain('restore-101-9001');
  });

  it('shows nobody a server that is not theirs, and denies it where it is named', async () => {
    pipeline.book.open = [followed(), followed(lab)];
    const card = textOf(await pipeline.says('bob', '/follow-ups list'));
    expect(card).toContain('restore-101-9001');
    expect(card).not.toContain('lab-1');
    expect(textOf(await pipeline.says('bob', '/follow-ups list server:lab-1'))).toContain('DENIED /follow-ups list');
    expect(textOf(await pipeline.says('mallory', '/follow-ups list'))).toContain('DENIED /follow-ups list');
  });

  it('goes on behind Next', async () => {
    pipeline.book.open = Array.from({ length: 20 }, (_, i) => followed({ id: `restore-101-${8000 + i}` }));
    const first = await pipeline.says('alice', '/follow-ups list');
    expect(textOf(first)).toContain('Showing 1–8 of 20 follow-ups.');
    expect(labelsOf(first)).toEqual(['Next', 'Share']);
    const second = await pipeline.clicks('alice', first, 'Next');
    expect(textOf(second)).toContain('Showing 9–16 of 20 follow-ups.');
    expect(textOf(second)).toContain('restore-101-8015');
    expect(labelsOf(second)).toEqual(['Previous', 'Next', 'Share']);
  });
});

describe('/follow-ups stop', () => {
  it('ends the newest of the server, for everybody to see', async () => {
    pipeline.book.open = [followed(), followed({ id: 'restore-101-9005' }), followed(db)];
    const card = await pipeline.says('bob', '/follow-ups stop server:web-1');
    expect(textOf(card)).toBe(`SUCCEEDED /follow-ups stop · web-1 (101, production)
/backup restore of web-1 (101) (\`restore-101-9005\`) is no longer followed; nobody is pinged when it ends.
The panel continues with it: nothing changed there. It stays in /handover until somebody says on its card how it ended.
[Its card](${link})
By <@1400000000000000002>`);
    expect(card.ephemeral).toBe(false);
    expect(card.pinged).toEqual([]);
    expect(card.buttons).toEqual([]);
    expect(pipeline.book.deeds).toEqual([{ deed: 'stop', id: 'restore-101-9005', by: 'bob' }]);
  });

  it('ends the one that is named', async () => {
    pipeline.book.open = [followed(), followed({ id: 'restore-101-9005' })];
    await pipeline.says('alice', '/follow-ups stop server:web-1 id:restore-101-9001');
    expect(pipeline.book.deeds).toEqual([{ deed: 'stop', id: 'restore-101-9001', by: 'alice' }]);
  });

  it('ends nothing where nothing is followed, or the one that is named is of another server', async () => {
    pipeline.book.open = [followed(lab)];
    const none = textOf(await pipeline.says('bob', '/follow-ups stop server:web-1'));
    expect(none).toContain('INVALID /follow-ups stop');
    expect(none).toContain('Nothing of web-1 (101) is being followed.');
    const other = textOf(await pipeline.says('bob', '/follow-ups stop server:web-1 id:restore-201-9003'));
    expect(other).toContain('`id:restore-201-9003`: no such follow-up of web-1 (101) is under way.');
    expect(pipeline.book.deeds).toEqual([]);
  });

  it('says when it has ended in between', async () => {
    pipeline.book.open = [followed()];
    pipeline.book.answer = () => Promise.resolve(false);
    const card = textOf(await pipeline.says('alice', '/follow-ups stop server:web-1'));
    expect(card).toContain('INVALID /follow-ups stop');
    expect(card).toContain('/backup restore of web-1 (101) (`restore-101-9001`) has just ended: see its card.');
  });

  it('is denied to those who only read, and on servers that are not theirs', async () => {
    pipeline.book.open = [followed(), followed(lab)];
    expect(textOf(await pipeline.says('carol', '/follow-ups stop server:web-1'))).toContain('DENIED /follow-ups stop');
    expect(textOf(await pipeline.says('bob', '/follow-ups stop server:lab-1'))).toContain('DENIED /follow-ups stop');
    expect(pipeline.book.deeds).toEqual([]);
  });
});

describe('/follow-ups ended', () => {
  it('records how the newest ended that nobody follows any more, for everybody to see', async () => {
    pipeline.book.open = [followed({ id: 'restore-101-9007' })];
    pipeline.book.left = [followed(), followed({ id: 'restore-101-9005' }), followed(db)];
    const card = await pipeline.says('bob', '/follow-ups ended server:web-1 how:finished');
    expect(textOf(card)).toBe(`SUCCEEDED /follow-ups ended · web-1 (101, production)
/backup restore of web-1 (101) (\`restore-101-9005\`) finished: its card says so, and that you say it.
[Its card](${link})
By <@1400000000000000002>`);
    expect([card.ephemeral, card.pinged]).toEqual([false, []]);
    await pipeline.says('alice', '/follow-ups ended server:web-1 how:failed id:restore-101-9001');
    expect(pipeline.book.deeds).toEqual([
      { deed: 'finished', id: 'restore-101-9005', by: 'bob' },
      { deed: 'failed', id: 'restore-101-9001', by: 'alice' },
    ]);
  });

  it('ends nothing that is followed, nor what somebody else was faster to end', async () => {
    pipeline.book.open = [followed()];
    const none = textOf(await pipeline.says('bob', '/follow-ups ended server:web-1 how:finished'));
    expect(none).toContain('INVALID /follow-ups ended');
    expect(none).toContain('Nothing of web-1 (101) may still run without being followed.');
    const named = '/follow-ups ended server:web-1 how:finished id:restore-101-9001';
    expect(textOf(await pipeline.says('bob', named))).toContain(
      '`id:restore-101-9001`: nothing like that of web-1 (101) may still run',
    );
    expect(pipeline.book.deeds).toEqual([]);
    pipeline.book.left = [followed()];
    pipeline.book.answer = () => Promise.resolve(false);
    expect(textOf(await pipeline.says('bob', named))).toContain('has just ended: see its card.');
  });
});

describe('/follow-ups hand-over', () => {
  it('gives the ping to the one who is named', async () => {
    pipeline.book.open = [followed()];
    const card = await pipeline.says('alice', '/follow-ups hand-over server:web-1 user:@bob');
    expect(textOf(card)).toBe(`SUCCEEDED /follow-ups hand-over · web-1 (101, production)
/backup restore of web-1 (101) (\`restore-101-9001\`) is handed over to <@1400000000000000002>, who is pinged about its end in place of <@1400000000000000001>, if the policy pings anybody.
[Its card](${link})
By <@1400000000000000001>`);
    expect(card.ephemeral).toBe(false);
    expect(card.pinged).toEqual([]);
    expect(pipeline.book.deeds).toEqual([{ deed: 'hand-over', id: 'restore-101-9001', by: 'alice', to: bob }]);
  });

  it('changes nothing when it is theirs already', async () => {
    pipeline.book.open = [followed()];
    const card = textOf(await pipeline.says('bob', '/follow-ups hand-over server:web-1 user:alice'));
    expect(card).toContain(`<@${alice.id}> has it already.\nNothing was changed.`);
    expect(pipeline.book.deeds).toEqual([]);
  });

  it('takes no bot', async () => {
    pipeline.book.open = [followed()];
    const card = await pipeline.says('alice', '/follow-ups hand-over server:web-1 user:panelops');
    expect(textOf(card)).toContain('`: pick a person of this guild, and no bot: nobody else sees a ping here.');
    expect(card.ephemeral).toBe(true);
    expect(pipeline.book.deeds).toEqual([]);
  });
});

describe('what cannot be done now', () => {
  it.each([
    ['the ledger', new LedgerUnavailable(), 'It may have recorded this.'],
    ['Redis', new RedisUnavailable(), 'Redis cannot be reached'],
  ])('is unavailable without %s', async (_, error, says) => {
    pipeline.book.open = [followed()];
    pipeline.book.answer = () => Promise.reject(error);
    const card = textOf(await pipeline.says('alice', '/follow-ups stop server:web-1'));
    expect(card).toContain('UNAVAILABLE /follow-ups stop · web-1 (101, production)');
    expect(card).toContain(says);
  });

  it('is not started while another process may lead; the list works', async () => {
    pipeline.book.open = [followed()];
    pipeline.loseLead();
    expect(textOf(await pipeline.says('alice', '/follow-ups stop server:web-1'))).toContain('UNAVAILABLE');
    expect(pipeline.book.deeds).toEqual([]);
    expect(textOf(await pipeline.says('alice', '/follow-ups list'))).toContain('restore-101-9001');
  });

  it('is unknown after a fault of the bot, because it may have been done', async () => {
    pipeline.book.open = [followed()];
    pipeline.book.answer = () => Promise.reject(new Error('a fault'));
    const card = textOf(await pipeline.says('alice', '/follow-ups stop server:web-1'));
    expect(card).toContain('UNKNOWN /follow-ups stop');
    expect(card).toContain('It may or may not have been done. Nothing was sent to the panel.');
  });
});
