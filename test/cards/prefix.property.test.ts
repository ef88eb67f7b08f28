import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/card.ts';
import { knownOf, messagesOf, placeOf } from '../../src/cards/draw.ts';
import { fingerprint } from '../../src/cards/editor.ts';
import { beside } from '../../src/cards/render/index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { Refused } from '../../src/ledger/ledger.ts';
import { openBook } from '../../src/runs/book.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import { isOpenQuestion, type RunState } from '../../src/runs/state.ts';
import { createDiscord, type Discord, type Reaction } from '../helpers/cards/discord.ts';
import { type History, history, ids, type Move, type Through, type What } from '../helpers/cards/history.ts';
import { type CardProcess, clockAt, fastFolder, startProcess } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';
import { tries } from '../helpers/tries.ts';

/**
 * Whatever happens, in whatever order, and wherever the bot is killed: at the end each card shows what the ledger says, and at no
 * time did one show what the ledger did not say then.
 */

const { alice, typed } = story;

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
    /** Each entry once, whichever process reports it. */
    hear(entry: Entry): void {
      if (entry.seq <= seq) return;
      seq = entry.seq;
      book.add(entry);
      for (const id of ids) {
        const [known, place] = [knownOf(parts, id), placeOf(parts, id)];
        if (known === undefined || place === undefined) continue;
        const { card, elsewhere, others } = messagesOf(known, parts, place);
        for (const each of [card, elsewhere, ...others.map((other) => other.card)])
          if (each !== undefined) allow(each.run ?? id, each);
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
  const came = (entries: NewRunEntry[]): NewRunEntry[] => (state?.intent === undefined ? [] : entries);
  const step = what === 'next' ? nextOf(state, states.length === 0 && of.command !== 'firewall.enable') : what;
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
      return came([story.ends(of, 'succeeded', n, ways)]);
    case 'reject':
      return came([story.ends(of, 'rejected', n, { reason: 'conflict' })]);
    case 'lose':
      return came([story.ends(of, 'unknown', n, { reason: 'bot-stopped' })]);
    case 'accept':
      return came([story.ends(of, 'accepted', n, ways)]);
    case 'follow':
      return came([story.ends(of, 'accepted', n, ways), story.follows(of, 17 + n, n)]);
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
      const card = known && beside.reminder(known, parts);
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

/** The world of one history: people, Discord, and a bot that is killed and started again. */
async function createWorld({ answers, commands, people }: History) {
  const wrong: string[] = [];
  const [discord, clock, witness] = [createDiscord(), clockAt(), createWitness()];
  const left = [...answers];
  let held: ((reaction: Reaction) => void)[] = [];
  discord.react = ({ card }) => {
    if (!witness.mayShow(card)) wrong.push(`shown, and not known: ${story.textOf(card).join(' | ')}`);
    const next = left.shift() ?? 'edited';
    return next === 'held' ? new Promise((resolve) => held.push(resolve)) : next;
  };
  const live = (dir: string): Promise<CardProcess> => startProcess(dir, { discord, clock, hear: witness.hear });
  const dead: CardProcess[] = [];
  let bot = await live(fastFolder());
  await bot.cards.takeOver();
  const all: (story.Typed & { opened?: true })[] = commands.map((line, i) =>
    typed(ids[i] ?? '', line, { by: people[i] ?? alice }),
  );
  const leave = (of: story.Typed): Promise<unknown> =>
    unlessRefused(bot.ledger.append(leftOf(of, bot.ledger.runs(of.id))));

  return {
    ...{ all, clock, discord, wrong },
    bot: () => bot,
    /** The command is answered: its first card is there, and perhaps nobody knows yet which message that is. */
    async open(of: (typeof all)[number]): Promise<void> {
      if (of.opened) return;
      of.opened = true;
      const opened = story.openedOf(of);
      const first = story.firstCard(of.id, opened);
      witness.allow(of.id, first);
      of.message = discord.post({ channel: story.channel, card: first, answers: opened.interaction.id });
      const { message: _unknown, ...place } = opened.place;
      await bot.cards.open(of.id, { ...opened, place }, first);
      bot.cards.placed(of.id, of.message);
    },
    release(): void {
      for (const resolve of held.splice(0)) resolve('edited');
    },
    /** `late`: what was under way still arrives. */
    async restart(late: boolean): Promise<void> {
      const dir = bot.kill();
      dead.push(bot);
      if (late) this.release();
      held = [];
      bot = await live(dir);
      const { left: taken } = await bot.cards.takeOver();
      for (const of of all) if (taken.has(of.id) || bot.ledger.runs(of.id).length > 0) await leave(of);
    },
    /** Discord is well from now on, and all that was begun is ended, but for what is left as it is. */
    async end(isLeft: boolean): Promise<void> {
      left.length = 0;
      this.release();
      if (!isLeft) for (const of of all) if (of.opened) await leave(of);
      await bot.cards.close(30_000);
    },
    async bury(): Promise<void> {
      for (const each of [...dead, bot]) await each.bury();
    },
  };
}
type World = Awaited<ReturnType<typeof createWorld>>;

/** Which cards and reminders do not show what the ledger holds. */
function different({ all, discord, bot }: World): string[] {
  const parts = story.drawParts(bot().ledger);
  const differs = (what: string, message: string, drawn: Card | undefined): string[] => {
    const shown = discord.shown(message);
    const [is, should] = [shown, drawn].map((card) =>
      card === undefined ? 'nothing' : story.textOf(card).join(' | '),
    );
    return is === should ? [] : [`${what} shows ${is}, and should show ${should}`];
  };
  return all.flatMap((of) => {
    const [known, place] = [knownOf(parts, of.id), placeOf(parts, of.id)];
    if (known === undefined || place === undefined) return [];
    const at = known.states.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? of.message ?? '';
    const { card, elsewhere, others } = messagesOf(known, parts, place);
    return [
      ...differs(`card ${of.id}`, at, elsewhere ?? card),
      ...others.flatMap((other) => differs(`a message beside ${of.id}`, other.message, other.card)),
    ];
  });
}

async function step({ all, open, bot, discord }: World, move: Move): Promise<void> {
  const of = all[move.who];
  if (of === undefined) return;
  await open(of);
  const { ledger } = bot();
  const appended = unlessRefused(ledger.append(entriesOf(move, of, ledger, discord)));
  if (move.turns === 'no') return;
  await appended;
  await turns(move.turns);
}

async function goThrough(world: World, { who, to, turns }: Through): Promise<void> {
  const of = world.all[who];
  if (of === undefined) return;
  const isNew = world.bot().ledger.runs(of.id).length === 0;
  for (const what of isNew ? (['next', 'next'] as const) : []) await step(world, { who, what, n: 1, turns: 0 });
  for (const n of [1, 2] as const) for (const what of ['next', to] as const) await step(world, { who, what, n, turns });
}

/** Plays one history, and answers what was wrong, and what is at its end. `isLeft`: what was begun stays open. */
async function play(history: History, { isLeft = false } = {}): Promise<string[]> {
  const world = await createWorld(history);
  for (const each of history.doings) {
    world.clock.now += 1_000;
    if ('kill' in each) await world.restart(each.kill.late);
    else if ('release' in each) world.release();
    else if ('through' in each) await goThrough(world, each.through);
    else await step(world, each.move);
  }
  await world.end(isLeft);
  const wrong = [...world.wrong, ...different(world)];
  await world.bury();
  return wrong;
}

describe('cards, whatever happens', () => {
  it('show at the end what the ledger says, and never more than it said', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (of) => {
        expect(await play(of)).toEqual([]);
      }),
      { numRuns: tries(300) },
    );
  });

  const disable = (sync: string) => `/firewall disable server:101 interface:primary sync:${sync}`;
  const through = (who: number, to: 'succeed' | 'lose', turns = 0) => ({ through: { who, to, turns } });
  const move = (what: What, who: number) => ({ move: { what, who, n: 1 as const, turns: 3 } });
  it.each<[string, Pick<History, 'commands' | 'people' | 'doings'>]>([
    [
      'show what was undone on one of two servers, while the other is still open',
      {
        commands: [disable('yes'), '/firewall enable server:101,102 interface:primary sync:yes'],
        people: [],
        doings: [through(0, 'succeed'), move('next', 1), move('succeed', 1)],
      },
    ],
    [
      'no longer say that they applied what was stored, once an earlier change is known to have done so',
      {
        commands: [disable('yes'), disable('no'), disable('yes')],
        people: [alice, story.bob, alice],
        doings: [through(1, 'succeed'), through(0, 'lose'), through(2, 'succeed', 3), move('happened', 0)],
      },
    ],
  ])('%s', async (_what, of) => {
    expect(await play({ ...of, answers: [] }, { isLeft: true })).toEqual([]);
  });
});
