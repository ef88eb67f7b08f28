import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { seal } from '../../src/ledger/chain.ts';
import type { Answer, RawOptions } from '../../src/outcome.ts';
import { change } from '../../src/run/change.ts';
import type { Parts } from '../../src/run/parts.ts';
import { openBook } from '../../src/runs/book.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { quietLog } from '../races.ts';
import { followUpsOf, panelOf, quiet } from '../stand-ins.ts';

const servers = [
  { id: 101, name: 'web-1' },
  { id: 102, name: 'web-2' },
];
const find = (text: string) => servers.find(({ id, name }) => text === name || text === String(id));
const actor = { id: '1', name: 'alice', roles: [] };
const place = { guild: '1', channel: '2', message: '3' };

/** A ledger in memory that is one to the corridor. */
function memory(): Parts['ledger'] & { put(entry: Partial<NewRunEntry> & Pick<NewRunEntry, 'run' | 'kind'>): void } {
  const book = openBook();
  const put = (entry: NewRunEntry) => {
    const sealed = seal(entry, book.records.entries().length + 1, '2026-11-19T22:00:00.000Z', '');
    book.add(sealed);
    return sealed;
  };
  return {
    ...book.records,
    refresh: () => Promise.resolve(),
    // The entries of these tests are runs' alone.
    append: (entries) => Promise.resolve(entries.map((entry) => put(entry as NewRunEntry))),
    put: (entry) => void put({ actor, command: 'x', options: {}, place, ...entry }),
  };
}

/** One run: what was typed, what the panel answers, and what becomes known of it at the very end. */
interface Step {
  command: string;
  options: RawOptions;
  answer: 'yes' | 'no' | 'unknown';
  late: 'nothing' | 'happened' | 'not' | 'failed' | 'unseen';
}

const server = fc.constantFrom('101', '102');
const network = fc.constantFrom('primary', 'secondary');
const typed: fc.Arbitrary<Pick<Step, 'command' | 'options'>> = fc.oneof(
  fc.record({
    command: fc.constantFrom('firewall.disable', 'firewall.enable'),
    options: fc.record({ server, interface: network, sync: fc.boolean() }),
  }),
  fc.record({ command: fc.constant('firewall.sync'), options: fc.record({ server, interface: network }) }),
  fc.record({
    command: fc.constantFrom('power.boot', 'power.shutdown', 'power.restart', 'power.poweroff'),
    options: fc.record({ server }),
  }),
  fc.record({
    command: fc.constant('cpu.throttle'),
    options: fc.record({ server, percent: fc.constantFrom(0, 50), sync: fc.boolean() }),
  }),
);
const step: fc.Arbitrary<Step> = fc
  .record({
    typed,
    answer: fc.constantFrom('yes', 'yes', 'no', 'unknown'),
    late: fc.constantFrom('nothing', 'nothing', 'happened', 'not', 'failed', 'unseen'),
  })
  .map((one) => ({ ...one.typed, answer: one.answer as Step['answer'], late: one.late as Step['late'] }));

const answers: Record<Step['answer'], Answer<unknown>> = {
  yes: { kind: 'yes', data: { queueId: 7, enabled: true, rules: [] } },
  no: { kind: 'no', reason: 'refused', status: 422 },
  unknown: { kind: 'unknown', reason: 'timeout' },
};

const isPower = ({ command }: Step): boolean => command.startsWith('power.');

/** Runs them through the corridor, and then says what became known late. */
async function played(steps: readonly Step[]): Promise<Parts['ledger']> {
  const ledger = memory();
  for (const [at, { command: id, options, answer }] of steps.entries()) {
    const command = commands.find((each) => each.id === id);
    const prepared = command?.prepare(options, { now: 0, find });
    if (prepared?.kind !== 'change') throw new Error(`${id} changes nothing`);
    const stem = `run${at}`;
    await change(
      {
        ledger,
        commands,
        rules: { find },
        locks: {
          claim: () => Promise.resolve(true),
          claimant: () => Promise.resolve(undefined),
          lease: () => Promise.resolve({ held: { release: () => Promise.resolve(), lost: () => false } }),
        },
        panel: panelOf(answers[answer]),
        followUps: { ...followUpsOf(), deadline: () => 1_000_000 },
        desk: { edit: () => Promise.resolve() },
        log: quietLog,
        now: () => 0,
        owner: 'me',
        owed: [],
        doubted: new Set(),
        trail: quiet.trail,
      },
      {
        about: { command: id, actor, servers: prepared.servers, stem },
        place,
        options: prepared.options,
        prepared,
        runs: prepared.servers.map((target) => ({ run: `${stem}.1`, server: target })),
        show: () => Promise.resolve(),
      },
    );
  }
  for (const [at, each] of steps.entries()) {
    const run = `run${at}.1`;
    if (each.answer === 'unknown' && (each.late === 'happened' || each.late === 'not'))
      ledger.put({ run, kind: 'resolved', happened: each.late === 'happened', why: 'seen' });
    if (each.answer === 'yes' && isPower(each) && (each.late === 'failed' || each.late === 'unseen'))
      ledger.put({ run, kind: 'follow-up', step: 'ended', end: each.late === 'failed' ? 'failed' : 'unknown' });
  }
  return ledger;
}

/** What is loose, by a model that knows nothing of entries: those that were done, one after the other. */
function model(steps: readonly Step[]): string[] {
  const loose = new Set<string>();
  const set = (what: string, on: boolean): void => void (on ? loose.add(what) : loose.delete(what));
  /** What is stored for an interface or a throttle, until it is applied. */
  const stored = new Map<string, [what: string, on: boolean][]>();
  const store = (part: string, changes: [what: string, on: boolean][], apply: boolean): void => {
    const all = [...(stored.get(part) ?? []), ...changes];
    stored.set(part, apply ? [] : all);
    if (apply) for (const change of all) set(...change);
    set(`${part.replace(' ', ' unapplied ')}`, !apply);
  };
  for (const each of steps) {
    const { command, options, answer, late } = each;
    const done = answer === 'yes' ? !(late === 'failed' && isPower(each)) : answer === 'unknown' && late === 'happened';
    if (!done) continue;
    const of = `${options.server}`;
    const now = options.sync !== false;
    const off: [string, boolean] = [`${of} firewall-off ${options.interface}`, command === 'firewall.disable'];
    if (command.startsWith('firewall.'))
      store(`${of} firewall ${options.interface}`, command === 'firewall.sync' ? [] : [off], now);
    const isDown = command === 'power.shutdown' || command === 'power.poweroff';
    // What nobody saw the end of may have left a server down; it brought none up.
    if (isPower(each) && (isDown || answer !== 'yes' || late !== 'unseen')) set(`${of} down`, isDown);
    if (command === 'cpu.throttle') store(`${of} throttle`, [[`${of} throttle`, options.percent !== 0]], now);
  }
  return [...loose].sort();
}

describe('what is loose', () => {
  it('is what a plain model says, whatever was run, refused, unknown, and known late', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const ledger = await played(steps);
        const loose = ledger.loose().map((end) => `${end.server.id} ${end.what}`);
        expect(loose.sort()).toEqual(model(steps));
      }),
      { numRuns: 400 },
    );
  });

  it('is the same when the ledger is read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const ledger = await played(steps);
        const again = openBook();
        for (const entry of ledger.entries()) again.add(entry);
        expect(again.records.loose()).toEqual(ledger.loose());
        expect(again.records.unknown()).toEqual(ledger.unknown());
      }),
      { numRuns: 100 },
    );
  });
});
