import type { Entry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import type { Question } from '../questions/questions.ts';
import { type About, endCard } from './cards.ts';
import { end, type Run } from './change.ts';
import type { RunParts } from './corridor.ts';
import { endedOf, settle, stemOfRun } from './settle.ts';

/** What has to be done again and again: owed outcomes, lapsed questions, cards that are not at rest. Never rejects. */
export async function sweep(parts: RunParts): Promise<void> {
  await pay(parts);
  try {
    for (const question of await parts.questions.due(parts.now())) await expire(parts, question);
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

async function expire(parts: RunParts, question: Question): Promise<void> {
  const { requester, place, command, options, runs, stem } = question;
  const taken = await parts.questions.take(question, { who: requester.name, what: 'expired', at: parts.now() });
  if (!taken.taken) return;
  const servers = runs.flatMap(({ server }) => (server === undefined ? [] : [server]));
  const about: About = {
    command,
    actor: requester,
    servers,
    stem,
    ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
  };
  const work = { about, options, place: { guild: place.guild, channel: place.channel, message: place.message } };
  const each = runs.flatMap(({ run, server }): Run[] => (server === undefined ? [] : [{ run, server }]));
  const ended = await Promise.all(each.map((run) => end(parts, work, run, { outcome: 'expired', reason: 'expired' })));
  await parts.desk.edit({ channel: place.channel, message: place.message }, endCard(about, ended, false));
}

/** Puts the questions that the ledger holds open back into a Redis that came up empty. */
export async function restore({ questions }: RunParts, left: readonly RunState[]): Promise<void> {
  const asked = left.flatMap(({ asked: entry, intent }) =>
    entry === undefined || intent !== undefined ? [] : [entry],
  );
  const ids = [...new Set(asked.map(({ question }) => question ?? ''))];
  await questions.restore(ids.flatMap((id) => questionOf(asked.filter(({ question }) => question === id)) ?? []));
}

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
  if (states.every(({ outcome }) => outcome !== undefined)) return;
  const first = states[0]?.intent ?? states[0]?.asked;
  if (first === undefined) return;
  const { command, actor, options, place } = first;
  const servers = states.flatMap((state) => (state.intent ?? state.asked)?.server ?? []);
  const about: About = {
    command,
    actor,
    servers,
    stem,
    ...(typeof options.reason === 'string' ? { reason: options.reason } : {}),
  };
  for (const { run, intent, outcome, asked } of states) {
    const server = (intent ?? asked)?.server;
    if (outcome !== undefined || server === undefined) continue;
    const how =
      intent === undefined
        ? ({ outcome: 'not-sent', reason: 'bot-restarted' } as const)
        : ({ outcome: 'unknown', reason: 'bot-stopped' } as const);
    await end(parts, { about, options, place }, { run, server }, how);
  }
  const ended = parts.ledger.runs(stem).map((state) => endedOf(state, state.outcome?.server));
  if (place.message === undefined) return;
  await parts.desk
    .edit({ channel: place.channel, message: place.message }, endCard(about, ended, false))
    .catch((error: unknown) =>
      parts.log.warn({ stem, problem: String(error) }, 'a card of an orphaned run could not be edited'),
    );
}
