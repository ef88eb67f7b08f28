import { setTimeout as delay } from 'node:timers/promises';
import type { RunEntry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import type { OpenCard } from '../ledger/open-cards.ts';
import { LedgerUnavailable, type RawOptions, RedisUnavailable } from '../outcome.ts';
import type { Question, Taker } from '../questions/questions.ts';
import type { About } from './cards.ts';
import { end, type Run } from './change.ts';
import type { RunParts } from './parts.ts';
import { lastWord, type RetireParts, retire, showAgain } from './retire.ts';
import { openCard, settle, stemOfRun } from './settle.ts';

/**
 * What has to be done again and again: owed outcomes, lapsed questions, cards that are not at rest, and what processes that
 * are no more have left behind. Never rejects.
 */
export async function sweep(parts: RunParts): Promise<void> {
  for (const step of [pay, refresh, doubtful, lapses, cards, orphans]) {
    await step(parts).catch((error: unknown) => {
      // That Redis is away, or the ledger cannot be written, is in the log already.
      const known = error instanceof RedisUnavailable || error instanceof LedgerUnavailable;
      parts.log[known ? 'debug' : 'warn']({ problem: String(error) }, `sweeping stopped at ${step.name}`);
    });
  }
}

/** What other processes recorded. */
const refresh = ({ ledger }: RunParts): Promise<void> => ledger.refresh();

/** Cards of which the ledger may have taken more than it said, as they are now. */
async function doubtful(parts: RunParts): Promise<void> {
  if (parts.doubted.size === 0) return;
  await parts.ledger.refresh();
  const stems = [...parts.doubted];
  parts.doubted.clear();
  await Promise.all(stems.map((stem) => showAgain(parts, stem)));
  for (const stem of stems) await retire(parts, stem);
}

async function lapses(parts: RunParts): Promise<void> {
  const due = await parts.questions.due(parts.now());
  await Promise.all(due.filter((each) => isRecorded(parts, each)).map((each) => expire(parts, each)));
  await Promise.all(forgotten(parts).map((each) => lapse(parts, each)));
}

/** A question that this ledger does not know is another's, or was put into Redis by somebody else. */
const isRecorded = ({ ledger }: RunParts, { id, stem }: Question): boolean =>
  ledger.runs(stem).some(({ asked }) => asked?.question === id);

/** Cards that are not at rest although nobody is at work on them. */
async function cards(parts: RunParts): Promise<void> {
  // While the list is under way, cards come to rest and new ones come up: neither are left over.
  const before = new Set(parts.active);
  const listed = await parts.openCards.list();
  const left = listed.filter(({ interaction }) => !before.has(interaction) && !parts.active.has(interaction));
  const alive = await others(
    parts,
    left.map(({ owner }) => owner),
  );
  const due = left.filter(
    ({ owner, interaction }) => !alive.has(owner) && (parts.pauses.get(interaction)?.until ?? 0) <= parts.now(),
  );
  await Promise.all(due.map((open) => rest(parts, open)));
}

/** How long a sweep waits for Discord, in ms. */
const patience = 2_000;

/** Settles a card. One that Discord holds up stays under way, and holds up neither the other cards nor the next sweep. */
async function rest(parts: RunParts, open: OpenCard): Promise<void> {
  if (parts.active.has(open.interaction)) return;
  parts.active.add(open.interaction);
  const stem = stemOfRun(open.runs[0]?.run ?? '');
  const from = parts.now();
  const settled = settle(parts, open, 'bot-restarted')
    // Of what Discord held up, another process may have shown more since.
    .then(() => (stem === '' || parts.now() - from < patience ? undefined : lastWord(parts, stem, '')))
    .finally(() => parts.active.delete(open.interaction));
  await Promise.race([settled, delay(patience, undefined, { ref: false })]);
}

/** Intents without an outcome whose process is no more. */
async function orphans(parts: RunParts): Promise<void> {
  const sent = parts.ledger.open().flatMap(({ intent }) => intent ?? []);
  const foreign = sent.filter(({ owner }) => owner !== parts.owner);
  const alive = await others(
    parts,
    foreign.flatMap(({ owner }) => owner ?? []),
  );
  const left = foreign.filter(({ owner }) => owner === undefined || !alive.has(owner));
  const stems = [...new Set(left.map(({ run }) => stemOfRun(run)))];
  await Promise.all(stems.map((stem) => close(parts, stem)));
}

/** Which of these processes live, beside this one. */
function others(parts: RunParts, owners: readonly string[]): Promise<ReadonlySet<string>> {
  const foreign = [...new Set(owners)].filter((owner) => owner !== parts.owner);
  return foreign.length === 0 ? Promise.resolve(new Set<string>()) : parts.alive(foreign);
}

/** Outcomes that the ledger would not take are offered again, in order; with each, in one append, what is followed from there on. */
export async function pay(parts: Pick<RunParts, 'owed' | 'ledger'> & RetireParts): Promise<void> {
  const { owed, ledger, log } = parts;
  while (owed[0] !== undefined) {
    const [{ run }] = owed;
    const others = owed.findIndex((entry) => entry.run !== run);
    const entries = owed.slice(0, others === -1 ? owed.length : others);
    try {
      await ledger.append(entries);
      // Not waited for: when it was done, the ledger could not say what it took back.
      void retire(parts, stemOfRun(run));
    } catch (error) {
      if (error instanceof LedgerUnavailable) return;
      log.warn({ run, problem: String(error) }, 'an owed outcome was refused');
    }
    owed.splice(0, entries.length);
  }
}

/** Ends a lapsed question, unless somebody was faster. */
async function expire(parts: RunParts, question: Question): Promise<void> {
  const { taken } = await parts.questions.take(question, {
    who: question.requester.name,
    what: 'expired',
    at: parts.now(),
  });
  if (taken) await recordExpired(parts, question);
}

/** How long Redis has, after a question lapsed, to be the one that says so; in ms. */
const grace = 10_000;

/** Questions that the ledger holds open although they lapsed: Redis forgot them. */
const forgotten = (parts: RunParts): Question[] =>
  openQuestions(parts.ledger.open()).filter(
    ({ expires, stem }) => expires + grace < parts.now() && !parts.hands.has(stem),
  );

async function lapse(parts: RunParts, question: Question): Promise<void> {
  if ((await parts.questions.get(question.id)) !== undefined) return expire(parts, question);
  const by = await parts.questions.gone(question.id);
  // Expired by whoever did not come to record it, or did so in another ledger.
  const unrecorded = by === undefined || by.what === 'expired' || isLost(parts, question, by);
  if (unrecorded) await recordExpired(parts, question);
}

/** Redis did what it was told when it was too late: whoever took the question was told that Redis cannot be reached. */
function isLost({ ledger, now }: RunParts, { stem }: Question, { at }: Taker): boolean {
  const begun = ledger.runs(stem).some(({ intent, outcome }) => intent !== undefined || outcome !== undefined);
  return !begun && at + 60_000 < now();
}

async function recordExpired(parts: RunParts, question: Question): Promise<void> {
  const { requester, place, command, options, stem } = question;
  const runs = question.runs.flatMap(({ run, server }): Run[] => (server === undefined ? [] : [{ run, server }]));
  const about = aboutOf({ actor: requester, command, options }, stem, runs);
  const work = { about, options, place: { guild: place.guild, channel: place.channel, message: place.message } };
  await Promise.all(runs.map((run) => end(parts, work, run, { outcome: 'expired', reason: 'expired' })));
  await bringToRest(parts, { about, options, place, runs });
}

/** Shows how runs ended, now or as soon as Discord takes it. */
function bringToRest(
  parts: RunParts,
  {
    about,
    options,
    place,
    runs,
  }: { about: About; options: RawOptions; place: RunEntry['place']; runs: readonly Run[] },
): Promise<void> {
  const open = openCard(parts, {
    interaction: { id: `swept-${about.stem}`, token: '' },
    place,
    audience: 'public',
    about,
    runs,
    options,
  });
  parts.openCards.put(open);
  return rest(parts, open);
}

const aboutOf = (
  { actor, command, options }: Pick<RunEntry, 'actor' | 'command' | 'options'>,
  stem: string,
  runs: readonly Run[],
): About => ({
  command,
  actor,
  servers: runs.map(({ server }) => server),
  stem,
  ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
});

/** The questions in runs that are asked about and not begun. */
function openQuestions(runs: readonly RunState[]): Question[] {
  const asked = runs.flatMap(({ asked: entry, intent }) =>
    entry === undefined || intent !== undefined ? [] : [entry],
  );
  const ids = [...new Set(asked.map(({ question }) => question ?? ''))];
  return ids.flatMap((id) => questionOf(asked.filter(({ question }) => question === id)) ?? []);
}

/**
 * Puts the questions that the ledger holds open back into a Redis that came up empty: but for those that were answered, of which
 * only the ledger does not know yet.
 */
export async function restore(parts: RunParts): Promise<void> {
  const answered = (await parts.openCards.list()).flatMap(({ runs }) => runs.map(({ run }) => stemOfRun(run)));
  const open = openQuestions(parts.ledger.open());
  await parts.questions.restore(open.filter(({ stem }) => !parts.hands.has(stem) && !answered.includes(stem)));
}

function questionOf(entries: readonly RunEntry[]): Question | undefined {
  const [first] = entries;
  if (first?.question === undefined || first.expires === undefined || first.place.message === undefined)
    return undefined;
  return {
    id: first.question,
    stem: stemOfRun(first.run),
    runs: entries.map(({ run, server, facts }) => ({
      run,
      ...(server === undefined ? {} : { server }),
      ...(facts === undefined ? {} : { facts }),
    })),
    requester: first.actor,
    place: { guild: first.place.guild, channel: first.place.channel, message: first.place.message },
    command: first.command,
    options: first.options,
    ...(first.undoes === undefined ? {} : { undoes: first.undoes }),
    ...(first.typed === undefined ? {} : { typed: first.typed }),
    expires: Date.parse(first.expires),
  };
}

/** Intents that nobody answers for any more become unknown, on the ledger and on their card. */
async function close(parts: RunParts, stem: string): Promise<void> {
  const states = parts.ledger.runs(stem);
  const first = states[0]?.intent ?? states[0]?.asked;
  if (first === undefined || states.every(({ outcome }) => outcome !== undefined)) return;
  const runs = states.flatMap(({ run, intent, asked }): Run[] => {
    const server = (intent ?? asked)?.server;
    return server === undefined ? [] : [{ run, server }];
  });
  await bringToRest(parts, { about: aboutOf(first, stem, runs), options: first.options, place: first.place, runs });
}
