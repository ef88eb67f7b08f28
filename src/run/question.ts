import { type Markup, md, moment, serverName } from '../card.ts';
import type { Look } from '../command.ts';
import type { NewRunEntry } from '../ledger/entry.ts';
import type { Question } from '../questions/questions.ts';
import { endCard, questionCard, unavailable } from './cards.ts';
import { end, entryOf, lookFailed, type Run, trailHold, undoing, type Work } from './change.ts';
import { doubts } from './doubts.ts';
import { kept, type Parts } from './parts.ts';
import { reader } from './read.ts';

type QuestionParts = Pick<
  Parts,
  'trail' | 'ledger' | 'questions' | 'panel' | 'log' | 'now' | 'newId' | 'open' | 'followUps'
> & {
  owed: NewRunEntry[];
};

/** Looks, records, stores and shows the question; or a terminal card that says why it could not be asked. */
export async function ask(
  parts: QuestionParts,
  work: Work & { place: Question['place'] },
  typed: boolean,
): Promise<void> {
  const { about, prepared, runs } = work;
  const hold = trailHold(parts.trail);
  const looks = hold === undefined ? await look(parts, work) : { hold };
  if (!Array.isArray(looks)) {
    const ended = await Promise.all(runs.map((run) => end(parts, work, run, looks.hold)));
    return work.show(endCard(about, ended));
  }

  const question = questionOf(parts, work, looks, typed);
  const seen = runs.map((run, i): Run => ({ ...run, ...factsOf(looks[i]) }));
  try {
    await parts.ledger.append(
      seen.map((run) => ({
        ...entryOf(work, run),
        kind: 'asked',
        question: question.id,
        expires: new Date(question.expires).toISOString(),
        ...undoing(work),
        ...(question.typed === undefined ? {} : { typed: question.typed }),
        ...(run.facts === undefined ? {} : { facts: { ...run.facts } }),
      })),
    );
    await parts.questions.put(question);
  } catch (error) {
    const how = unavailable(error);
    const ended = await Promise.all(seen.map((run) => end(parts, work, run, how)));
    return work.show(endCard(about, ended));
  }
  const payload = `${question.id}.${parts.questions.seal(question)}`;
  return work.show(
    questionCard(about, [...prepared.question(looks), ...(await watched(parts, runs))], {
      payload,
      expires: Math.floor(question.expires / 1000),
      ...(question.typed === undefined ? {} : { typed: question.typed }),
    }),
  );
}

/** What is set now for each server, or why that cannot be told. */
async function look(
  parts: QuestionParts,
  { prepared, runs }: Work,
): Promise<Look[] | { hold: ReturnType<typeof lookFailed> }> {
  const { look: lookAt } = prepared;
  if (lookAt === undefined) return runs.map(() => ({ says: [] }));
  const read = reader(parts.panel, { kind: 'bot' });
  try {
    return await Promise.all(runs.map(({ server }) => lookAt(server, read)));
  } catch (error) {
    return { hold: lookFailed(error) };
  }
}

/** A restore that is followed overwrites what is changed now, and nobody knows what an unknown did: a person should know before confirming. */
async function watched({ followUps, ledger }: QuestionParts, runs: readonly Run[]): Promise<Markup[]> {
  const all = await followUps.list().catch(() => []);
  const restores = all.filter(
    ({ server, command }) => command === 'backup.restore' && runs.some((run) => run.server.id === server.id),
  );
  const unknown = doubts(
    ledger,
    runs.map(({ server }) => server),
    'look before you confirm.',
  );
  const followed = restores.map(
    ({ server, id, since }) =>
      md`**A restore of ${serverName(server)} is being followed**: ${id}, started ${moment(since)}.`,
  );
  return [...unknown, ...followed];
}

const factsOf = (one: Look | undefined): Pick<Run, 'facts'> => (one?.facts === undefined ? {} : { facts: one.facts });

function questionOf(
  parts: QuestionParts,
  work: Work & { place: Question['place'] },
  looks: readonly Look[],
  typed: boolean,
): Question {
  const { about, runs } = work;
  return {
    id: parts.newId(),
    stem: about.stem,
    // As the ledger keeps it, so that the question can be put back from there, the same to the letter.
    runs: runs.map(({ run, server }, i) => ({
      run,
      server: kept(server),
      ...(looks[i]?.facts === undefined ? {} : { facts: { ...looks[i].facts } }),
    })),
    requester: { id: about.actor.id, name: about.actor.name, roles: [...about.actor.roles] },
    place: work.place,
    command: about.command,
    options: work.options,
    ...undoing(work),
    ...(typed ? { typed: toType(runs) } : {}),
    expires: parts.now() + (typed ? parts.open.typed : parts.open.plain),
  };
}

/** What is typed to confirm: the server's name or id; for several, how many there are. */
const toType = (runs: readonly Run[]): string => {
  const [first] = runs;
  return runs.length === 1 && first !== undefined
    ? (first.server.name ?? String(first.server.id))
    : `${runs.length} servers`;
};
