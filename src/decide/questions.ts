import { linkTo, type Markup, md, serverName, trusted, typedAs } from '../card.ts';
import type { Preview } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { Requirements } from '../policy/decide.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { gaveBefore } from '../runs/history.ts';
import type { Snapshot } from './decision.ts';
import { unknownNotes } from './notes.ts';
import { stopLines } from './stops.ts';
import { powerNotes, restoreNotes } from './under-way.ts';
import { entryOf, outcomeEntry, type Run, serverRef, type Warning, type Work } from './work.ts';

/** What the policy asks for beyond Confirm. */
export type Wanted = Pick<Requirements, 'typed' | 'approvals'>;

type Asking = Pick<Snapshot, 'ledger' | 'rules' | 'commands' | 'limits' | 'now'>;

/** The question, by what is set now on each server. What waits for others ends where its requester goes on alone. */
export function questionEntries(
  snapshot: Asking,
  work: Work,
  settings: readonly Preview[],
  { typed, approvals }: Wanted,
): NewRunEntry[] {
  const { prepared, runs, undoes, since, overriddenFreezes, breakGlass, inTurn } = work;
  const servers = runs.map(({ server }) => server);
  const seen = settings.map((each, i) => withGave(snapshot, runs[i], each));
  const says = [
    ...prepared.question(seen),
    ...panelLines(servers),
    ...stopLines(snapshot, servers),
    ...breakGlassLines(work),
  ];
  const warns = warnings(snapshot, work).map(({ run, says: line }) => ({ run, says: line.markup }));
  const { limits, now } = snapshot;
  const { open } = limits;
  const asked = runs.map(
    (run, i): NewRunEntry => ({
      ...{ ...entryOf(work, run), kind: 'asked', undoes, since, approvals, glass: breakGlass?.why, rest: inTurn?.rest },
      expires: new Date(now() + (typed ? open.typed : open.plain)).toISOString(),
      despite: overriddenFreezes === undefined ? undefined : [...overriddenFreezes],
      typed: typed ? confirmationText(servers) : undefined,
      facts: seen[i]?.facts && { ...seen[i].facts },
      before: seen[i]?.before && { ...seen[i].before },
      ...(i === 0 ? { says: says.map(({ markup }) => markup), warns: warns.length === 0 ? undefined : warns } : {}),
    }),
  );
  return [...asked, ...replaced(snapshot, work)];
}

/** The question that this one is instead of: nobody approves, or confirms, what is done already. */
function replaced({ ledger }: Asking, { breakGlass, inTurn, actor, place, invocationId }: Work): NewRunEntry[] {
  const over = breakGlass?.over ?? inTurn?.over;
  if (over === undefined) return [];
  const how = breakGlass === undefined ? 'one after the other' : 'with break-glass';
  const { guild, channel, message } = place;
  const newer =
    message === undefined ? trusted(`run ${invocationId}`) : linkTo('the newer card', { guild, channel, message });
  const detail = md`<@${trusted(actor.id)}> went on ${trusted(how)}: see ${newer}.`;
  return ledger.runs(over).flatMap(({ run, asked, requested }) => {
    const of = asked ?? requested;
    const ending = { outcome: 'cancelled', reason: 'cancelled', detail } as const;
    return of === undefined ? [] : [outcomeEntry({ ...of, actor }, { run, server: of.server ?? { id: 0 } }, ending)];
  });
}

/** With what the ledger knows of how that came to be. */
function withGave({ ledger }: Asking, run: Run | undefined, preview: Preview): Preview {
  if (run === undefined || preview.kept === undefined) return preview;
  const of = { server: serverRef(run.server), seq: Number.POSITIVE_INFINITY };
  return { ...preview, gave: gaveBefore(ledger, of, preview.kept)?.options };
}

/** Warnings before confirming: a running restore, a power action that may end after the next, an unknown run. */
function warnings({ ledger, commands }: Asking, { command, runs }: Work): Warning[] {
  const servers = runs.map(({ server }) => server);
  return [
    ...unknownNotes(ledger, servers, 'look before you confirm.'),
    ...restoreNotes(ledger, servers),
    ...powerNotes(ledger, commands, command, servers),
  ];
}

const panelLines = (servers: readonly Server[]): Markup[] =>
  servers.flatMap((each) => [
    ...(each.suspended ? [md`⚠ ${serverName(each)} is suspended in the panel.`] : []),
    ...(each.gone ? [md`⚠ ${serverName(each)} is gone: the panel no longer lists it.`] : []),
  ]);

/** What is different about it, before somebody confirms. */
const breakGlassLines = ({ breakGlass }: Work): Markup[] =>
  breakGlass === undefined
    ? []
    : [
        trusted(
          '**With break-glass**: it runs at once. Those who may approve are pinged, and one of them reviews it afterwards.',
        ),
      ];

/** The text to type to confirm: the server's name or id; for several, their number. */
const confirmationText = (servers: readonly Server[]): string => {
  const [first] = servers;
  return servers.length === 1 && first !== undefined ? typedAs(first) : `${servers.length} servers`;
};
