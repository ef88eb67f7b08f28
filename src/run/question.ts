import { type Card, linkTo, type Markup, md, moment, trusted } from '../card.ts';
import { type Command, type Look, ReadFailed } from '../command.ts';
import { Refused } from '../ledger/ledger.ts';
import type { Server } from '../outcome.ts';
import type { Requirements } from '../policy/decide.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { gaveBefore } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion } from '../runs/state.ts';
import { end, entryOf, outcomeEntry, type Run, type Work } from './change.ts';
import { unavailable } from './fault.ts';
import { lookFailed, trailHold } from './holds.ts';
import { nameOf, note, unknownNotes, type Warning } from './notes.ts';
import { kept, type RunParts } from './parts.ts';
import { reader } from './read.ts';
import { firstStop, stopLines } from './stops.ts';
import { powerNotes, restoreNotes } from './under-way.ts';

type AskParts = Pick<
  RunParts,
  'trail' | 'ledger' | 'outbox' | 'panel' | 'processId' | 'log' | 'now' | 'open' | 'rules' | 'commands'
>;

/** What the policy asks for beyond Confirm. */
type Wanted = Pick<Requirements, 'typed' | 'approvals'>;

/** Reads the current settings and records the question, or the outcome if that fails. */
export async function ask(parts: AskParts, work: Work, wanted: Wanted): Promise<void> {
  const { runs, prepared } = work;
  const hold = trailHold(parts.trail, work) ?? firstStop(parts, work, runs);
  if (hold !== undefined) return void (await end(parts, work, runs, hold));
  const read = reader(parts.panel, { kind: 'look', id: work.actor.id });
  try {
    const seen = await Promise.all(runs.map(({ server }) => prepared.look?.(server, read) ?? { says: [] }));
    const looks = seen.map((look, i) => withGave(parts, runs[i], look));
    await parts.ledger.append([...entriesOf(parts, work, looks, wanted), ...instead(parts, work)]);
  } catch (error) {
    if (error instanceof Refused) {
      const isLate = error.by !== undefined && 'run' in error.by && invocationOf(error.by.run) === work.glass?.over;
      // Else another delivery already asked: the card shows what the ledger has.
      return isLate ? void (await end(parts, work, runs, { outcome: 'not-sent', reason: 'went-on' })) : undefined;
    }
    await end(parts, work, runs, error instanceof ReadFailed ? lookFailed(error) : unavailable(error));
  }
}

/** What waits for others ends where its requester goes on with break-glass: nobody approves what is done already. */
function instead({ ledger }: AskParts, { glass, actor, place, invocationId }: Work): NewRunEntry[] {
  if (glass?.over === undefined) return [];
  const { guild, channel, message } = place;
  const newer =
    message === undefined ? trusted(`run ${invocationId}`) : linkTo('the newer card', { guild, channel, message });
  const detail = md`<@${trusted(actor.id)}> went on with break-glass: see ${newer}.`;
  return ledger.runs(glass.over).flatMap(({ run, asked, requested }) => {
    const of = asked ?? requested;
    const how = { outcome: 'cancelled', reason: 'cancelled', detail } as const;
    return of === undefined ? [] : [outcomeEntry({ ...of, actor }, { run, server: of.server ?? { id: 0 } }, how)];
  });
}

/** With what the ledger knows of how that came to be. */
function withGave({ ledger }: Pick<AskParts, 'ledger'>, run: Run | undefined, look: Look): Look {
  if (run === undefined || look.kept === undefined) return look;
  const { server } = run;
  const gave = gaveBefore(ledger, { server: kept(server), seq: Number.POSITIVE_INFINITY }, look.kept)?.options;
  return { ...look, gave };
}

/** The card for a person who has reached the limit of open questions. */
export function tooManyQuestions(
  { ledger, asking, maxQuestions, now }: Pick<RunParts, 'ledger' | 'asking' | 'maxQuestions' | 'now'>,
  actor: string,
  command: Pick<Command, 'id' | 'menu'>,
): Card | undefined {
  const open = ledger
    .open()
    .filter((state) => isOpenQuestion(state) && expiryOf(state) > now())
    .flatMap(({ asked, requested }) => asked ?? requested ?? [])
    .filter((each) => each.actor.id === actor);
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

function entriesOf(parts: AskParts, work: Work, looks: readonly Look[], wanted: Wanted): NewRunEntry[] {
  const { typed, approvals } = wanted;
  const { prepared, runs } = work;
  const servers = runs.map(({ server }) => server);
  const says = [...prepared.question(looks), ...stopLines(parts, servers), ...glassLines(work)].map(
    ({ markup }) => markup,
  );
  const warns = warnings(parts, work).map(({ run, says: line }) => ({ run, says: line.markup }));
  const expires = new Date(parts.now() + (typed ? parts.open.typed : parts.open.plain)).toISOString();
  return runs.map((run, i) => {
    const { facts, before } = looks[i] ?? {};
    return {
      ...{ ...entryOf(work, run), kind: 'asked', expires, undoes: work.undoes, since: work.since },
      ...(work.despite === undefined ? {} : { despite: [...work.despite] }),
      ...(typed ? { typed: confirmationText(servers) } : {}),
      approvals,
      glass: work.glass?.why,
      facts: facts && { ...facts },
      before: before && { ...before },
      ...(i === 0 ? { says, ...(warns.length === 0 ? {} : { warns }) } : {}),
    };
  });
}

/**
 * Warnings to read before confirming: a running restore overwrites changes, a power action may end after the next, and
 * the effect of an unknown run is unknown.
 */
function warnings({ ledger, commands }: AskParts, { command, runs }: Work): Warning[] {
  const servers = runs.map(({ server }) => server);
  return [
    ...unknownNotes(ledger, servers, 'look before you confirm.'),
    ...restoreNotes(ledger, servers),
    ...powerNotes(ledger, commands, command, servers),
  ];
}

/** What is different about it, before somebody confirms. */
const glassLines = ({ glass }: Work): Markup[] =>
  glass === undefined
    ? []
    : [
        trusted(
          '**With break-glass**: it runs at once. Those who may approve are pinged, and one of them reviews it afterwards.',
        ),
      ];

/** The text to type to confirm: the server's name or id; for several, their number. */
export const confirmationText = (servers: readonly Server[]): string => {
  const [first] = servers;
  return servers.length === 1 && first !== undefined ? (first.name ?? String(first.id)) : `${servers.length} servers`;
};
