import { commands } from '../../../commands/index.ts';
import { policyFor, rulesOf } from '../../../src/app/rules.ts';
import { type Card, headline } from '../../../src/card.ts';
import type { ButtonKind } from '../../../src/cards/buttons.ts';
import { createSeal } from '../../../src/cards/seal.ts';
import { lineOf } from '../../../src/command.ts';
import { preparedOf } from '../../../src/decide/authorize.ts';
import { decideCommand } from '../../../src/decide/command.ts';
import type { Decision, Found, Press, Request, Snapshot } from '../../../src/decide/decision.ts';
import { entryOf, outcomeEntry } from '../../../src/decide/entries.ts';
import { questionEntries } from '../../../src/decide/questions.ts';
import { verbs } from '../../../src/decide/verbs.ts';
import type { Work } from '../../../src/decide/work.ts';
import { genesis, written } from '../../../src/ledger/chain.ts';
import { stage } from '../../../src/ledger/group.ts';
import { type Actor, idAt, type RawOptions } from '../../../src/outcome.ts';
import { openBook } from '../../../src/runs/book.ts';
import { writeEffect } from '../../../src/runs/effects.ts';
import type { Kind, NewEntry } from '../../../src/runs/entry.ts';
import { readRoot } from '../house.ts';
import { quiet } from '../stand-ins.ts';

/** A ledger, a policy and people, and what is decided when one of them presses a button. Nothing here waits for anything. */

const roles = { viewer: '1200000000000000001', 'on-call': '1200000000000000002', lead: '1200000000000000003' };
type Role = keyof typeof roles;

const person = (n: number, name: string, ...held: Role[]): Actor => ({
  ...{ id: `140000000000000000${n}`, name },
  roles: held.map((role) => roles[role]),
});
export const alice = person(1, 'alice', 'lead');
export const bob = person(2, 'bob', 'on-call');
export const carol = person(3, 'carol', 'viewer');
export const mallory = person(4, 'mallory');
export const dora = person(5, 'dora', 'lead');
export const as = (who: Actor, ...held: Role[]): Actor => ({ ...who, roles: held.map((role) => roles[role]) });

const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000001' };
const start = Date.parse('2026-11-19T22:00:00Z');
const example = readRoot('policy.example.yaml');

const policyOf = memoized((text: string) => {
  const found = policyFor(text);
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  return found.policy;
});

/** A policy is read once, however many tests have it. */
function memoized<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? work(text);
    known.set(text, found);
    return found;
  };
}

type Pressing = Partial<Omit<Press, 'actor' | 'payload'>> & { payload?: string };

export type Scene = ReturnType<typeof scene>;

/** The example policy with pieces of it replaced. */
export function scene(...pieces: readonly (readonly [from: string, to: string])[]) {
  const book = openBook();
  const seal = createSeal('token');
  let [head, now, text, invocations] = [genesis, start, example, 0];
  let policy = policyOf(text);
  function changePolicy(from: string | RegExp, to: string): void {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`not in the policy: ${from}`);
    text = changed;
    policy = policyOf(text);
  }
  for (const piece of pieces) changePolicy(...piece);

  const snapshot: Snapshot = {
    ...{ ledger: book.records, rules: rulesOf({ current: () => policy }), commands, seal, trail: quiet.trail },
    followUps: { deadline: () => now + 86_400_000, canLook: () => true },
    limits: {
      ...{ questions: 10, open: { plain: 120_000, typed: 300_000, approval: 900_000 } },
      denials: { window: 600_000, countedUntil: () => undefined },
    },
    ...{ unended: new Map(), recent: new Map() },
    now: () => now,
  };

  /** Records entries as the ledger would. Throws where it would refuse one. */
  function record(...entries: NewEntry[]): void {
    const request = { entries: entries.map(written), resolve: () => undefined, reject: () => undefined };
    const staged = stage([request], book.records, head, () => new Date(now));
    for (const { error } of staged.refused) throw error;
    for (const entry of staged.entries) book.add(entry);
    head = staged.head;
  }

  function workOf(who: Actor, command: string, options: RawOptions, id?: string): Work {
    const prepared = preparedOf(snapshot, { command, options });
    if (prepared === undefined) throw new Error(`no change: ${command}`);
    invocations += 1;
    const invocationId = id ?? `inv${invocations}`;
    const runs = prepared.servers.map((server, i) => ({
      run: `${invocationId}.${i + 1}`,
      server,
      facts: { rules: 4 },
    }));
    return { invocationId, command, actor: who, place, options: prepared.options, prepared, runs };
  }

  const first = (invocationId: string): Kind<'asked'> | Kind<'requested'> | undefined => {
    const [state] = book.records.runs(invocationId);
    return state?.asked ?? state?.requested;
  };

  /** What the id of that button says. */
  function payloadOf(verb: ButtonKind, id: string): string {
    const [state] = book.records.runs(id);
    const of = verb === 'accept' || verb === 'decline' ? state?.requested : state?.asked;
    const isSealed = ['confirm', 'typed', 'cancel', 'approve', 'accept', 'decline'].includes(verb);
    if (isSealed) return of === undefined ? `${id}.x` : `${id}.${seal.of(verb as 'confirm', of)}`; // One of those.
    return ['say', 'happened', 'running', 'not-happened', 'check', 'review'].includes(verb) ? `${id}.1` : id;
  }

  return {
    snapshot,
    place,
    workOf,
    record,
    changePolicy,
    passes(ms: number): void {
      now += ms;
    },
    state: (id: string, n = 1) => book.records.run(`${id}.${n}`),
    /** Asks about a change, as the bot does, and gives the invocation. */
    asks(who: Actor, command: string, options: RawOptions, own: Partial<Work> = {}): string {
      const work = { ...workOf(who, command, options), ...own };
      const known = commands.find(({ id }) => id === command);
      const wanted = known && snapshot.rules.requirements(known, work.prepared.servers);
      const settings = work.runs.map(({ facts }) => ({ facts, says: [] }));
      record(
        ...questionEntries(snapshot, work, settings, { typed: wanted?.typed ?? false, approvals: wanted?.approvals }),
      );
      return work.invocationId;
    },
    /** Sends it without a question; it ends so. */
    sends(who: Actor, command: string, options: RawOptions, how: Parameters<typeof outcomeEntry>[2]): string {
      const work = workOf(who, command, options);
      for (const run of work.runs) {
        const { opens = [], closes = [] } = work.prepared.effects([]);
        const effects = { opens: opens.map(writeEffect), closes: closes.map(writeEffect) };
        record({ ...entryOf(work, run), kind: 'intent', owner: 'p', ...effects });
        record(outcomeEntry(work, run, how));
      }
      return work.invocationId;
    },
    /** It ends so before anything is sent. */
    fails(who: Actor, command: string, options: RawOptions, invocationId?: string): string {
      const work = workOf(who, command, options, invocationId);
      record(...work.runs.map((run) => outcomeEntry(work, run, { outcome: 'not-sent', reason: 'bot-restarted' })));
      return work.invocationId;
    },
    /** A person was denied it, and the record of that has its buttons. */
    denies(who: Actor, command: string, options: RawOptions): string {
      const { invocationId, ...work } = workOf(who, command, options);
      const [run] = work.runs;
      if (run === undefined) throw new Error('no server');
      const { message: _, ...where } = place;
      const of = { ...entryOf({ ...work, place: where }, { ...run, run: `${invocationId}.1` }) };
      record({ ...of, kind: 'denied', outcome: 'denied', reason: 'denied' });
      return invocationId;
    },
    /** After that denial, they asked others to run it. */
    requests(who: Actor, denial: string): string {
      const denied = book.records.run(`${denial}.1`)?.outcome;
      if (denied === undefined) throw new Error('no denial');
      const work = workOf(who, denied.command, denied.options);
      const expires = new Date(now + 900_000).toISOString();
      for (const { facts, ...run } of work.runs)
        record({ ...entryOf(work, run), kind: 'requested', expires, denied: denied.run, facts });
      return work.invocationId;
    },
    /** What is decided when somebody presses that button on a card. */
    presses(
      who: Actor,
      verb: ButtonKind,
      id: string,
      { found = {}, ...how }: Pressing & { found?: Found } = {},
    ): Decision {
      const at = first(id)?.place.message ?? place.message;
      return verbs[verb].decide(snapshot, {
        ...{ actor: who, place: { ...place, message: at }, payload: payloadOf(verb, id), found },
        ...{ isPrivate: false, offered: true, mayReturn: true },
        ...how,
      });
    },
    /** What is decided when somebody types a command, or submits its form, in this place. */
    types(who: Actor, command: string, options: RawOptions, how: Partial<Request> = {}): Decision {
      const { message: _, ...here } = place;
      const interaction = { id: idAt(now) };
      return decideCommand(snapshot, {
        interaction,
        actor: who,
        place: here,
        command,
        options,
        mayReturn: true,
        ...how,
      });
    },
    /** The same; what comes of it is recorded, if anything does. */
    does(who: Actor, verb: ButtonKind, id: string, how: Pressing & { found?: Found } = {}): Decision {
      const decision = this.presses(who, verb, id, how);
      if (decision.kind !== 'append') throw new Error(`nothing is recorded: ${told(decision)}`);
      record(...decision.entries);
      return decision;
    },
  };
}

const words = (card: Card): string =>
  [headline(card), card.fact?.markup ?? '', ...[...card.body, ...(card.next ?? [])].map(({ markup }) => markup)]
    .filter((line) => line !== '')
    .join('\n');

const named = (entry: NewEntry): string =>
  entry.kind === 'alert'
    ? `alert ${entry.step}`
    : entry.kind === 'outcome'
      ? [entry.outcome, entry.reason === entry.outcome ? undefined : entry.reason].filter((each) => each).join(' ')
      : entry.kind;

/** A decision in words. */
export function told(decision: Decision): string {
  switch (decision.kind) {
    case 'answer':
      return `${decision.denial === undefined ? 'says' : 'denies'} ${words(decision.card)}`;
    case 'form': {
      const { title, choice, label } = decision.form;
      const choices = choice && `${choice.label} ${choice.options.map((each) => each.label).join(', ')}`;
      return `asks ${[title, choices, label].filter((each) => each !== undefined).join(' | ')}`;
    }
    case 'lookup':
      return `looks at ${decision.lookup.kind}`;
    case 'append':
      return `records ${decision.entries.map(named).join(', ')}${decision.work === undefined ? '' : ', then sends'}`;
    case 'command':
      return `types ${lineOf({ id: decision.command.command }, decision.command.options)}`;
    case 'read':
      return `reads ${decision.command.id} for ${decision.audience === 'public' ? 'everybody' : 'them'}`;
    case 'trial':
      return `tries ${lineOf({ id: decision.command.command }, decision.command.options)}`;
    case 'share':
      return 'posts the card';
    case 'start':
      return `starts ${decision.command.id}${decision.asks ? ', which asks' : ''}`;
  }
}
