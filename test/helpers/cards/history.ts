import fc from 'fast-check';
import type { Reaction } from './discord.ts';
import { alice, bob } from './story.ts';

/** Any history: what people type, what becomes of it, what Discord says to each edit, and where the bot is killed. */

/** What people type, mostly on the same servers: one undoes, replaces or applies what another did. */
const lines = [
  '/firewall disable server:101 interface:primary sync:yes',
  '/firewall disable server:101,102 interface:primary sync:yes',
  '/firewall disable server:101 interface:primary sync:no',
  '/firewall enable server:101 interface:primary sync:yes',
  '/firewall enable server:101,102 interface:primary sync:yes',
  '/firewall sync server:101 interface:primary',
  '/cpu throttle server:101 percent:50 sync:yes',
  '/cpu throttle server:101 percent:20 sync:yes',
  '/cpu throttle server:101,102 percent:0 sync:yes',
  '/power shutdown server:101',
  '/power boot server:101,102',
];
export const ids = ['one', 'two', 'three', 'four', 'five'] as const;

export type What =
  | 'next'
  | 'cancel'
  | 'expire'
  | 'succeed'
  | 'reject'
  | 'lose'
  | 'accept'
  | 'follow'
  | 'finish'
  | 'fail'
  | 'lose-sight'
  | 'announce'
  | 'happened'
  | 'did-not-happen'
  | 'remind';
export interface Move {
  what: What;
  who: number;
  n: 1 | 2;
  /** Whether the next step waits for it, and for how many turns of the cards. */
  turns: 'no' | number;
}
/** A command from where it is to that outcome, on all its servers. */
export interface Through {
  who: number;
  to: 'succeed' | 'accept' | 'follow' | 'lose';
  turns: number;
}
/** `late`: what becomes of edits that are under way: they still arrive, or never. */
type Doing = { move: Move } | { through: Through } | { kill: { late: boolean } } | { release: true };

const others: readonly What[] = [
  ...(['cancel', 'expire', 'succeed', 'reject', 'lose', 'accept', 'follow', 'finish', 'fail'] as const),
  ...(['lose-sight', 'announce', 'happened', 'did-not-happen', 'remind'] as const),
];
const who = fc.constantFrom(0, 0, 1, 1, 2, 2, 3, 4);
const through: fc.Arbitrary<Doing> = fc.record({
  through: fc.record({
    who,
    to: fc.constantFrom('succeed', 'succeed', 'accept', 'follow', 'lose'),
    turns: fc.constantFrom(0, 0, 3, 12),
  }),
});
const move: fc.Arbitrary<Doing> = fc.record({
  move: fc.record({
    what: fc.oneof(
      { arbitrary: fc.constant<What>('next'), weight: 3 },
      { arbitrary: fc.constantFrom(...others), weight: 1 },
    ),
    who,
    n: fc.constantFrom(1, 1, 2),
    turns: fc.constantFrom<Move['turns']>('no', 'no', 0, 0, 3, 12),
  }),
});
const doing = fc.oneof(
  { arbitrary: move, weight: 12 },
  { arbitrary: through, weight: 3 },
  { arbitrary: fc.record({ kill: fc.record({ late: fc.boolean() }) }), weight: 1 },
  { arbitrary: fc.constant<Doing>({ release: true }), weight: 1 },
);
/** `held`: the edit is under way until something releases it. */
type Answer = Reaction | 'held';
const answer = fc.oneof(
  { arbitrary: fc.constant<Answer>('edited'), weight: 6 },
  { arbitrary: fc.constantFrom<Answer>('refused', 'lost', 'held', 'too-old', 'archived'), weight: 4 },
);
export const history = fc.record({
  doings: fc.array(doing, { minLength: 10, maxLength: 40 }),
  answers: fc.array(answer, { maxLength: 40 }),
  commands: fc.array(fc.constantFrom(...lines), { minLength: ids.length, maxLength: ids.length }),
  people: fc.array(fc.constantFrom(alice, bob), { minLength: ids.length, maxLength: ids.length }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
