import fc from 'fast-check';
import { md } from '../../../src/card.ts';
import { genesis, seal } from '../../../src/ledger/chain.ts';
import { outcomes } from '../../../src/outcome.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';

/** Text as anybody may type it, with characters special to tables, spreadsheets and Markdown. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', '＝', '"', "'", ',', ';', '|', '`', '1'),
    maxLength: 12,
  }),
);
const id = fc.constantFrom('1400000000000000001', '1400000000000000002');
const actor = fc.record({ id, name: text, roles: fc.array(id, { maxLength: 2 }) });
const options = fc.dictionary(
  fc.constantFrom('server', 'reason', 'interface', '10', '9'),
  fc.oneof(text, fc.integer(), fc.boolean()),
);
const server = fc.record({ id: fc.integer({ min: 1, max: 200 }), name: text, tier: text }, { requiredKeys: ['id'] });
const place = fc.record({ guild: id, channel: id, message: id }, { requiredKeys: ['guild', 'channel'] });
const command = fc.constantFrom('power.boot', 'firewall.flush', 'follow-ups.stop');
const run = fc.constantFrom('abc.1', 'abc.2', 'def.1');
const time = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Words of cards are the bot's own; outside text is in them as code. */
const markup = text.map((said) => md`Booted ${said}\nfor good <t:1795125600:f>.`.markup);
const effect = fc.oneof(
  text,
  fc.constantFrom('down', 'throttle', 'firewall-off primary', 'whitelist secondary 192.0.2.0/24', 'unapplied throttle'),
);

const ofRun = { run, actor, command, options, place };
const entry: fc.Arbitrary<NewEntry> = fc.oneof(
  fc.record(
    {
      ...ofRun,
      kind: fc.constant('asked' as const),
      server,
      question: text,
      expires: time,
      typed: text,
      facts: fc.dictionary(fc.constantFrom('enabled', 'rules'), fc.oneof(text, fc.integer(), fc.boolean())),
      says: fc.array(markup, { maxLength: 2 }),
    },
    { requiredKeys: ['run', 'actor', 'command', 'options', 'place', 'kind', 'expires'] },
  ),
  fc.record({ ...ofRun, kind: fc.constant('confirmed' as const), server, question: text, owner: text }),
  fc.record(
    {
      ...ofRun,
      kind: fc.constant('intent' as const),
      server,
      owner: text,
      seen: fc.nat(),
      opens: fc.array(effect, { maxLength: 2 }),
      closes: fc.array(effect, { maxLength: 2 }),
      says: fc.array(markup, { maxLength: 2 }),
    },
    { requiredKeys: ['run', 'actor', 'command', 'options', 'place', 'kind'] },
  ),
  fc.record(
    {
      ...ofRun,
      kind: fc.constantFrom('outcome' as const, 'denied' as const),
      outcome: fc.constantFrom(...outcomes),
      reason: fc.constantFrom('timeout' as const, 'denied' as const, 'validation' as const),
      server,
      said: text,
      detail: markup,
      undo: fc.record({ command, options }),
      remind: time,
    },
    { requiredKeys: ['run', 'actor', 'command', 'options', 'place', 'kind', 'outcome'] },
  ),
  fc.record({
    ...ofRun,
    kind: fc.constant('denied' as const),
    outcome: fc.constant('denied' as const),
    folded: fc.record({
      ...{ count: fc.nat(), first: time, last: time, digest: text },
      commands: fc.array(fc.record({ command: text, server: text, count: fc.nat() }), { maxLength: 7 }),
    }),
  }),
  fc.record({ ...ofRun, kind: fc.constant('resolved' as const), happened: fc.boolean(), why: text, server }),
  fc.record({
    ...ofRun,
    kind: fc.constant('follow-up' as const),
    step: fc.constant('ended' as const),
    end: fc.constant('finished' as const),
    by: actor,
    said: text,
  }),
  fc.record({
    kind: fc.constant('started' as const),
    actor,
    owner: text,
    facts: fc.dictionary(text, text, { maxKeys: 3 }),
  }),
  fc.record({ kind: fc.constant('configured' as const), actor, changed: fc.array(text, { maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('configured' as const),
    actor,
    owner: text,
    changed: fc.array(text, { maxLength: 3 }),
    difference: fc.array(text, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('configured' as const),
    actor,
    owner: text,
    changed: fc.constant<string[]>([]),
    problems: fc.array(text, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('tampered' as const),
    actor,
    finding: fc.constant('edited' as const),
    channel: id,
    message: id,
  }),
  fc.record({
    kind: fc.constant('incident' as const),
    actor,
    incident: id,
    step: fc.constant('noted' as const),
    place,
    note: fc.record({ message: id, channel: id, author: fc.record({ id, name: text }), time, text }),
  }),
  fc.record({
    kind: fc.constant('incident' as const),
    actor,
    incident: id,
    step: fc.constant('looked' as const),
    place,
    look: fc.record(
      {
        command: text,
        options: fc.dictionary(text, text),
        part: fc.integer({ min: 2 }),
        outcome: fc.constantFrom('unknown' as const, 'failed' as const),
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
export const ledgers = fc.array(entry, { minLength: 1, maxLength: 12 }).map((all) => chain(all));

/** The same entries with their members, and those of what is in them, in another order. */
export const shuffled = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      isMapping(member) ? Object.fromEntries(Object.entries(member).reverse()) : member,
    ),
  );

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
