import { describe, expect, it } from 'vitest';
import type { NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { runsOf, type Selection, select } from '../../src/view/select.ts';
import { chain } from '../helpers/record/entries.ts';

const people = {
  alice: { id: '1400000000000000001', name: 'alice', roles: [] },
  bob: { id: '1400000000000000002', name: 'bob', roles: [] },
};
const thread = '1500000000000000001';
const ops = { guild: '1100000000000000001', channel: '1300000000000000001' };
const inThread = { ...ops, channel: thread, parent: ops.channel };

const of = (
  run: string,
  more: Partial<Pick<NewRunEntry, 'actor' | 'command' | 'options' | 'server' | 'place'>> = {},
) => ({
  run,
  actor: people.alice,
  command: 'power.boot',
  options: { server: '101' },
  server: { id: 101, name: 'web-1' },
  place: ops,
  ...more,
});
const inIncident = { place: inThread };
const restore = { command: 'backup.restore', place: inThread };
const incident = (name: 'opened' | 'ended', more: { alert?: string } = {}): NewEntry => ({
  kind: 'incident',
  actor: people.alice,
  incident: thread,
  step: name,
  place: ops,
  ...more,
});

/** At 08:00:00, a second apart. The numbers are those of the entries. */
const entries = chain([
  /*  1 */ { kind: 'started', actor: people.alice, owner: 'a', facts: {} },
  /*  2 */ { ...of('before.1', inIncident), kind: 'intent' },
  /*  3 */ incident('opened'),
  /*  4 */ { ...of('restore.1', restore), kind: 'intent' },
  /*  5 */ { ...of('restore.1', restore), kind: 'outcome', outcome: 'accepted' },
  /*  6 */ { ...of('before.1', inIncident), kind: 'outcome', outcome: 'unknown' },
  /*  7 */ {
    ...of('elsewhere.1', { server: { id: 102, name: 'web-2' }, options: { server: '102' } }),
    ...{ kind: 'outcome', outcome: 'succeeded' },
  },
  /*  8 */ incident('ended'),
  /*  9 */ { ...of('restore.1', restore), kind: 'follow-up', step: 'ended', end: 'failed' },
  /* 10 */ { ...of('after.1', { actor: people.bob, place: inThread }), kind: 'outcome', outcome: 'succeeded' },
  /* 11 */ {
    ...of('before.1', { actor: people.bob, place: inThread }),
    ...{ kind: 'resolved', happened: true, why: 'it is up' },
  },
]);
const { server: _, ...atNoServer } = of('denied.1', { options: { server: 'x, WEB-2 ' } });
const denied = chain([...entries, { ...atNoServer, kind: 'denied', outcome: 'denied' }]);

const seqs = async (selection: Selection, all = entries): Promise<number[]> =>
  (await select(all, selection)).slice().map(({ seq }) => seq);
const at = (second: number): number => Date.UTC(2026, 10, 20, 8, 0, second);

describe('what is meant', () => {
  it('is everything, in its order, when nothing is said', async () => {
    expect(await seqs({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('is what was recorded from one time on, and before another', async () => {
    expect(await seqs({ since: at(3), until: at(6) })).toEqual([4, 5, 6]);
    expect(await seqs({ since: at(10) })).toEqual([11]);
    expect(await seqs({ until: at(1) })).toEqual([1]);
  });

  it('is all of the runs on a server, and nothing else', async () => {
    expect(await seqs({ server: { id: 102 } })).toEqual([7]);
    expect(await seqs({ server: { id: 103 } })).toEqual([]);
  });

  it('has a denial for which the server is only in what was typed', async () => {
    expect(await seqs({ server: { id: 102 } }, denied)).toEqual([7, 12]);
    expect(await seqs({ server: { id: 103, name: 'x' } }, denied)).toEqual([12]);
    expect(await seqs({ server: { id: 103 } }, denied)).toEqual([]);
  });

  it('is what an incident is, and the runs that began in its thread while it was open, to their end', async () => {
    expect(await seqs({ incident: thread })).toEqual([3, 4, 5, 8, 9]);
    expect(
      await seqs(
        { incident: thread },
        entries.filter(({ seq }) => seq < 8),
      ),
    ).toEqual([3, 4, 5]);
    expect(await seqs({ incident: '1500000000000000002' })).toEqual([]);
  });

  it('is the whole runs in which somebody did something', async () => {
    expect(await seqs({ person: people.bob.id })).toEqual([2, 6, 10, 11]);
    expect(await seqs({ person: people.alice.id, server: { id: 102 } })).toEqual([7]);
  });

  it('is the runs of a command, and those that ended so, or whose job did', async () => {
    expect(await seqs({ command: 'backup.restore' })).toEqual([4, 5, 9]);
    expect(await seqs({ outcome: 'accepted' })).toEqual([4, 5, 9]);
    expect(await seqs({ outcome: 'failed' })).toEqual([4, 5, 9]);
    expect(await seqs({ outcome: 'unknown' })).toEqual([2, 6, 11]);
    expect(await seqs({ outcome: 'rejected' })).toEqual([]);
  });

  it('is a run as it stands, and what came of it since', () => {
    const [before, restore] = runsOf(entries);
    expect([before?.furthest.seq, before?.resolved?.seq, before?.newest.seq]).toEqual([6, 11, 11]);
    expect([restore?.furthest.seq, restore?.end?.seq, restore?.newest.seq]).toEqual([5, 9, 9]);
    expect(runsOf(entries.slice(0, 2))[0]).toMatchObject({ furthest: { seq: 2 }, newest: { seq: 2 } });
    const asked: NewRunEntry = { ...of('asked.1'), kind: 'asked', expires: '2026-11-20T08:02:00.000Z' };
    const confirmed: NewRunEntry = { ...of('asked.1'), kind: 'confirmed', question: 'a', owner: 'b' };
    expect(runsOf(chain([asked]))[0]?.furthest.seq).toBe(1);
    expect(runsOf(chain([asked, confirmed]))[0]?.furthest.seq).toBe(2);
  });
});

describe('alerts', () => {
  const bot = { kind: 'alert', actor: people.alice } as const;
  const of = (key: string, id: number, more = {}) => ({
    ...({ source: 'prometheus', group: 'g', key, state: 'firing', since: '2026-11-20T07:59:00.000Z' } as const),
    ...{ title: 'HostDown', servers: [{ id, name: `web-${id}` }], ...more },
  });
  const received = (...news: ReturnType<typeof of>[]): NewEntry => ({ ...bot, step: 'received', news });
  const card = { ...bot, card: '1-0', place: { ...ops, message: thread } };
  const alerts = chain([
    /* 1 */ received(of('a', 101)),
    /* 2 */ { ...card, step: 'shown', upTo: 1 },
    /* 3 */ incident('opened', { alert: '1-0' }),
    /* 4 */ { ...card, step: 'acknowledged', upTo: 1 },
    /* 5 */ received(of('b', 102)),
    /* 6 */ { ...card, step: 'acknowledged', upTo: 5 },
    /* 7 */ received(of('c', 102, { group: 'other' }), of('d', 103, { source: 'grafana' })),
    /* 8 */ received(of('a', 101, { state: 'resolved', group: 'flood' }), of('b', 102, { state: 'resolved' })),
    /* 9 */ incident('ended'),
    /* 10 */ received(of('a', 101)),
  ]);

  it('of a server are what was heard of it, and the steps of the cards that had it by then', async () => {
    expect(await seqs({ server: { id: 101 } }, alerts)).toEqual([1, 2, 4, 6, 8, 10]);
    expect(await seqs({ server: { id: 102 } }, alerts)).toEqual([5, 6, 7, 8]);
    expect(await seqs({ server: { id: 104 } }, alerts)).toEqual([]);
  });

  it('of an incident are those with which it began, and who saw to them, until its end', async () => {
    expect(await seqs({ incident: thread }, alerts)).toEqual([1, 3, 4, 5, 6, 8, 9]);
    expect(await seqs({ incident: thread, server: { id: 101 } }, alerts)).toEqual([1, 4, 6, 8]);
  });
});
