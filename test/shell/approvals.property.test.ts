import fc from 'fast-check';
import { expect, it } from 'vitest';
import { policyFor, rulesOf } from '../../src/app/rules.ts';
import { isOfRun, type Kind } from '../../src/runs/entry.ts';
import type { RunState } from '../../src/runs/state.ts';
import type { Parts } from '../../src/shell/parts.ts';
import {
  held,
  history,
  ids,
  type Name,
  people,
  type Rights,
  rights,
  type Step,
  textOf,
  tiers,
} from '../helpers/run/approvals.ts';
import { openPipeline, replyOf } from '../helpers/run/pipeline.ts';
import { panelOf } from '../helpers/stand-ins.ts';
import { tries } from '../helpers/tries.ts';

const has = (roles: readonly string[], { roles: rows }: Rights, what: string): boolean =>
  rows.some((allow, i) => roles.includes(ids[i] ?? '') && allow.includes(what));
const hasInEmergency = (roles: readonly string[], { emergency }: Rights, what: string): boolean =>
  emergency.some((allow, i) => roles.includes(ids[i] ?? '') && allow.includes(what));
const approvalsOf = ({ rows }: Rights, command: string, server: number): number =>
  Math.max(
    0,
    ...rows
      .filter(({ match }) => match === command || (match === 'destructive' && command === 'power.shutdown'))
      .filter(({ production }) => !production || tiers[server] === 'production')
      .map(({ approvals }) => approvals),
  );

type Pressed = Extract<Step, { does: 'presses' }>['button'];

const isDenied = ({ outcome }: RunState): boolean => outcome?.kind === 'denied' && outcome.pressed === undefined;
const isAsked = ({ asked }: RunState): boolean => asked !== undefined;
/** What may have such a button. */
const isAbout: Record<Pressed, (state: RunState) => boolean> = {
  confirm: isAsked,
  cancel: isAsked,
  approve: ({ confirmed }) => confirmed !== undefined,
  accept: ({ requested }) => requested !== undefined,
  lead: isDenied,
  glass: (state) => isDenied(state) || state.confirmed !== undefined || state.requested !== undefined,
  review: ({ asked }) => asked?.glass !== undefined,
};

/** Plays the steps with the real pipeline, and judges each request as it leaves. Answers by what it was allowed. */
async function play(first: Rights, start: Readonly<Record<Name, readonly string[]>>, steps: readonly Step[]) {
  let [now, interaction] = [Date.parse('2026-11-19T22:00:00Z'), 0];
  let rule = first;
  const roles = { ...start };
  const read = (of: Rights) => policyFor(textOf(of));
  const begun = read(first);
  // Nobody may approve what the policy wants approved: it is no policy.
  if ('problems' in begun) throw new Error(JSON.stringify(begun.problems));
  let policy = begun.policy;
  const rules = rulesOf({ current: () => policy });
  const sent: string[] = [];
  const judged: string[] = [];

  const personOf = (name: string): Name => people.find((each) => each === name) ?? 'alice';
  const rolesOf = (name: string): readonly string[] => roles[personOf(name)];

  /** What the policy asks for and this request lacks. */
  function lacking(intent: Kind<'intent'>, { asked, confirmed, requested }: RunState, others: number): string[] {
    const wanted = approvalsOf(rule, intent.command, intent.server?.id ?? 0);
    const requester = personOf(intent.actor.name);
    const isConfirmed = confirmed !== undefined && confirmed.actor.id === intent.actor.id;
    const isGlass = asked?.glass !== undefined;
    const may = isGlass ? hasInEmergency : has;
    return [
      ...(may(roles[requester], rule, intent.command) ? [] : [`${requester} may not`]),
      ...(isConfirmed || (asked === undefined && intent.command === 'power.boot') ? [] : ['not confirmed']),
      ...(requested?.actor.id === intent.actor.id ? ['took on their own request'] : []),
      ...(!isGlass && others < Math.max(wanted, asked?.approvals ?? 0) ? [`${others} of ${wanted} approvals`] : []),
      ...(ledger.freezes(now).length > 0 ? ['frozen'] : []),
    ];
  }

  function judge(): void {
    const intent = [...ledger.entries()].findLast((entry) => entry.kind === 'intent');
    if (intent?.kind !== 'intent') throw new Error('nothing is sent without an intent');
    const state = ledger.run(intent.run) ?? { run: intent.run };
    const own = [intent.actor.id, state.requested?.actor.id];
    // By the roles of now: what they had at their click does not count.
    const approvers = (state.approved ?? []).filter(({ actor }) => has(rolesOf(actor.name), rule, 'approve'));
    const others = new Set(approvers.map(({ actor }) => actor.id).filter((id) => !own.includes(id))).size;
    judged.push(...lacking(intent, state, others));
    if (state.asked?.glass !== undefined) sent.push('glass');
    else sent.push(state.requested !== undefined ? 'requested' : others > 0 ? `approved ${others}` : 'plain');
  }

  const panel: Parts['panel'] = {
    ...panelOf({ kind: 'yes', data: undefined }),
    call: (_endpoint, _input, _caller, stop) => {
      const hold = stop?.();
      if (hold !== undefined) return Promise.resolve({ kind: 'not-sent', reason: hold });
      judge();
      return Promise.resolve({ kind: 'yes', data: undefined as never });
    },
  };
  const open = { atOnce: 10_000, perSecond: 1_000 };
  const limits = { acting: open, denials: { window: 600_000, alone: 10_000, people: 100 }, questions: 1_000 };
  const { ledger, seal, close, ...pipeline } = await openPipeline({ rules, panel, now: () => now, limits });
  const runner = pipeline.runner();

  const place = { guild: '1100000000000000001', channel: '1300000000000000001' };
  const idOf = (i: number): string => `140000000000000000${i}`;
  const actorOf = (name: Name) => ({ id: idOf(people.indexOf(name)), name, roles: roles[name] });
  const arriving = () => {
    interaction += 1;
    const id = String(1_500_000_000_000_000_000n + BigInt(interaction));
    return { id, token: 't' };
  };
  async function press(wanted: Name | 'requester', kind: Pressed, back: number) {
    const runs = [...new Set([...ledger.entries()].flatMap((entry) => (isOfRun(entry) ? [entry.run] : [])))].flatMap(
      (run) => ledger.run(run) ?? [],
    );
    const fitting = runs.filter(isAbout[kind]);
    // Mostly what is still open, and sometimes what is over.
    const waiting = fitting.filter(
      ({ outcome, asked }) => outcome === undefined && (kind !== 'accept' || asked === undefined),
    );
    const meant = (waiting.length > 0 && back === 0 ? waiting : fitting).at(-1 - back);
    if (meant === undefined) return;
    const asker = (meant.asked ?? meant.requested ?? meant.outcome)?.actor.name;
    const name =
      wanted === 'requester' || kind === 'lead' ? (people.find((each) => each === asker) ?? 'alice') : wanted;
    const order = kind === 'accept' ? meant.requested : (meant.asked ?? meant.requested);
    const button = buttonOf(kind, meant.run, order);
    const typed = kind === 'glass' || kind === 'review' ? { typed: 'why' } : {};
    const before = reviews().length;
    const message = order?.place.message ?? '7';
    const arrived = arriving();
    await runner.click({
      ...{
        interaction: arrived,
        actor: actorOf(name),
        place: { ...place, message },
        isPrivate: kind === 'lead',
        ...typed,
      },
      ...{ button, offered: true, mayReturn: () => Promise.resolve(true), reply: replyOf(`1${arrived.id}`) },
      rolesNow: (id) => Promise.resolve(roles[people.find((_, i) => id === idOf(i)) ?? 'alice']),
    });
    reviews().slice(before).forEach(judgeReview);
  }

  const reviews = (): Kind<'reviewed'>[] => [...ledger.entries()].filter((entry) => entry.kind === 'reviewed');

  function judgeReview({ actor, run }: Kind<'reviewed'>): void {
    sent.push('reviewed');
    if (ledger.run(run)?.asked?.actor.id === actor.id) judged.push('reviewed by its own author');
    if (!has(actor.roles, rule, 'approve')) judged.push('reviewed without the right');
  }

  function buttonOf(kind: Pressed, run: string, order: Kind<'asked' | 'requested'> | undefined) {
    const id = run.slice(0, -2);
    if (kind === 'lead' || kind === 'glass') return `${kind}:${id}`;
    if (kind === 'review') return `review:${run}`;
    return order === undefined ? '' : `${kind}:${id}.${seal.of(kind, order)}`;
  }

  async function take(one: Step): Promise<void> {
    if (one.does === 'roles') roles[one.who] = one.held;
    else if (one.does === 'waits') now += one.ms;
    else if (one.does === 'presses') await press(one.who, one.button, one.back);
    else if (one.does === 'freezes') {
      const until = new Date(now + 10_000).toISOString();
      await ledger.append([{ kind: 'frozen', actor: actorOf('dora'), until, why: 'x', place }]);
    } else if (one.does === 'policy') {
      const next = read(one.rights);
      if ('problems' in next) return;
      policy = next.policy;
      rule = one.rights;
    } else {
      const arrived = arriving();
      await runner.command({
        ...{ interaction: arrived, actor: actorOf(one.who), place, command: one.what },
        ...{
          options: { server: String(one.at) },
          mayReturn: () => Promise.resolve(true),
          reply: replyOf(`1${arrived.id}`),
        },
      });
    }
    now += 1_000;
  }
  try {
    for (const one of steps) await take(one);
    return { sent, judged };
  } finally {
    await runner.stop(1_000);
    await close();
  }
}

it('whatever people press, nothing leaves without what the policy asks for', { timeout: 170_000 }, async () => {
  const counts: Record<string, number> = {};
  const start = fc.record({ alice: fc.constant([ids[0]]), bob: held, carol: held, dora: fc.constant([...ids]) });
  await fc.assert(
    fc.asyncProperty(rights, start, history, async (first, roles, steps) => {
      const { sent, judged } = await play(first, roles, steps);
      for (const how of sent) counts[how] = (counts[how] ?? 0) + 1;
      expect(judged).toEqual([]);
    }),
    { numRuns: tries(200) },
  );
  // Each way was gone.
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['plain', 'approved 1', 'requested', 'glass', 'reviewed']),
  );
});
