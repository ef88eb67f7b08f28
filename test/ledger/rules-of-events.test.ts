import { describe, expect, it } from 'vitest';
import type { NewEntry, Note } from '../../src/runs/entry.ts';
import { openStops, stopOf } from '../../src/runs/freezes.ts';
import { at, judges, ledgerAfter } from '../helpers/ledger/rules.ts';
import { intent, outcome } from '../helpers/ledger/samples.ts';

type Of<K extends NewEntry['kind']> = Extract<NewEntry, { kind: K }>;

const place = { guild: '1000000000000000001', channel: '1300000000000000001' };
const person = (name: string, n: number) => ({ id: `110000000000000000${n}`, name, roles: ['1200000000000000003'] });
const [alice, bob, carol] = [person('alice', 1), person('bob', 2), person('carol', 3)];

const web1 = { id: 101, name: 'web-1', tier: 'production' };
const message = '1400000000000000001';
const frozen = (end = '23:00', tier?: string): Of<'frozen'> => ({
  ...{ kind: 'frozen', actor: alice, until: at(end), why: 'migration', place: { ...place, message }, tier },
});
const thawed = (ends: number, tier?: string): NewEntry => ({ kind: 'thawed', actor: bob, ends, place, tier });
const held = (actor = bob, over?: number): NewEntry => ({
  ...{ kind: 'held', actor, server: web1, until: at('23:00'), why: 'leak', place, over },
});
const released = (ends: number): NewEntry => ({ kind: 'released', actor: alice, server: web1, ends, place });
/** Of bob, on web-1. */
const change = (own: Partial<Of<'intent'>> = {}): NewEntry => ({
  ...intent('a.1'),
  ...{ kind: 'intent', server: web1, actor: bob, ...own },
});
const stopped = (own: Partial<Of<'outcome'>>): NewEntry =>
  Object.assign(outcome('a.1'), { outcome: 'not-sent', reason: 'frozen', ...own });

describe('A change', () => {
  judges('is refused by', [
    ['a freeze of all servers', [frozen()], change(), ['stopped', 1]],
    ['a freeze in the same append', [], [frozen(), change()], ['stopped', 1]],
    ['a freeze of its tier', [frozen('23:00', 'production')], change(), ['stopped', 1]],
    ['a freeze of its tier in other letters', [frozen('23:00', 'Production')], change(), ['stopped', 1]],
    [
      'a freeze that came after those it goes on in spite of',
      [frozen('23:00', 'production'), frozen()],
      change({ despite: [1] }),
      ['stopped', 2],
    ],
    ['a hold of another person', [held(alice)], change(), ['stopped', 1]],
    [
      'a hold, also of whoever may go on during a freeze',
      [frozen(), held(alice)],
      change({ despite: [1, 2] }),
      ['stopped', 2],
    ],
    ['its hold that was taken over', [held(bob), held(alice, 1)], change(), ['stopped', 2]],
  ]);

  judges('goes on in spite of', [
    ['a freeze of another tier', [frozen('23:00', 'staging')], change()],
    ['a freeze that its question named', [frozen()], change({ despite: [1] })],
    ['a freeze that was ended', [frozen(), thawed(1)], change()],
    ['its own hold', [held(bob)], change()],
    ['a hold of another server', [held(alice)], change({ server: { id: 102 } })],
    ['a hold that was released', [held(alice), released(1)], change()],
  ]);

  judges('that a freeze stopped before its request left has that outcome', [
    ['not from somebody who does not name its intent', [change(), frozen()], stopped({ owner: 'p1' }), ['second', 1]],
    ['not from somebody who names another entry', [change(), frozen()], stopped({ ends: 2 }), ['second', 1]],
    ['from whoever recorded its intent', [change(), frozen()], stopped({ ends: 1 })],
  ]);
});

describe('A freeze or a hold', () => {
  const unreadable = { ...frozen(), until: 'soon' };

  judges('is refused', [
    ['that has passed', [], frozen('22:00'), ['expired', undefined]],
    ['with an end that nobody can read', [], unreadable, ['expired', undefined]],
    ['that would shorten the one in force', [frozen('23:30')], frozen('23:00'), ['second', 1]],
    ['that ends what is not there', [frozen('23:00', 'production')], thawed(1), ['out-of-order', undefined]],
    ['that ends another than the one in force', [frozen(), frozen('23:30')], thawed(1), ['out-of-order', 2]],
    ['that is ended a second time', [frozen(), thawed(1)], thawed(1), ['out-of-order', undefined]],
    ['of a second holder who does not know of the first', [held(alice)], held(bob), ['second', 1]],
    ['of one who knows of another than the last', [held(bob), held(alice, 1)], held(bob, 1), ['second', 2]],
    ['that is released, where nobody has it', [], released(1), ['out-of-order', undefined]],
    ['that is released, and was taken over', [held(bob), held(alice, 1)], released(1), ['out-of-order', 2]],
  ]);

  it('is known until it runs out', () => {
    const ledger = ledgerAfter([
      ...[frozen(), frozen('22:30', 'staging'), frozen('23:00', 'lab')],
      ...[thawed(3, 'lab'), held()],
    ]);
    const shown = (clock: string): unknown => [
      ledger.freezes(Date.parse(at(clock))).map(({ seq }) => seq),
      ledger.holds(Date.parse(at(clock))).map(({ seq }) => seq),
      ledger.hold(101, Date.parse(at(clock)))?.seq,
    ];
    expect(['22:00', '22:30', '23:00'].map(shown)).toEqual([
      [[1, 2], [5], 5],
      [[1], [5], 5],
      [[], [], undefined],
    ]);
  });

  it('that has an end that nobody can read does not end by itself', () => {
    const stops = openStops();
    stops.take({ ...unreadable, seq: 1, time: at('22:00'), prev: '', hash: '' });
    expect(stopOf(stops, { server: web1, actor: bob }, Date.parse('2036-01-01T00:00Z'))?.seq).toBe(1);
  });
});

type IncidentStep = Of<'incident'>;
const incident = (id: string, own: Pick<IncidentStep, 'step'> & Partial<IncidentStep>): NewEntry => ({
  ...{ kind: 'incident', actor: bob, place, incident: id },
  ...own,
});
const opened = (id: string) => incident(id, { step: 'opened', title: 'disks are slow' });
const ended = (id: string) => incident(id, { step: 'ended' });
const note = (of: string): Note => ({
  ...{ message: of, channel: place.channel, author: { id: carol.id, name: 'carol' } },
  ...{ time: at('21:50'), text: `text of ${of}` },
});
const noted = (id: string, of: string) => incident(id, { step: 'noted', note: note(of) });
const looked = (id: string) =>
  incident(id, { step: 'looked', look: { command: 'firewall.show', options: { server: '101' } } });

describe('An incident', () => {
  judges('is refused', [
    ['a second start', [opened('1')], opened('1'), ['second', 1]],
    ['a second end', [opened('1'), ended('1')], ended('1'), ['second', 2]],
    ['an end before its start', [opened('2')], ended('1'), ['out-of-order', undefined]],
    ['a message before its start', [opened('2')], noted('1', '5'), ['out-of-order', undefined]],
    ['a message after its end', [opened('1'), ended('1')], noted('1', '5'), ['second', 2]],
    ['the same message again', [opened('1'), noted('1', '5')], noted('1', '5'), ['second', 2]],
    ['it even after its end', [opened('1'), noted('1', '5'), ended('1')], noted('1', '5'), ['second', 2]],
    ['a read before its start', [opened('2')], looked('1'), ['out-of-order', undefined]],
    ['a read after its end', [opened('1'), ended('1')], looked('1'), ['second', 2]],
  ]);

  it('is known in the order of the starts, with its messages and reads', () => {
    const ledger = ledgerAfter([
      ...[opened('2'), opened('1'), noted('2', '5'), noted('1', '5'), noted('2', '6')],
      ...[looked('1'), looked('1'), ended('2')],
    ]);
    const known = ledger.incidents().map(({ id, title, notes, looks, ended: end }) => ({
      ...{ id, title, notes: notes.map((each) => each.note?.message), looks: looks.length, end: end?.seq },
    }));
    expect(known).toEqual([
      { id: '2', title: 'disks are slow', notes: ['5', '6'], looks: 0, end: 8 },
      { id: '1', title: 'disks are slow', notes: ['5'], looks: 2, end: undefined },
    ]);
  });
});

const found = (of: string): NewEntry => ({
  ...{ kind: 'tampered', actor: bob, finding: 'ahead', channel: '1300000000000000002', message: of },
});
const acknowledged = (...findings: number[]): NewEntry => ({
  ...{ kind: 'acknowledged', actor: bob, findings, why: 'looked into', place },
});
const alerted = (upTo: number): NewEntry => ({ kind: 'alerted', actor: bob, upTo, place });

describe('A finding', () => {
  judges('cannot be', [
    ['acknowledged twice', [found('1'), acknowledged(1)], acknowledged(1), ['second', 2]],
    [
      'acknowledged with one that is already',
      [found('1'), found('2'), acknowledged(1)],
      acknowledged(2, 1),
      ['second', 3],
    ],
    ['acknowledged before it was found', [found('1')], acknowledged(7), ['out-of-order', undefined]],
    ['acknowledged where the entry is none', [found('1'), alerted(1)], acknowledged(2), ['out-of-order', undefined]],
    ['announced twice', [found('1'), alerted(1)], alerted(1), ['second', 2]],
  ]);
});

const alert = { kind: 'alert', actor: bob, card: '1-0' } as const;
const heard = (state: 'firing' | 'resolved', key = 'web-1'): NewEntry => ({
  ...{ kind: 'alert', actor: bob, step: 'received' },
  news: [{ source: 'prometheus', group: 'g', key, state, since: at('21:58'), title: 'HostDown' }],
});
const [fires, ends] = [heard('firing'), heard('resolved')];
const shown = (upTo: number): NewEntry => ({ ...alert, step: 'shown', upTo, place });
const silent: NewEntry = { ...alert, step: 'silent', heard: at('21:59') };
const seenTo = (upTo: number): NewEntry => ({ ...alert, step: 'acknowledged', upTo, place });

describe('A card of alerts', () => {
  judges('cannot be', [
    ['shown before it is there', [], shown(1), ['out-of-order', undefined]],
    ['silent before it is there', [], silent, ['out-of-order', undefined]],
    ['acknowledged before it is there', [], seenTo(1), ['out-of-order', undefined]],
    ['shown with less than people were told', [fires, fires, shown(2)], shown(1), ['second', undefined]],
    ['silent twice', [fires, silent], silent, ['second', undefined]],
    ['acknowledged twice', [fires, seenTo(1)], seenTo(1), ['second', 2]],
    ['acknowledged where nothing fires any more', [fires, ends], seenTo(2), ['second', undefined]],
    ['acknowledged up to before it fired', [fires], seenTo(0), ['second', undefined]],
  ]);

  judges('can be', [
    ['shown again', [fires, shown(1)], shown(1)],
    ['silent again after something was heard', [fires, silent, fires], silent],
    ['acknowledged for what fires since', [fires, seenTo(1), heard('firing', 'web-2')], seenTo(3)],
  ]);
});
