import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { type CallResult, outcomeOf, type RawOptions } from '../../src/outcome.ts';
import { type Book, openBook } from '../../src/runs/book.ts';
import { writeEffect } from '../../src/runs/effects.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { team } from '../helpers/team.ts';
import { tries } from '../helpers/tries.ts';

const servers = [
  { id: 101, name: 'web-1' },
  { id: 102, name: 'web-2' },
];
const find = (text: string) => servers.find(({ id, name }) => text === name || text === String(id));
const actor = { id: '1', name: 'alice', roles: [] };
const place = { guild: '1', channel: '2', message: '3' };
const later = '2026-11-20T22:00:00.000Z';

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

const answers: Record<Step['answer'], CallResult<unknown>> = {
  yes: { kind: 'yes', data: { queueId: 7, enabled: true, rules: [] } },
  no: { kind: 'no', reason: 'refused', status: 422 },
  unknown: { kind: 'unknown', reason: 'timeout' },
};

const isPower = ({ command }: Step): boolean => command.startsWith('power.');

function preparedOf({ command, options }: Step) {
  const prepared = commands.find(({ id }) => id === command)?.prepare(options, { now: 0, team, find });
  const [target] = prepared?.servers ?? [];
  if (prepared?.kind !== 'change' || target === undefined) throw new Error(`${command} changes nothing`);
  return { prepared, target };
}

/** Runs them one after the other, as the ledger has them, and then says what became known late. */
async function played(steps: readonly Step[]): Promise<Book> {
  const book = openBook();
  const put = (entry: NewRunEntry) =>
    book.add(seal(entry, book.records.entries().length + 1, '2026-11-19T22:00:00.000Z', ''));
  const of = ({ command, options }: Step, at: number) => {
    const target = servers.find(({ id }) => String(id) === options['server']);
    return { run: `run${at}.1`, actor, command, options, place, server: target };
  };
  for (const [at, each] of steps.entries()) {
    const base = of(each, at);
    const { prepared, target } = preparedOf(each);
    const open = book.records.effects().flatMap((one) => (one.server.id === target.id ? [one.effect] : []));
    const { opens = [], closes = [] } = prepared.effects(open);
    put({ ...base, kind: 'intent', opens: opens.map(writeEffect), closes: closes.map(writeEffect) });
    // Each command asks the endpoint that its answer is for.
    const answer = await prepared.attempt(target, () => Promise.resolve(answers[each.answer] as CallResult<never>));
    const outcome = answer.kind === 'yes' ? (answer.data?.outcome ?? 'succeeded') : outcomeOf[answer.kind];
    put({ ...base, kind: 'outcome', outcome });
    if (answer.kind === 'yes' && answer.data?.job?.id !== undefined)
      put({ ...base, kind: 'follow-up', step: 'started', follow: 'power', job: answer.data.job.id, deadline: later });
  }
  for (const [at, each] of steps.entries()) {
    const { late } = each;
    if (each.answer === 'unknown' && (late === 'happened' || late === 'not'))
      put({ ...of(each, at), kind: 'resolved', happened: late === 'happened', why: 'seen' });
    if (each.answer === 'yes' && isPower(each) && (late === 'failed' || late === 'unseen'))
      put({ ...of(each, at), kind: 'follow-up', step: 'ended', end: late === 'failed' ? 'failed' : 'unknown' });
  }
  return book;
}

/** What is open, by a model that knows nothing of entries: those that were done, one after the other. */
function model(steps: readonly Step[]): string[] {
  const open = new Set<string>();
  const set = (what: string, on: boolean): void => void (on ? open.add(what) : open.delete(what));
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
    const of = `${options['server']}`;
    const now = options['sync'] !== false;
    const off: [string, boolean] = [`${of} firewall-off ${options['interface']}`, command === 'firewall.disable'];
    if (command.startsWith('firewall.'))
      store(`${of} firewall ${options['interface']}`, command === 'firewall.sync' ? [] : [off], now);
    const isDown = command === 'power.shutdown' || command === 'power.poweroff';
    // What nobody saw the end of may have left a server down; it brought none up.
    if (isPower(each) && (isDown || answer !== 'yes' || late !== 'unseen')) set(`${of} down`, isDown);
    if (command === 'cpu.throttle') store(`${of} throttle`, [[`${of} throttle`, options['percent'] !== 0]], now);
  }
  return [...open].sort();
}

describe('what is open', () => {
  it('is what a plain model says, whatever was run, refused, unknown, and known late', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { records } = await played(steps);
        const open = records.effects().map(({ server: on, effect }) => `${on.id} ${writeEffect(effect)}`);
        expect(open.sort()).toEqual(model(steps));
        for (const { id } of servers)
          expect(records.effects(id)).toEqual(records.effects().filter(({ server: on }) => on.id === id));
      }),
      { numRuns: tries(400) },
    );
  });

  it('is the same when the ledger is read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { records } = await played(steps);
        const again = openBook();
        for (const entry of records.entries()) again.add(entry);
        expect(again.records.effects()).toEqual(records.effects());
        expect(again.records.unknown()).toEqual(records.unknown());
      }),
      { numRuns: tries(100) },
    );
  });
});
