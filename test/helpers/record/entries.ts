import fc from 'fast-check';
import { md } from '../../../src/card.ts';
import { genesis } from '../../../src/ledger/chain.ts';
import { outcomes } from '../../../src/outcome.ts';
import type { Entry, NewEntry, NewRunEntry } from '../../../src/runs/entry.ts';
import type { Own } from '../ledger/samples.ts';
import { seal } from '../ledger/seal.ts';

/** Text as anybody may type it, with characters special to tables, spreadsheets, Markdown, Discord and the trail. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', '＝', '"', "'", ',', ';', '|', '`', '1'),
    maxLength: 12,
  }),
  fc.constantFrom('@everyone', '<@1400000000000000001>', '[a](https://evil.example)', '`x`', '#1–#9 · 0123456789ab'),
  fc.constant('\n# x'),
);
const id = fc.constantFrom('1400000000000000001', '1400000000000000002', '1400000000000000004');
const actor = fc.record({ id, name: text, roles: fc.array(id, { maxLength: 2 }) });
const options = fc.dictionary(
  fc.constantFrom('server', 'reason', 'interface', '10', '9'),
  fc.oneof(text, fc.integer(), fc.boolean()),
);
const server = fc.record({ id: fc.integer({ min: 1, max: 200 }), name: text, tier: text }, { requiredKeys: ['id'] });
const place = fc.record({ guild: id, channel: id, message: id }, { requiredKeys: ['guild', 'channel'] });
const command = fc.constantFrom('power.boot', 'firewall.flush', 'backup.restore', 'follow-ups.stop');
const time = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const facts = fc.dictionary(fc.constantFrom('enabled', 'rules'), fc.oneof(text, fc.integer(), fc.boolean()));
/** Words of cards are the bot's own; outside text is in them as code. */
const markup = text.map((said) => md`Booted ${said}\nfor good <t:1795125600:f>.`.markup);
const says = fc.array(markup, { maxLength: 2 });
const effects = fc.array(
  fc.oneof(
    text,
    fc.constantFrom(
      'down',
      'throttle',
      'firewall-off primary',
      'whitelist secondary 192.0.2.0/24',
      'unapplied throttle',
    ),
  ),
  { maxLength: 2 },
);
const lines = fc.array(text, { minLength: 1, maxLength: 30 });
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);

const step: fc.Arbitrary<Own> = fc.oneof(
  fc.record(
    { kind: is('asked'), expires: time, question: text, typed: text, facts, says },
    { requiredKeys: ['kind', 'expires'] },
  ),
  fc.record({ kind: is('confirmed'), question: text, owner: text }),
  fc.record(
    { kind: is('intent'), owner: text, seen: fc.nat(), opens: effects, closes: effects, says },
    { requiredKeys: ['kind'] },
  ),
  fc.record(
    {
      ...{ kind: fc.constantFrom('outcome', 'denied'), outcome: fc.constantFrom(...outcomes) },
      reason: fc.constantFrom('timeout', 'denied', 'validation'),
      ...{ said: text, detail: markup, undo: fc.record({ command, options }), remind: time },
    },
    { requiredKeys: ['kind', 'outcome'] },
  ),
  fc.record({
    ...{ kind: is('denied'), outcome: is('denied') },
    folded: fc.record({
      ...{ count: fc.nat(), first: time, last: time, digest: text },
      commands: fc.array(fc.record({ command: text, server: text, count: fc.nat() }), { maxLength: 7 }),
    }),
  }),
  fc.record({ kind: is('reminded') }),
  fc.record({ kind: is('reminded') }),
  fc.record({ kind: is('resolved'), happened: fc.boolean(), why: text }),
  fc.record({ kind: is('follow-up'), step: is('started'), follow: is('restore'), job: fc.nat(), deadline: time }),
  fc.record({ kind: is('follow-up'), step: fc.constantFrom('moved', 'announced') }),
  fc.record({ kind: is('follow-up'), step: is('reminded'), n: fc.nat() }),
  fc.record({ kind: is('follow-up'), step: is('handed-over'), to: actor }),
  fc.record(
    {
      ...{ kind: is('follow-up'), step: is('ended'), end: fc.constantFrom('finished', 'failed') },
      ...{ by: actor, said: text },
    },
    { requiredKeys: ['kind', 'step', 'end'] },
  ),
);
const ofRun = fc
  .tuple(
    fc.record(
      {
        // Steps of one run stand together often.
        run: fc.oneof(fc.constantFrom('abc.1', 'abc.2', 'def.1'), fc.stringMatching(/^[0-9a-z]{11,13}\.[1-9]$/)),
        ...{ actor, command, options, place, server },
      },
      { requiredKeys: ['run', 'actor', 'command', 'options', 'place'] },
    ),
    step,
  )
  .map(([{ server: on, ...all }, own]): NewRunEntry => {
    // Of several servers, none is named.
    const named = on === undefined || (own.kind === 'denied' && own.folded !== undefined) ? {} : { server: on };
    return { ...all, ...named, ...own };
  });

const incident = { kind: is('incident'), actor, incident: id, place };
const event: fc.Arbitrary<NewEntry> = fc.oneof(
  fc.record({ kind: is('started'), actor, owner: text, facts: fc.dictionary(text, text, { maxKeys: 3 }) }),
  fc.record({ kind: is('stopped'), actor, owner: text }),
  fc.record(
    { kind: is('configured'), actor, changed: lines, owner: text, difference: lines },
    { requiredKeys: ['kind', 'actor', 'changed'] },
  ),
  fc.record({ kind: is('configured'), actor, owner: text, changed: fc.constant<string[]>([]), problems: lines }),
  fc.record({ kind: is('tampered'), actor, finding: fc.constantFrom('edited', 'deleted'), channel: id, message: id }),
  fc.record({ ...incident, step: is('opened'), title: text }),
  fc.record({
    ...{ ...incident, step: is('noted') },
    note: fc.record({ message: id, channel: id, author: fc.record({ id, name: text }), time, text }),
  }),
  fc.record({
    ...{ ...incident, step: is('looked') },
    look: fc.record(
      {
        ...{ command: text, options: fc.dictionary(text, text), part: fc.integer({ min: 2 }) },
        outcome: fc.constantFrom('unknown', 'failed'),
      },
      { requiredKeys: ['command', 'options'] },
    ),
  }),
);

/** Seals entries into a chain; times in ms from the first, a second apart. */
export function chain(all: readonly NewEntry[], start = Date.UTC(2026, 10, 20, 8)): Entry[] {
  const sealed: Entry[] = [];
  for (const [at, each] of all.entries()) {
    const prev = sealed.at(-1)?.hash ?? genesis.hash;
    sealed.push(seal(each, at + 1, new Date(start + at * 1000).toISOString(), prev));
  }
  return sealed;
}

/** Any ledger, whether or not its sequence makes sense. */
export const anyEntries = (most: number, least = 1): fc.Arbitrary<Entry[]> =>
  fc
    .array(fc.oneof({ arbitrary: ofRun, weight: 6 }, { arbitrary: event, weight: 2 }), {
      minLength: least,
      maxLength: most,
    })
    .map((all) => chain(all));

/** A short one. */
export const ledgers = anyEntries(12);

/** The same entries with their members, and those of what is in them, in another order. */
export const shuffled = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      isMapping(member) ? Object.fromEntries(Object.entries(member).reverse()) : member,
    ),
  );

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const denial = (who: { id: string; name: string }, name = 'power.boot'): NewRunEntry => ({
  ...{ run: 'byb7k49z46bk.1', kind: 'denied', actor: { ...who, roles: [] }, command: name, options: {} },
  place: { guild: '1100000000000000001', channel: '1300000000000000001' },
  ...{ outcome: 'denied', reason: 'denied' },
});

const lead = { id: '1400000000000000001', name: 'alice', roles: ['1200000000000000003'] };
const inOps = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000001' };

/** One flush, from the question to its end; every fifth was refused instead. */
function flush(n: number): NewEntry[] {
  const base = { run: `r${n}.1`, actor: lead, command: 'firewall.flush', place: inOps };
  const options = { server: '101', interface: 'primary', sync: true, reason: `locked out by rule ${n}` };
  if (n % 5 === 0) return [{ ...base, options, kind: 'denied', outcome: 'denied', reason: 'denied' }];
  const run = { ...base, options, server: { id: 101, name: 'web-1', tier: 'production' } };
  const steps: NewRunEntry[] = [
    { ...run, kind: 'asked', expires: '2026-11-20T08:02:00.000Z', facts: { enabled: true, rules: 4 } },
    { ...run, kind: 'intent', owner: '0e2031b0f508033f' },
    { ...run, kind: 'outcome', outcome: 'succeeded', detail: 'Primary interface: all rules were removed.' },
  ];
  return steps;
}

/** A sealed ledger of this many entries, one a second until now. */
export function large(count: number): Entry[] {
  const all = Array.from({ length: Math.ceil(count / 2) }, (_, n) => flush(n + 1)).flat();
  return chain(all.slice(0, count), Date.now() - count * 1_000);
}
