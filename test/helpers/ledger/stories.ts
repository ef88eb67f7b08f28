import fc from 'fast-check';
import type { NewEntry, NewRunEntry } from '../../../src/runs/entry.ts';
import type { Recorded } from './rules-model.ts';

/** How long a question is open, in ms. */
const open = 50_000;

const actor = { id: '1100000000000000002', name: 'bob', roles: [] };
const place = { guild: '1000000000000000001', channel: '1300000000000000001', message: '1400000000000000001' };

/** What one of the two appends in a turn. `next`: the run's next step, as known when the turn begins. */
type What =
  | 'next'
  | 'ask'
  | 'confirm'
  | 'confirm-another'
  | 'cancel'
  | 'expire'
  | 'send'
  | 'reject'
  | 'accept'
  | 'lose'
  | 'give-up'
  | 'follow'
  | 'finish'
  | 'lose-sight'
  | 'stop'
  | 'announce'
  | 'resolve'
  | 'resolve-and-follow'
  | 'open'
  | 'note'
  | 'close';
interface Move {
  who: 0 | 1;
  what: What;
  run: 'a.1' | 'a.2' | 'b.1';
  /** Looks at the server first, when the turn begins; otherwise goes by the last look. */
  looks: boolean;
}
/** Turns, each with what is appended at once. */
export type Story = readonly (readonly Move[])[];

const others: readonly What[] = [
  ...([
    'ask',
    'confirm',
    'confirm-another',
    'cancel',
    'expire',
    'send',
    'reject',
    'accept',
    'lose',
    'give-up',
  ] as const),
  ...(['follow', 'finish', 'lose-sight', 'stop', 'announce', 'resolve', 'resolve-and-follow'] as const),
  ...(['open', 'note', 'close'] as const),
];
const move: fc.Arbitrary<Move> = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.oneof(
    { arbitrary: fc.constant<What>('next'), weight: 2 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  ),
  run: fc.constantFrom('a.1', 'a.2', 'b.1'),
  looks: fc.boolean(),
});
export const story: fc.Arbitrary<Story> = fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { maxLength: 9 });

/** The runs a.1 and b.1 of a story are on one server, a.2 is on another. */
const serverOf = ({ run }: Move, at: number) => ({ id: 2 * at + (run === 'a.2' ? 2 : 1) });

/** What is recorded of a story, and until which entry each of the two has looked. */
export interface Stand {
  recorded: Recorded;
  seen: [number, number];
}

function nextOf(run: string, recorded: Recorded): What {
  const has = (kind: string, step?: string): boolean =>
    recorded.some(
      ({ entry }) =>
        'run' in entry && entry.run === run && entry.kind === kind && ('step' in entry ? entry.step === step : true),
    );
  if (has('follow-up', 'ended')) return 'announce';
  if (has('outcome')) return 'finish';
  if (has('intent')) return 'follow';
  if (has('confirmed')) return 'send';
  return has('asked') ? 'confirm' : run === 'b.1' ? 'send' : 'ask';
}

/** The entries of a move. `at` is the story's number: each has runs, servers and an incident of its own. */
export function entriesOf(each: Move, at: number, { recorded, seen }: Stand, now: number): NewEntry[] {
  const base = { run: `s${at}${each.run}`, actor, command: 'x.y', options: {}, server: serverOf(each, at), place };
  const ended = (outcome: 'rejected' | 'accepted' | 'unknown'): NewRunEntry => ({ ...base, kind: 'outcome', outcome });
  const never = (outcome: 'cancelled' | 'expired'): NewRunEntry => ({
    ...base,
    kind: 'outcome',
    outcome,
    reason: outcome,
  });
  const job = { ...base, kind: 'follow-up', follow: 'restore', job: 7 } as const;
  const resolved = { ...base, kind: 'resolved', happened: true, why: 'seen' } as const;
  const incident = { kind: 'incident', actor, incident: `${at}`, place: { guild: '1', channel: '2' } } as const;
  const hashOf = (run: string): string =>
    recorded.find(({ entry }) => entry.kind === 'asked' && entry.run === run)?.hash ?? 'none';
  const confirmed = (question: string): NewRunEntry => ({ ...base, kind: 'confirmed', question, owner: `${each.who}` });
  const what = each.what === 'next' ? nextOf(base.run, recorded) : each.what;
  switch (what) {
    case 'ask':
      return [{ ...base, kind: 'asked', expires: new Date(now + open).toISOString() }];
    case 'confirm':
      return [confirmed(hashOf(base.run))];
    case 'confirm-another':
      return [confirmed(hashOf(`s${at}${each.run === 'a.1' ? 'a.2' : 'a.1'}`))];
    case 'cancel':
      return [never('cancelled')];
    case 'expire':
      return [never('expired')];
    case 'send':
      return [{ ...base, kind: 'intent', seen: seen[each.who], owner: `${each.who}` }];
    case 'reject':
      return [ended('rejected')];
    case 'accept':
      return [ended('accepted')];
    case 'lose':
      return [ended('unknown')];
    case 'give-up':
      return [{ ...base, kind: 'outcome', outcome: 'unavailable', reason: 'bot-restarted' }];
    case 'follow':
      return [ended('accepted'), { ...job, step: 'started', deadline: '2026-11-20T22:00:00.000Z' }];
    case 'finish':
      return [{ ...job, step: 'ended', end: 'finished' }];
    case 'lose-sight':
      return [{ ...job, step: 'ended', end: 'unknown' }];
    case 'stop':
      return [{ ...job, step: 'ended', end: 'stopped' }];
    case 'announce':
      return [{ ...job, step: 'announced' }];
    case 'resolve':
      return [resolved];
    case 'resolve-and-follow':
      return [
        resolved,
        { ...base, kind: 'follow-up', follow: 'restore', step: 'started', deadline: '2026-11-20T22:00:00.000Z' },
      ];
    case 'open':
      return [{ ...incident, step: 'opened', title: 'slow' }];
    case 'note':
      return [
        { ...incident, step: 'noted', note: { message: each.run, channel: '2', author: actor, time: '', text: '' } },
      ];
    case 'close':
      return [{ ...incident, step: 'ended' }];
    case 'next':
      return [];
  }
}
