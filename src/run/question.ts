import { type Card, md, moment, serverName, trusted } from '../card.ts';
import { type Command, type Look, ReadFailed } from '../command.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import { invocationOf, jobIdOf } from '../runs/ids.ts';
import { isOpenQuestion } from '../runs/state.ts';
import { end, entryOf, type Run, trailHold, undoing, type Work } from './change.ts';
import { lookFailed } from './holds.ts';
import { nameOf, note, unavailable, unknownNotes, type Warning } from './notes.ts';
import type { RunParts } from './parts.ts';
import { reader } from './read.ts';

type AskParts = Pick<RunParts, 'trail' | 'ledger' | 'outbox' | 'panel' | 'processId' | 'log' | 'now' | 'open'>;

/** Reads the current settings and records the question, or the outcome if that fails. */
export async function ask(parts: AskParts, work: Work, typed: boolean): Promise<void> {
  const { runs, prepared } = work;
  const hold = trailHold(parts.trail);
  if (hold !== undefined) return void (await end(parts, work, runs, hold));
  const read = reader(parts.panel, { kind: 'look', id: work.actor.id });
  try {
    const looks = await Promise.all(runs.map(({ server }) => prepared.look?.(server, read) ?? { says: [] }));
    await parts.ledger.append(entriesOf(parts, work, looks, typed));
  } catch (error) {
    // Another delivery already asked: the card shows what the ledger has.
    if (error instanceof Refused) return;
    await end(parts, work, runs, error instanceof ReadFailed ? lookFailed(error) : unavailable(error));
  }
}

/** The card for a person who has reached the limit of open questions. */
export function tooManyQuestions(
  { ledger, asking, maxQuestions, now }: Pick<RunParts, 'ledger' | 'asking' | 'maxQuestions' | 'now'>,
  actor: string,
  command: Pick<Command, 'id' | 'menu'>,
): Card | undefined {
  const open = ledger
    .open()
    .filter(isOpenQuestion)
    .flatMap(({ asked }) => (asked?.actor.id === actor && Date.parse(asked.expires) > now() ? [asked] : []));
  const preparing = [...asking].flatMap(([id, who]) => (who === actor ? [id] : []));
  const ids = new Set([...open.map(({ run }) => invocationOf(run)), ...preparing]);
  if (ids.size < maxQuestions) return undefined;
  const [oldest] = open;
  return note(
    'not-sent',
    nameOf(command),
    trusted(`${ids.size} of your questions wait for Confirm, which is as many as may. Nothing was sent.`),
    trusted('Confirm or cancel one first.'),
    ...(oldest === undefined ? [] : [md`The oldest runs out ${moment(Date.parse(oldest.expires))}.`]),
  );
}

function entriesOf(parts: AskParts, work: Work, looks: readonly Look[], typed: boolean): NewRunEntry[] {
  const { prepared, runs } = work;
  const says = prepared.question(looks).map(({ markup }) => markup);
  const warns = warnings(parts, runs).map(({ run, says: line }) => ({ run, says: line.markup }));
  const expires = new Date(parts.now() + (typed ? parts.open.typed : parts.open.plain)).toISOString();
  return runs.map((run, i) => {
    const facts = looks[i]?.facts;
    return {
      ...{ ...entryOf(work, run), kind: 'asked', expires, ...undoing(work) },
      ...(typed ? { typed: confirmationText(runs) } : {}),
      ...defined({ facts: facts && { ...facts } }),
      ...(i === 0 ? { says, ...(warns.length === 0 ? {} : { warns }) } : {}),
    };
  });
}

/**
 * Warnings to read before confirming: a running restore overwrites changes, and the effect of an unknown run is
 * unknown.
 */
function warnings({ ledger }: AskParts, runs: readonly Run[]): Warning[] {
  const servers = runs.map(({ server }) => server);
  const restores = ledger.following().flatMap((state) => {
    const { started, ended } = state.followUp ?? {};
    const server = servers.find(({ id }) => id === started?.server?.id);
    if (started?.follow !== 'restore' || ended !== undefined || server === undefined) return [];
    const begun = md`started ${moment(begunAt(state, started))}`;
    if (started.job === undefined)
      return [
        {
          run: state.run,
          says: md`**A restore of ${serverName(server)} may still run**: ${begun}; its job is unknown. Look in the panel.`,
        },
      ];
    const id = jobIdOf('restore', server.id, started.job);
    return [{ run: state.run, says: md`**A restore of ${serverName(server)} is being followed**: ${id}, ${begun}.` }];
  });
  return [...unknownNotes(ledger, servers, 'look before you confirm.'), ...restores];
}

/** The text to type to confirm: the server's name or id; for several, their number. */
const confirmationText = (runs: readonly Run[]): string => {
  const [first] = runs;
  return runs.length === 1 && first !== undefined
    ? (first.server.name ?? String(first.server.id))
    : `${runs.length} servers`;
};
