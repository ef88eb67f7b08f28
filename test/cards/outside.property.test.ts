import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Card } from '../../src/card.ts';
import { beside, type JobLook, render } from '../../src/cards/render/index.ts';
import type { Call, Followed, PreparedChange, Read } from '../../src/command.ts';
import { authorize } from '../../src/decide/authorize.ts';
import { gone } from '../../src/decide/notes.ts';
import { botActor, type CallResult, type RawOptions, type Ruling } from '../../src/outcome.ts';
import type { Parts } from '../../src/shell/parts.ts';
import { looked } from '../helpers/commands/looked.ts';
import { at, now, prepared } from '../helpers/commands/typed.ts';
import { outsideText, readCard, unseen } from '../helpers/discord/outside.ts';
import { asked, drawing, following, known, type Step } from '../helpers/drawn.ts';
import { followUpsOf, lenientRules, panelOf } from '../helpers/stand-ins.ts';
import { tries } from '../helpers/tries.ts';

const alice = { id: '1000000000000000001', name: 'alice', roles: [] };
const web = { id: 101, name: 'web-1', tier: 'production' };
const about = { command: 'power.boot', actor: alice, servers: [web] };

/** The card of a change, after these steps on each of its servers. */
const drawn = (steps: readonly Step[], more: Partial<Parameters<typeof known>[0]> = {}): Card =>
  render(known({ ...about, ...more }, steps), drawing);
const booted: Step = { kind: 'outcome', outcome: 'succeeded' };

const change = (id: string, raw: RawOptions): PreparedChange => prepared(id, { server: 'web-1', ...raw });

const rulesWith = (decision: Ruling): Parts['rules'] => ({
  ...lenientRules,
  decide: () => decision,
  find: at(now).find,
});
const allowed: Ruling = { allowed: true, role: 'lead', by: '*' };

/** The card of a read whose panel answers this. */
const read = (id: string, raw: RawOptions, answer: CallResult<unknown>, decision = allowed): Promise<Card> =>
  looked(id, raw, { panel: panelOf(answer), rules: rulesWith(decision) });

/** The card of a command that does not get in. */
function refused(command: string, options: RawOptions, decision = allowed): Card {
  const place = { guild: '1', channel: '2' };
  const parts = { commands, rules: rulesWith(decision), now: () => now };
  const authorization = authorize(parts, { actor: alice, place, command, options });
  if (authorization.kind === 'allowed') throw new Error(`${command} is allowed`);
  return authorization.card;
}

const yes = (data: unknown): CallResult<unknown> => ({ kind: 'yes', data });
const page = (data: unknown[]) => ({ data, total: 1, current_page: 1, last_page: 1, per_page: 20, from: 1, to: 1 });
const group = (text: string) => ({
  id: 1,
  name: text,
  label: text,
  description: text,
  distributionType: 1,
  enabled: true,
  default: false,
  created: text,
  updated: text,
});
const amounts = { units: '#', max: 10, allocated: 20, free: -10, percent: 200 };
const storage = (name: string) => ({ id: 1, name, enabled: true, path: null, storageType: 1, isDatastore: false });
const hypervisor = (text: string) => ({
  hypervisor: { id: 1, name: text, enabled: true, prohibit: false, accept: true, commissioned: true },
  resources: {
    servers: amounts,
    memory: amounts,
    cpuCores: amounts,
    localStorage: { ...storage(text), ...amounts },
    otherStorage: [{ ...storage(`x${text}`), ...amounts }],
    network: { total: { ipv4: { free: 3 } } },
  },
});
const period = (text: string) => ({ month: 3, start: text, end: text });
const traffic = (text: string) => ({
  assigned: [{ id: 1, current: true, traffic: 5, ...period(text) }],
  available: { total: 1, current: period(text), months: [period(text)] },
});

/** For a look, which asks one endpoint and is given what that endpoint answers. */
const reading =
  (data: unknown): Read =>
  () =>
    Promise.resolve(data as never);

async function done(id: string, raw: RawOptions, data: unknown): Promise<Card> {
  const call: Call = () => Promise.resolve(yes(data) as CallResult<never>); // As above: one endpoint, its answer.
  const answer = await change(id, raw).attempt(web, call);
  if (answer.kind !== 'yes' || answer.data === undefined) throw new Error('the panel said yes');
  return drawn([{ kind: 'outcome', outcome: 'succeeded', detail: answer.data.says.markup }]);
}

async function trafficQuestion(text: string): Promise<Card> {
  const adding = change('traffic.add', { month: 3, amount: 5 });
  const look = await adding.look?.(web, reading(traffic(text)));
  return drawn([asked(adding.question(look === undefined ? [] : [look]).map(({ markup }) => markup))]);
}

const denied = (text: string): Ruling & { allowed: false } => ({
  allowed: false,
  why: 'role',
  missing: text,
  holders: [text, text],
});
const bootWould = change('power.boot', {})
  .question([])
  .map(({ markup }) => markup);

/** A restore that was started, and is over or not. */
const restored = (more: Partial<Parameters<typeof known>[0]>, ...end: readonly Step[]) =>
  known({ ...about, command: 'backup.restore', ...more }, [...following, ...end]);
const seen = (look: JobLook): Card => render(restored({ looks: new Map([['abc.1', look]]) }), drawing);
const ended = (how: { end: 'failed' | 'finished'; said?: string }): Step => ({
  ...{ kind: 'follow-up', step: 'ended', actor: botActor },
  ...how,
});
const listed = (word: string): Followed => ({
  ...{ id: 'restore-101-9001', command: 'backup.restore', server: web },
  ...{ startedBy: alice, notify: alice, card: { guild: '1', channel: '2', message: '3' } },
  since: 0,
  seen: { word, at: 0 },
});

const nothing = (): never => {
  throw new Error('nothing is announced');
};

/** Every place of a card into which something from outside gets. */
const places: Record<string, (text: string) => Card | Promise<Card>> = {
  'the reason of a question': (reason) => drawn([asked(bootWould)], { options: { reason } }),
  'what must be typed': (typed) => drawn([asked(bootWould, typed)]),
  'the reason of an end': (reason) => drawn([booted], { options: { reason } }),
  'the reason below the name of a variable': (reason) =>
    drawn([{ kind: 'outcome', outcome: 'not-sent', reason: 'connection-refused' }], { options: { reason } }),
  'what the panel says to one change': (said) =>
    drawn([{ kind: 'outcome', outcome: 'rejected', reason: 'validation', said }]),
  'what the panel says to several': (said) =>
    drawn([{ kind: 'outcome', outcome: 'rejected', reason: 'validation', said }], { servers: [web, web] }),
  'what the panel says to a read': (said) =>
    read('panel.check', {}, { kind: 'no', reason: 'not-found', status: 404, said }),
  'the name of who was faster': (name) => {
    const confirmed: Step = { kind: 'confirmed', actor: { ...alice, name }, question: '', owner: '' };
    return gone(known(about, [asked(bootWould), confirmed]).states[0], now).card;
  },
  'an option that broke its rule': (option) => refused('power.boot', { server: 'web-1', [`x${option}`]: 1 }),
  'a server that the policy does not name': (text) => refused('power.boot', { server: `x${text.replaceAll(',', '')}` }),
  'one server that the policy does not name': (text) => refused('whitelist.add', { server: `x${text}` }),
  'the roles of a denial': (text) => refused('power.boot', {}, denied(text)),
  'the names of groups': (text) => read('hypervisors.groups', {}, yes(page([group(text)]))),
  'everything of a group': (text) => read('hypervisors.group', { group: 1 }, yes(group(text))),
  'hypervisors and their storage': (text) => read('hypervisors.resources', { group: 1 }, yes(page([hypervisor(text)]))),
  'firewall rules': (text) =>
    read('firewall.show', { server: 'web-1' }, yes({ enabled: true, rules: [text, { [text]: text }, [text]] })),
  'the dates of traffic blocks': (text) => read('traffic.show', { server: 'web-1' }, yes(traffic(text))),
  'the dates of a billing period': trafficQuestion,
  'the addresses that the panel assigned': (text) => done('ipv4.assign', { quantity: 2 }, [text, text]),
  'the word of a job on the list': (text) => looked('follow-ups.list', {}, { followUps: followUpsOf([listed(text)]) }),
  'a follow-up that is not there': (text) => looked('follow-ups.stop', { server: 'web-1', id: `x${text}` }),
  'the word and the message of a job that runs': (text) => seen({ word: text, message: text }),
  'the word of a job that cannot be seen any more': (text) => seen({ word: text, blind: true }),
  'the message and the reason of a job that ended': (text) =>
    render(restored({ options: { reason: text } }, ended({ end: 'failed', said: text })), drawing),
  'the announcement of an end': (text) =>
    beside.end(restored({}, ended({ end: 'failed', said: text })), drawing) ?? nothing(),
  'the name of who says how it ended': (name) =>
    render(restored({}, { ...ended({ end: 'finished' }), actor: { ...alice, name } }), drawing),
  // Too far from all that there are to be nearest to one.
  'a command that does not exist': (text) => read('can', { command: `${'#'.repeat(60)}${text}` }, yes({})),
  'the role and rule that allow': (text) =>
    read('can', { command: 'power.boot' }, yes({}), { allowed: true, role: text, by: text }),
};

/** Names a character by its number, so that it says nothing itself. */
const oddName = / Its ▮ is U\+[0-9A-F]{4,6}, which no name has\./g;

describe('nothing from outside survives as a mention, a link or layout', () => {
  it.each(Object.entries(places))('in %s', async (_place, cardWith) => {
    // With a text that means nothing to Discord the card has its own words and codes; any other text may change the codes only.
    const plain = readCard(await cardWith('plain')).map(({ outside }) => outside);
    await fc.assert(
      fc.asyncProperty(outsideText, async (text) => {
        const readings = readCard(await cardWith(text));
        expect(readings.map(({ outside }) => outside.replace(oddName, ''))).toEqual(plain);
        for (const code of readings.flatMap((each) => each.code)) {
          for (const line of code.split('\n')) expect(line).not.toMatch(unseen);
          expect([...code].length).toBeLessThan(1_600);
        }
      }),
      { numRuns: tries(300) },
    );
  });

  it('and what is read of a plain text is in a code, so that there is something to compare', async () => {
    for (const [place, cardWith] of Object.entries(places)) {
      const readings = readCard(await cardWith('plain'));
      expect(readings.flatMap(({ code }) => code).join(' '), place).toContain('plain');
      expect(readings.map(({ outside }) => outside).join(' '), place).not.toContain('plain');
    }
  });
});
