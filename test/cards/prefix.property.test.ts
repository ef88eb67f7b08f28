import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/card.ts';
import { firstCard, knownOf } from '../../src/cards/draw.ts';
import { fingerprint } from '../../src/cards/editor.ts';
import { reminderCard, render } from '../../src/cards/render/index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { Refused } from '../../src/ledger/ledger.ts';
import { openBook } from '../../src/runs/book.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import { isOpenQuestion, type RunState } from '../../src/runs/state.ts';
import { createDiscord, type Discord, type Reaction } from './discord.ts';
import { type CardProcess, type Clock, clockAt, fastFolder, startProcess } from './process.ts';
import * as story from './story.ts';

/**
 * Whatever happens, in whatever order, and wherever the bot is killed: at the end each card shows what the ledger says, and at no
 * time did one show what the ledger did not say then.
 */

const { alice, bob, typed } = story;

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
const ids = ['one', 'two', 'three', 'four', 'five'] as const;

type What =
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
interface Move {
  what: What;
  who: number;
  n: 1 | 2;
  /** Nothing is waited for before the next one; or until the cards had so many turns. */
  turns: number;
}
/** `late`: what becomes of edits that are under way: they still arrive, or never. */
type Doing = { move: Move } | { kill: { late: boolean } } | { release: true };

const others: readonly What[] = [
  ...(['cancel', 'expire', 'succeed', 'reject', 'lose', 'accept', 'follow', 'finish', 'fail'] as const),
  ...(['lose-sight', 'announce', 'happened', 'did-not-happen', 'remind'] as const),
];
const move: fc.Arbitrary<Doing> = fc.record({
  move: fc.record({
    what: fc.oneof(
      { arbitrary: fc.constant<What>('next'), weight: 3 },
      { arbitrary: fc.constantFrom(...others), weight: 1 },
    ),
    who: fc.nat({ max: ids.length - 1 }),
    n: fc.constantFrom(1, 1, 2),
    turns: fc.constantFrom(0, 0, 1, 3, 12),
  }),
});
const doing = fc.oneof(
  { arbitrary: move, weight: 12 },
  { arbitrary: fc.record({ kill: fc.record({ late: fc.boolean() }) }), weight: 1 },
  { arbitrary: fc.constant<Doing>({ release: true }), weight: 1 },
);
/** `held`: the edit is under way until something releases it. */
type Answer = Reaction | 'held';
const answer = fc.oneof(
  { arbitrary: fc.constant<Answer>('edited'), weight: 6 },
  { arbitrary: fc.constantFrom<Answer>('refused', 'lost', 'held', 'too-old', 'archived'), weight: 4 },
);
const history = fc.record({
  doings: fc.array(doing, { minLength: 10, maxLength: 45 }),
  answers: fc.array(answer, { maxLength: 40 }),
  commands: fc.array(fc.constantFrom(...lines), { minLength: ids.length, maxLength: ids.length }),
  people: fc.array(fc.constantFrom(alice, bob), { minLength: ids.length, maxLength: ids.length }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Knows what each card may show: what any prefix of the ledger up to now says. */
function createWitness() {
  const book = openBook();
  const parts = story.drawParts(book.records);
  const may = new Map<string, Set<string>>();
  let seq = 0;
  const allow = (run: string, card: Card): void =>
    void may.set(run, (may.get(run) ?? new Set()).add(fingerprint(card)));
  return {
    allow,
    /** Each entry once, whichever process told of it. */
    hear(entry: Entry): void {
      if (entry.seq <= seq) return;
      seq = entry.seq;
      book.add(entry);
      for (const id of ids) {
        const known = knownOf(parts, id);
        if (known === undefined) continue;
        allow(id, render(known, parts));
        const reminder = reminderCard(known, parts);
        if (reminder !== undefined) allow(`${id} · reminder`, reminder);
      }
    },
    mayShow: (card: Card): boolean => may.get(card.run ?? '')?.has(fingerprint(card)) ?? false,
  };
}

/** What comes next for a run. */
function nextOf(state: RunState | undefined, asked: boolean): Exclude<What, 'next'> | 'ask' | 'confirm' | 'send' {
  if (state === undefined) return asked ? 'ask' : 'send';
  if (state.followUp?.ended !== undefined) return 'announce';
  if (state.followUp !== undefined) return 'finish';
  if (state.outcome !== undefined) return 'happened';
  if (state.intent !== undefined) return 'follow';
  return state.confirmed !== undefined ? 'send' : 'confirm';
}

const later = '2026-11-20T08:00:00.000Z';

/** What a move appends; nothing where it makes no sense yet. */
function entriesOf({ what, n }: Move, of: story.Typed, ledger: Ledger, discord: Discord): NewRunEntry[] {
  const states = ledger.runs(of.id);
  const state = states.find(({ run }) => run === `${of.id}.${n}`);
  const servers = story.serversOf(of);
  if (n > servers.length) return [];
  const all = servers.map((_server, i) => i + 1);
  const step = what === 'next' ? nextOf(state, of.command !== 'firewall.enable') : what;
  const undo = {
    command: 'firewall.enable',
    options: { server: String(servers[n - 1]?.id), interface: 'primary', sync: true },
  };
  const ways = of.command === 'firewall.disable' ? { undo, remind: later } : {};
  switch (step) {
    case 'ask':
      return all.map((each) => story.asks(of, each));
    case 'confirm':
      return states.flatMap(({ asked }, i) => (asked === undefined ? [] : [story.confirms(of, asked.hash, i + 1)]));
    case 'send':
      return [story.sends(of, n, { seen: ledger.head().seq })];
    case 'cancel':
    case 'expire': {
      const how = step === 'cancel' ? 'cancelled' : 'expired';
      return all.map((each) => story.ends(of, how, each, { reason: how }));
    }
    case 'succeed':
      return state?.intent === undefined ? [] : [story.ends(of, 'succeeded', n, ways)];
    case 'reject':
      return state?.intent === undefined ? [] : [story.ends(of, 'rejected', n, { reason: 'conflict' })];
    case 'lose':
      return state?.intent === undefined ? [] : [story.ends(of, 'unknown', n, { reason: 'bot-stopped' })];
    case 'accept':
      return state?.intent === undefined ? [] : [story.ends(of, 'accepted', n, ways)];
    case 'follow':
      return state?.intent === undefined ? [] : [story.ends(of, 'accepted', n, ways), story.follows(of, 17 + n, n)];
    case 'finish':
      return [story.jobEnds(of, 'finished', n)];
    case 'fail':
      return [story.jobEnds(of, 'failed', n)];
    case 'lose-sight':
      return [story.jobEnds(of, 'unknown', n)];
    case 'announce':
      return [story.announces(of, n)];
    case 'happened':
      return [story.says(of, true, 'seen', n, ways)];
    case 'did-not-happen':
      return [story.says(of, false, 'seen', n)];
    case 'remind': {
      const parts = story.drawParts(ledger);
      const known = knownOf(parts, of.id);
      const card = known && reminderCard(known, parts);
      if (card === undefined || state?.remind === undefined || state.reminded !== undefined) return [];
      return [story.reminds(of, discord.post({ channel: story.channel, card, pings: [of.by.id] }), n)];
    }
  }
}

/** What nobody does any more of a command ends, as a restarted bot ends it; an open question stays open. */
function leftOf(of: story.Typed, states: readonly RunState[]): NewRunEntry[] {
  if (states.length > 0 && states.every(isOpenQuestion)) return [];
  return story.serversOf(of).flatMap((_server, i): NewRunEntry[] => {
    const state = states.find(({ run }) => run === `${of.id}.${i + 1}`);
    if (state?.outcome !== undefined) return [];
    const isSent = state?.intent !== undefined;
    return [
      isSent
        ? story.ends(of, 'unknown', i + 1, { reason: 'bot-stopped' })
        : story.ends(of, 'not-sent', i + 1, { reason: 'bot-restarted' }),
    ];
  });
}

/** Gives what waits for nothing but itself so many turns. */
async function turns(n: number): Promise<void> {
  for (let at = 0; at < n; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

const unlessRefused = (append: Promise<unknown>): Promise<unknown> =>
  append.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });

/** Plays one history, and answers what is wrong at its end. */
async function play({ doings, answers, commands, people }: History): Promise<string[]> {
  const wrong: string[] = [];
  const discord = createDiscord();
  const clock: Clock = clockAt();
  const witness = createWitness();
  const left = [...answers];
  let held: ((reaction: Reaction) => void)[] = [];
  discord.react = ({ card }) => {
    if (!witness.mayShow(card)) wrong.push(`shown, and not known: ${story.textOf(card).join(' | ')}`);
    const next = left.shift() ?? 'edited';
    return next === 'held' ? new Promise((resolve) => held.push(resolve)) : next;
  };
  const release = (reaction: Reaction): void => {
    for (const resolve of held.splice(0)) resolve(reaction);
  };
  const live = (dir: string): Promise<CardProcess> => startProcess(dir, { discord, clock, hear: witness.hear });
  let bot = await live(fastFolder());
  const dead: CardProcess[] = [];
  await bot.cards.takeOver();

  const all = commands.map((line, i) => {
    const of = typed(ids[i] ?? '', line, { by: people[i] ?? alice });
    return { ...of, opened: false };
  });

  /** The command is answered: its first card is there, and perhaps nobody knows yet which message that is. */
  async function open(of: (typeof all)[number]): Promise<void> {
    of.opened = true;
    const opened = story.openedOf(of);
    const first = firstCard(of.id, opened);
    witness.allow(of.id, first);
    of.message = discord.post({ channel: story.channel, card: first, answers: opened.interaction.id });
    const { message: _unknown, ...place } = opened.place;
    await bot.cards.open(of.id, { ...opened, place }, first);
    bot.cards.placed(of.id, of.message);
  }

  async function restart(late: boolean): Promise<void> {
    const dir = bot.kill();
    dead.push(bot);
    if (late) release('edited');
    held = [];
    bot = await live(dir);
    const taken = await bot.cards.takeOver();
    for (const of of all)
      if (taken.has(of.id) || bot.ledger.runs(of.id).length > 0)
        await unlessRefused(bot.ledger.append(leftOf(of, bot.ledger.runs(of.id))));
  }

  for (const each of doings) {
    clock.now += 1_000;
    if ('kill' in each) await restart(each.kill.late);
    else if ('release' in each) release('edited');
    else {
      const of = all[each.move.who];
      if (of === undefined) continue;
      if (!of.opened) await open(of);
      const appended = unlessRefused(bot.ledger.append(entriesOf(each.move, of, bot.ledger, discord)));
      if (each.move.turns > 0) await appended;
      await turns(each.move.turns);
    }
  }
  discord.react = ({ card }) => {
    if (!witness.mayShow(card)) wrong.push(`shown, and not known: ${story.textOf(card).join(' | ')}`);
    return 'edited';
  };
  release('edited');
  for (const of of all) if (of.opened) await unlessRefused(bot.ledger.append(leftOf(of, bot.ledger.runs(of.id))));
  await bot.cards.close(30_000);

  const parts = story.drawParts(bot.ledger);
  for (const of of all) {
    const known = knownOf(parts, of.id);
    if (known === undefined) continue;
    const at = known.states.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? of.message ?? '';
    compare(`card ${of.id}`, discord.shown(at), render(known, parts));
    const reminder = known.states.flatMap(({ reminded }) => reminded?.place.message ?? [])[0];
    if (reminder !== undefined) compare(`reminder ${of.id}`, discord.shown(reminder), reminderCard(known, parts));
  }
  function compare(what: string, shown: Card | undefined, drawn: Card | undefined): void {
    const [is, should] = [shown, drawn].map((card) =>
      card === undefined ? 'nothing' : story.textOf(card).join(' | '),
    );
    if (is !== should) wrong.push(`${what} shows ${is}, and should show ${should}`);
  }
  for (const each of [...dead, bot]) await each.bury();
  return wrong;
}

describe('cards, whatever happens', () => {
  it('show at the end what the ledger says, and never more than it said', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (of) => {
        expect(await play(of)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
