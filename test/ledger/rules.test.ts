import { describe, expect, it } from 'vitest';
import type { Entry, NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { at, judges, ledgerAfter } from '../helpers/ledger/rules.ts';
import {
  accepted,
  asked,
  confirmed as confirmedOf,
  denied,
  intent,
  outcome,
  started,
  step,
} from '../helpers/ledger/samples.ts';

type Of<K extends NewEntry['kind']> = Extract<NewEntry, { kind: K }>;

const place = { guild: '1000000000000000001', channel: '1300000000000000001' };
const person = (name: string, n: number) => ({ id: `110000000000000000${n}`, name, roles: ['1200000000000000003'] });
const [alice, bob, carol, dora] = [person('alice', 1), person('bob', 2), person('carol', 3), person('dora', 4)];

/** Bob asks. */
const wanting = (approvals: number): NewRunEntry => Object.assign(asked('a.1'), { approvals });
const confirmed = ({ hash = '' }: Partial<Entry>): NewRunEntry => confirmedOf({ run: 'a.1', hash });
const until = (clock: string) => (first: Entry) => Object.assign(confirmed(first), { until: at(clock) });
const quarter = until('22:15');
const approved =
  (actor = alice, own: Partial<Of<'approved'>> = {}) =>
  ({ hash }: Entry): NewEntry => ({ ...intent('a.1'), kind: 'approved', actor, question: hash, owner: 'p', ...own });
const ending = (how: 'cancelled' | 'expired'): NewEntry => Object.assign(outcome('a.1'), { outcome: how, reason: how });

const freeze: NewEntry = {
  kind: 'frozen',
  actor: carol,
  until: at('23:00'),
  why: 'migration',
  place: { ...place, message: '14' },
};

const unavailable = (reason: 'redis-unavailable' | 'ledger-unavailable' | 'bot-restarted'): NewEntry =>
  Object.assign(outcome('a.1'), { outcome: 'unavailable', reason });
const unknown = Object.assign(outcome('a.1'), { outcome: 'unknown', reason: 'timeout' });
const resolved: NewEntry = { ...intent('a.1'), kind: 'resolved', happened: true, why: 'seen' };
/** Of a.1, on the server of another run. */
const onThatOf = (run: string, own: Partial<Of<'intent'>> = {}): NewEntry =>
  Object.assign(intent(run), { run: 'a.1' }, own);

describe('A run', () => {
  judges('is refused', [
    ['a second outcome', [outcome('a.1')], outcome('a.1'), ['second', 1]],
    ['an outcome after a denial', [denied('a.1')], outcome('a.1'), ['second', 1]],
    ['a denial after an outcome', [outcome('a.1')], denied('a.1'), ['second', 1]],
    ['a second intent', [intent('a.1')], intent('a.1'), ['second', 1]],
    ['an intent after its outcome', [asked('a.1'), outcome('a.1')], intent('a.1'), ['second', 2]],
    ['an intent while its question waits', [asked('a.1')], intent('a.1'), ['out-of-order', 1]],
    ['an intent while another is open on its server', [intent('c.1')], onThatOf('c.1'), ['server-busy', 1]],
    [
      'an intent from before the last change of its server ended',
      [intent('c.1'), outcome('c.1')],
      onThatOf('c.1', { seen: 1 }),
      ['stale', 2],
    ],
    ['an intent in one append with another on its server', [], [intent('c.1'), onThatOf('c.1')], ['server-busy', 1]],
    [
      'an intent in one append with the end of the change before it',
      [intent('c.1')],
      [outcome('c.1'), onThatOf('c.1', { seen: 1 })],
      ['stale', 2],
    ],
    ['a second question', [asked('a.1')], asked('a.1'), ['second', 1]],
    ['a denial after its intent', [intent('a.1')], denied('a.1'), ['second', 1]],
    [
      'an end that says nothing was sent after its intent',
      [intent('a.1')],
      unavailable('redis-unavailable'),
      ['second', 1],
    ],
    ['a restart before it after its intent', [intent('a.1')], unavailable('bot-restarted'), ['second', 1]],
    [
      'an end that nobody at work could tell while its question waits',
      [asked('a.1')],
      unavailable('redis-unavailable'),
      ['out-of-order', 1],
    ],
    ['what somebody says of an end that is known', [intent('a.1'), outcome('a.1')], resolved, ['out-of-order', 2]],
    ['what somebody says of an end a second time', [intent('a.1'), unknown, resolved], resolved, ['second', 3]],
  ]);

  judges('ends although its intent was recorded too late for its request', [
    ['the ledger was away', [intent('a.1')], unavailable('ledger-unavailable')],
  ]);

  judges('whose question waits cannot be', [
    ['confirmed twice', [asked('a.1'), confirmed], confirmed, ['second', 2]],
    ['confirmed after it was cancelled', [asked('a.1'), ending('cancelled')], confirmed, ['second', 2]],
    ['cancelled after it was confirmed', [asked('a.1'), confirmed], ending('cancelled'), ['second', 2]],
    ['confirmed as another question', [asked('a.1')], confirmed({ hash: 'b'.repeat(64) }), ['out-of-order', 1]],
    [
      'confirmed when its time is over',
      [Object.assign(asked('a.1'), { expires: at('22:00') })],
      confirmed,
      ['expired', 1],
    ],
  ]);

  judges('that wants an approval', [
    ['waits for it', [wanting(1), quarter], intent('a.1'), ['out-of-order', 2]],
    ['is carried out after it', [wanting(1), quarter, approved()], intent('a.1')],
    ['is not approved before Confirm', [wanting(1)], approved(), ['out-of-order', 1]],
    ['nor in the same append before it', [wanting(1)], [approved(), quarter], ['out-of-order', 1]],
    ['is not approved by the requester', [wanting(1), quarter], approved(bob), ['second', 1]],
    [
      'is not approved as another question',
      [wanting(1), quarter],
      approved(alice, { question: 'b'.repeat(64) }),
      ['out-of-order', 1],
    ],
    ['is not approved when its time is over', [wanting(1), until('22:00')], approved(), ['expired', 2]],
    ['is not approved while a freeze is in force', [wanting(1), quarter, freeze], approved(), ['stopped', 3]],
    ['is not approved by one of two twice', [wanting(2), quarter, approved()], approved(), ['second', 3]],
    ['nor twice at once', [wanting(2), quarter, approved()], [approved(carol), approved(carol)], ['second', 4]],
    ['waits for the second of two', [wanting(2), quarter, approved()], intent('a.1'), ['out-of-order', 2]],
    ['is carried out after the second', [wanting(2), quarter, approved(), approved(carol)], intent('a.1')],
    ['wants no third', [wanting(2), quarter, approved(), approved(carol)], approved(dora), ['second', 4]],
    [
      'is not cancelled after the last approval',
      [wanting(1), quarter],
      [approved(), ending('cancelled')],
      ['second', 3],
    ],
    ['does not expire after it', [wanting(1), quarter], [approved(), ending('expired')], ['second', 3]],
    ['is not approved after it was cancelled', [wanting(1), quarter, ending('cancelled')], approved(), ['second', 3]],
    ['nor carried out', [wanting(1), quarter, ending('expired')], intent('a.1'), ['second', 3]],
  ]);

  judges('that wants none', [
    ['takes no approval', [asked('a.1'), confirmed], approved(), ['second', 2]],
    ['is carried out after Confirm', [asked('a.1'), confirmed], intent('a.1')],
  ]);
});

/** Bob asks others to run it. */
const requested = (expires = at('22:15')): NewEntry => ({
  ...intent('a.1'),
  kind: 'requested',
  expires,
  denied: 'd.1',
  facts: {},
});
const takenOn = (actor = alice, own: Partial<NewRunEntry> = {}): NewEntry =>
  Object.assign(asked('a.1'), { actor, ...own });

describe('What others are asked to run', () => {
  judges('is', [
    ['taken on by one of them', [requested()], takenOn()],
    ['not taken on by whoever asked', [requested()], takenOn(bob), ['second', 1]],
    ['not taken on twice', [requested(), takenOn()], takenOn(carol), ['second', 2]],
    ['not taken on as another command', [requested()], takenOn(alice, { options: {} }), ['out-of-order', 1]],
    ['not taken on when its time is over', [requested(at('22:00'))], takenOn(), ['expired', 1]],
  ]);
});

const begun = [intent('a.1'), accepted('a.1'), started('a.1')];
const endsWith = (end: 'finished' | 'failed' | 'unknown') => step('a.1', { step: 'ended', end });
const announced = step('a.1', { step: 'announced' });
const reminded = step('a.1', { step: 'reminded', n: 1 });
const handedOver = step('a.1', { step: 'handed-over', to: carol });

describe('A follow-up', () => {
  judges('is refused', [
    ['a second start', begun, started('a.1'), ['second', 3]],
    ['a start without an outcome', [intent('a.1')], started('a.1'), ['out-of-order', undefined]],
    ['a start after a no', [outcome('a.1')], started('a.1'), ['out-of-order', 1]],
    ['an end without a start', [accepted('a.1')], endsWith('finished'), ['out-of-order', 1]],
    ['a second end', [...begun, endsWith('finished')], endsWith('failed'), ['second', 4]],
    ['an announcement before its end', begun, announced, ['out-of-order', 3]],
    ['a second announcement', [...begun, endsWith('finished'), announced], announced, ['second', 5]],
    ['a reminder after its end', [...begun, endsWith('unknown')], reminded, ['out-of-order', 4]],
    ['the same reminder again', [...begun, reminded], reminded, ['second', 3]],
    ['a reminder before a start', [accepted('a.1')], reminded, ['out-of-order', 1]],
    ['a hand-over after its end', [...begun, endsWith('unknown')], handedOver, ['out-of-order', 4]],
  ]);

  const elsewhere = { ...place, message: '1400000000000000009' };
  const moved = step('a.1', { step: 'moved' }, elsewhere);

  it('says where its card is, who is pinged, and how it goes on, until its end is announced', () => {
    const steps = [...begun, moved, handedOver, step('a.1', { step: 'reminded', n: 2 })];
    expect(ledgerAfter(steps.slice(0, 1)).following()).toEqual([]);
    expect(ledgerAfter(steps.slice(0, 3)).following()).toMatchObject([
      {
        outcome: { outcome: 'accepted' },
        followUp: { card: '1400000000000000001', notify: { name: 'bob' }, reminded: 0 },
      },
    ]);
    expect(ledgerAfter(steps).following()).toMatchObject([
      { run: 'a.1', followUp: { card: elsewhere.message, notify: carol, reminded: 2 } },
    ]);
    expect(ledgerAfter([...steps, endsWith('failed')]).following()).toMatchObject([
      { followUp: { ended: { end: 'failed' } } },
    ]);
    expect(ledgerAfter([...steps, endsWith('failed'), announced]).following()).toEqual([]);
  });

  it('may have its card moved after its end, and after the announcement', () => {
    const ledger = ledgerAfter([...begun, endsWith('unknown'), announced, moved]);
    expect(ledger.run('a.1')?.followUp).toMatchObject({ card: elsewhere.message, ended: { end: 'unknown' } });
  });
});

const web1 = { id: 101, name: 'web-1' };
const onWeb1 = (entry: NewRunEntry): NewRunEntry => ({ ...entry, server: web1 });
const readBack = Object.assign(onWeb1(accepted('a.1')), {
  ...{ kind: 'read-back', rules: { interface: 'primary', count: 3, sha256: 'b'.repeat(64) } },
});
const taken = [intent('a.1'), accepted('a.1')].map(onWeb1);

describe('What is read after a change', () => {
  judges('is recorded', [
    ['not before the panel took it', taken.slice(0, 1), readBack, ['out-of-order', undefined]],
    ['after the panel took it', taken, readBack],
    ['once', [...taken, readBack], readBack, ['second', 3]],
    ['of no run that the panel refused', [intent('a.1'), outcome('a.1')].map(onWeb1), readBack, ['out-of-order', 2]],
    ['not while another change of that server is under way', [...taken, onWeb1(intent('b.1'))], readBack, ['stale', 3]],
    ['nor after one', [...taken, onWeb1(intent('b.1')), onWeb1(outcome('b.1'))], readBack, ['stale', 4]],
  ]);
});

const glass: NewRunEntry = Object.assign(asked('a.1'), { glass: 'nobody answers' });
const reviewed = (actor = alice): NewEntry => ({ ...intent('a.1'), kind: 'reviewed', actor, why: 'fine' });

describe('What was done with break-glass', () => {
  const done = [glass, confirmed, intent('a.1'), outcome('a.1')];

  judges('is reviewed', [
    ['not before Confirm', done.slice(0, 1), reviewed(), ['out-of-order', 1]],
    ['not before it was sent', done.slice(0, 2), reviewed(), ['out-of-order', 1]],
    ['not before it is known how it ended', done.slice(0, 3), reviewed(), ['out-of-order', 1]],
    ['by somebody else', done, reviewed()],
    ['not by whoever did it', done, reviewed(bob), ['second', 1]],
    ['once', [...done, reviewed()], reviewed(carol), ['second', 5]],
    ['by one of two at once', done, [reviewed(), reviewed(carol)], ['second', 5]],
    ['and nothing else is', [asked('a.1'), confirmed, intent('a.1')], reviewed(), ['out-of-order', 1]],
  ]);

  it('waits for its review from its request to that', () => {
    const waiting = [2, 3, 4].map((steps) => ledgerAfter(done.slice(0, steps)).unreviewed().length);
    expect([...waiting, ledgerAfter([...done, reviewed()]).unreviewed().length]).toEqual([0, 1, 1, 0]);
  });
});
