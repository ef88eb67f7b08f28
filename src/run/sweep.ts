import type { Entry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import { LedgerUnavailable, type RawOptions } from '../outcome.ts';
import type { Question } from '../questions/questions.ts';
import type { About } from './cards.ts';
import { end, type Run } from './change.ts';
import type { RunParts } from './corridor.ts';
import { openCard, settle, stemOfRun } from './settle.ts';

/** What has to be done again and again: owed outcomes, lapsed questions, cards that are not at rest. Never rejects. */
export async function sweep(parts: RunParts): Promise<void> {
  await pay(parts);
  try {
    for (const question of await parts.questions.due(parts.now())) await expire(parts, question);
    for (const question of forgotten(parts)) await lapse(parts, question);
  } catch (error) {
    parts.log.warn({ problem: String(error) }, 'lapsed questions could not be swept');
  }
  const left = parts.openCards.list().filter(({ interaction }) => !parts.active.has(interaction));
  for (const open of left) await settle(parts, open, 'bot-restarted');
}

/** Outcomes that the ledger would not take are offered again, in order. */
async function pay({ owed, ledger, log }: RunParts): Promise<void> {
  while (owed[0] !== undefined) {
    try {
      await ledger.append([owed[0]]);
    } catch (error) {
      if (error instanceof LedgerUnavailable) return;
      log.warn({ run: owed[0].run, problem: String(error) }, 'an owed outcome was refused');
    }
    owed.shift();
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
  openQuestions(parts.ledger.open()).filter(({ expires }) => expires + grace < parts.now());

async function lapse(parts: RunParts, question: Question): Promise<void> {
  if ((await parts.questions.get(question.id)) !== undefined) return expire(parts, question);
  const by = await parts.questions.gone(question.id);
  // Expired by whoever did not come to record it, or did so in another ledger.
  if (by === undefined || by.what === 'expired') await recordExpired(parts, question);
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
  { about, options, place, runs }: { about: About; options: RawOptions; place: Entry['place']; runs: readonly Run[] },
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
  return settle(parts, open, 'bot-restarted');
}

const aboutOf = (
  { actor, command, options }: Pick<Entry, 'actor' | 'command' | 'options'>,
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

/** Puts the questions that the ledger holds open back into a Redis that came up empty. */
export const restore = ({ questions }: RunParts, left: readonly RunState[]): Promise<void> =>
  questions.restore(openQuestions(left));

/**
 * Brings to rest what another life of this bot left behind. With the file ledger that life is over, or the folder would be
 * locked: nobody answers for its intents any more.
 */
export async function recover(parts: RunParts, left: readonly RunState[]): Promise<void> {
  await sweep(parts);
  const stems = new Set(left.filter(({ intent }) => intent !== undefined).map(({ run }) => stemOfRun(run)));
  for (const stem of stems) await close(parts, stem);
}

function questionOf(entries: readonly Entry[]): Question | undefined {
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
