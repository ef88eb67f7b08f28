import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { type Button, bold, type Card, md, type State, trusted, unstressed } from '../../src/card.ts';
import { render as draw, workingCard } from '../../src/cards/render/index.ts';
import type { Command, Followed, ReadEndpoint } from '../../src/command.ts';
import { preparedOf } from '../../src/decide/authorize.ts';
import { render } from '../../src/discord/render.ts';
import { type CallResult, outcomes, type RawOptions, type Ruling, type Server } from '../../src/outcome.ts';
import type { EndpointName } from '../../src/panel/endpoints.ts';
import { type Reason, reasons } from '../../src/reasons.ts';
import type { OpenEffect } from '../../src/runs/effects.ts';
import { checkMessage } from '../../src/sandbox/discord/validate/index.ts';
import type { Parts } from '../../src/shell/parts.ts';
import { looked } from '../helpers/commands/looked.ts';
import { at, commandOf, now, prepared, taken } from '../helpers/commands/typed.ts';
import { asked, drawing, known } from '../helpers/drawn.ts';
import { followUpsOf, ledgerOf, lenientRules, panelOf } from '../helpers/stand-ins.ts';
import { tries } from '../helpers/tries.ts';

const largest = 9_007_199_254_740_991;
const long = 'x'.repeat(10_000);
const cut = /\(cut: too long for Discord\)|\(\d+ more lines do not fit into a card\)/;

/** Fails when Discord would not take the card, or when something of it is missing without a word. */
function fits(card: Card, sandbox = 'Sandbox: nothing here is real.'): string {
  const payload = render(card, sandbox);
  expect(checkMessage(JSON.parse(JSON.stringify(payload)))).toBeUndefined();
  const text = payload.embeds[0]?.description ?? '';
  const all = [card.fact === undefined ? [] : bold(card.fact), card.body, card.next ?? [], card.small ?? []]
    .flat()
    .map((line) => unstressed(line).markup);
  if (!all.every((line) => text.includes(line))) expect(text).toMatch(cut);
  if (!text.includes(card.run ?? '')) expect(text).toMatch(cut);
  return text;
}

describe('any card fits Discord', () => {
  const states: readonly State[] = [...outcomes, 'working', 'question'];
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 3000, size: 'max' }),
    fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), fc.nat({ max: 6000 }))
      .map(([unit, n]) => unit.repeat(n)),
  );
  const button: fc.Arbitrary<Button> = fc.record({
    label: text.filter((label) => label.trim() !== ''),
    id: fc.string({ minLength: 1, maxLength: 100 }).filter((id) => id.trim() !== ''),
  });
  const card: fc.Arbitrary<Card> = fc.record(
    {
      state: fc.constantFrom(...states),
      command: text,
      subject: text.map(trusted),
      title: text.map(trusted),
      fact: text.map(trusted),
      body: fc.array(text.map(trusted), { maxLength: 40 }),
      next: fc.array(text.map(trusted), { maxLength: 3 }),
      small: fc.array(text.map(trusted), { maxLength: 3 }),
      run: text,
      buttons: fc.uniqueArray(button, { maxLength: 25, selector: ({ id }) => id }),
    },
    { requiredKeys: ['state', 'command', 'body'] },
  );

  it('however long its parts are, and says when something is cut', () => {
    fc.assert(
      fc.property(card, fc.oneof(fc.constant(''), text), (each, sandbox) => {
        fits(each, sandbox);
      }),
      { numRuns: tries(500) },
    );
  });
});

const alice = { id: '1000000000000000001', name: 'alice', roles: [] };
const servers = (count: number) => Array.from({ length: count }, (_, i) => ({ id: largest - i }));
const about = (command: string, count: number) => ({
  command,
  actor: alice,
  servers: servers(count),
  options: {
    reason: long,
    server: servers(count)
      .map(({ id }) => id)
      .join(),
    sync: false,
  },
  invocationId: (2n ** 64n - 1n).toString(36),
});

describe('a question fits Discord whole', () => {
  /** As a question says it of each server whose restore is followed. */
  const overwritten = ({ id, name }: Server) =>
    md`**A restore of ${trusted(`${name ?? 'server'} (${id})`)} is under way**: job ${trusted(String(largest))}, started ${trusted('<t:1795125600:R>')}.`;

  it.each(taken)('%s, with whatever is typed', (id, options) => {
    fc.assert(
      fc.property(options, (raw) => {
        const change = prepared(id, raw);
        const looks = change.servers.map(() => ({ says: [trusted('y'.repeat(120))] }));
        const shown = { ...about(id, 1), servers: change.servers };
        const would = [...change.question(looks), ...change.servers.map(overwritten)].map(({ markup }) => markup);
        const card = draw(known(shown, [asked(would, '10 servers')]), drawing);
        expect(card.state).toBe('question');
        expect(fits(card)).not.toMatch(cut);
        for (const button of card.buttons ?? []) expect(button.id.length).toBeLessThanOrEqual(100);
        fits(workingCard(known(shown, []), change));
      }),
      { numRuns: tries(100) },
    );
  });
});

describe('the end of a command fits Discord', () => {
  const all = Object.keys(reasons) as Reason[]; // `reasons` is keyed by Reason.

  it.each(all)('on one server and on ten, because of %s, however much the panel says', (reason) => {
    for (const count of [1, 10]) {
      const ended = known(about('firewall.disable', count), (i) => [
        { kind: 'intent', opens: ['unapplied firewall primary', 'firewall-off primary'] },
        {
          ...{ kind: 'outcome', outcome: outcomes[i % outcomes.length] ?? 'unknown', reason },
          ...{ said: long, detail: 'd'.repeat(150), remind: new Date(now).toISOString() },
          undo: { command: 'firewall.enable', options: {} },
        },
      ]);
      const prepare = (of: Parameters<typeof preparedOf>[1]) =>
        preparedOf({ commands, rules: at(now), now: () => now }, of);
      const card = draw(ended, { ...drawing, prepare });
      const text = fits(card);
      expect(text).toContain('d'.repeat(150));
      expect(card.buttons?.some(({ label }) => label.startsWith('Undo'))).toBe(true);
      for (const button of card.buttons ?? []) expect(button.id.length).toBeLessThanOrEqual(100);
    }
  });
});

describe('a read fits Discord, however much the panel answers', () => {
  const page = (data: unknown[]) => ({
    data,
    total: largest,
    current_page: 100_000,
    last_page: largest,
    per_page: 200,
    from: 1,
    to: 200,
  });
  const amounts = { units: '#', max: largest, allocated: largest - 1, free: 1, percent: 100 };
  const storage = { id: largest, name: long, enabled: true, path: long, storageType: 1, isDatastore: true, ...amounts };
  const group = {
    id: largest,
    name: long,
    label: long,
    description: long,
    distributionType: largest,
    enabled: false,
    default: true,
    created: long,
    updated: long,
  };
  const period = { month: largest, start: long, end: long };
  const hypervisor = {
    hypervisor: { id: largest, name: long, enabled: false, prohibit: true, accept: false, commissioned: false },
    resources: {
      servers: amounts,
      memory: amounts,
      cpuCores: amounts,
      localStorage: storage,
      otherStorage: Array.from({ length: 200 }, () => storage),
      network: { total: { ipv4: { free: largest } } },
    },
  };
  const many = <T>(one: T): T[] => Array.from({ length: 200 }, () => one);
  /** The largest answer of each endpoint that is read. */
  const answers: Readonly<Record<ReadEndpoint, unknown>> = {
    connect: {},
    groups: page(many(group)),
    group,
    resources: page(many(hypervisor)),
    firewall: { enabled: true, rules: many({ [long]: long }) },
    traffic: {
      assigned: many({ id: largest, current: true, traffic: largest, ...period }),
      available: { total: largest, current: period, months: many(period) },
    },
  };
  const texts: RawOptions = {
    ...{ server: String(largest), command: 'hypervisors.resources' },
    source: '2001:db8:2001:db8:2001:db8:2001:db8/128',
  };
  /** The longest that can be typed. */
  const typed = ({ options }: Command): RawOptions =>
    Object.fromEntries(
      Object.entries(options).flatMap(([name, { max, choices }]) => {
        const value = choices?.at(-1)?.value ?? texts[name] ?? max;
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const followed: readonly Followed[] = Array.from({ length: 200 }, (_, i) => ({
    id: `restore-${largest}-${largest - i}`,
    command: 'backup.restore',
    server: { id: largest, name: 'n'.repeat(64), tier: 't'.repeat(32) },
    startedBy: alice,
    notify: { ...alice, id: '1000000000000000002' },
    card: { guild: '9'.repeat(20), channel: '9'.repeat(20), message: '9'.repeat(20) },
    since: now,
    seen: { word: long, progress: 99.9, at: now },
    blindSince: now,
  }));
  const effects: readonly OpenEffect[] = followed.map(({ server, card: place }, i) => ({
    effect:
      i % 2 === 0
        ? { kind: 'firewall-off', interface: 'secondary' }
        : { kind: 'unapplied', what: 'firewall', interface: 'secondary' },
    server,
    since: {
      ...{ run: 'r.1', actor: alice, command: 'firewall.disable', options: {}, server, place },
      ...{ kind: 'outcome', outcome: 'succeeded' },
      ...{ seq: i + 1, time: new Date(now).toISOString(), prev: '', hash: '' },
    },
  }));
  const denied: Ruling = { allowed: false, why: 'role', missing: long, holders: many('a'.repeat(32)).slice(0, 60) };
  const allowed: Ruling = { allowed: true, role: long, by: long };

  /** `answer` in place of what each endpoint answers. */
  function card(id: string, part: number, decision = allowed, answer?: CallResult<never>): Promise<Card> {
    const rules: Parts['rules'] = {
      ...lenientRules,
      decide: () => decision,
      requirements: () => ({ confirm: true, typed: true, reason: true }),
      find: at(now).find,
    };
    const differs = {
      ledger: { ...ledgerOf(), effects: () => [...effects] },
      rules,
      panel: {
        ...panelOf({ kind: 'unknown', reason: 'timeout' }),
        // The table has what each endpoint answers; none but those are read.
        call: (endpoint: EndpointName) =>
          Promise.resolve(answer ?? { kind: 'yes' as const, data: answers[endpoint as ReadEndpoint] as never }),
      },
      followUps: followUpsOf(followed),
    };
    return looked(id, typed(commandOf(id)), differs, part);
  }

  const reads = commands.filter(({ danger }) => danger === 'read').map(({ id }) => id);

  it.each(reads)('%s, with ids short enough for buttons', async (id) => {
    for (const part of [0, 1, 39]) {
      const shown = await card(id, part);
      fits(shown);
      for (const button of shown.buttons ?? []) expect(button.id.length).toBeLessThanOrEqual(100);
    }
  });

  it.each(reads)('%s, when it is refused or fails', async (id) => {
    fits(await card(id, 0, allowed, { kind: 'no', reason: 'validation', status: 422, said: long }));
    fits(await card(id, 0, denied, { kind: 'unknown', reason: 'timeout' }));
  });
});
