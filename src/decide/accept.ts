import { trusted } from '../card.ts';
import { ReadFailed } from '../command.ts';
import type { Kind } from '../runs/entry.ts';
import { changedSince, firstStop, lookFailed, trailBlocker } from './blockers.ts';
import { otherNow } from './confirm.ts';
import type { Answer, Decision, Press, Snapshot } from './decision.ts';
import { continuationOf } from './denial.ts';
import { outcomeEntry } from './entries.ts';
import { notSent, typedName } from './notes.ts';
import { type Acceptable, acceptable, requestOf, runsOf } from './question.ts';
import { questionEntries } from './questions.ts';
import type { Ending, Run, Work } from './work.ts';

/** Approve on a request: it becomes a question to whoever pressed it, unless what was read for it has changed. */
export function accept(snapshot: Snapshot, press: Press): Decision {
  const request = requestOf(snapshot, press, 'accept');
  if ('kind' in request) return request;
  const { requested } = request;
  if (!snapshot.rules.askOthers) return off(requested);
  const found = acceptable(snapshot, press, request);
  if ('kind' in found) return found;
  if (requested.actor.id === press.actor.id) return own(requested);
  const other = otherNow(found);
  if (other !== undefined) return notSent(typedName(requested.command), other, trusted(declineIt));
  const work = workOfRequest(snapshot, press, found);
  const end = (how: Ending): Decision => ({
    kind: 'append',
    entries: runsOf(found).map((run) => outcomeEntry({ ...work, options: requested.options }, run, how)),
  });
  // The policy may mean other servers by now.
  if (work.runs.length !== found.states.length || !isEqual(work.options, requested.options))
    return end({ outcome: 'not-sent', reason: 'changed-since' });
  const { settings } = press.found;
  if (settings === undefined) {
    const servers = work.runs.map(({ server }) => server);
    return { kind: 'lookup', lookup: { kind: 'settings', prepared: found.prepared, servers } };
  }
  if (settings instanceof ReadFailed) return end(lookFailed(settings));
  const [changed] = work.runs.flatMap(({ facts }, i) => changedSince(facts, settings[i]?.facts) ?? []);
  const blocker = changed ?? trailBlocker(snapshot.trail, work) ?? firstStop(snapshot, work, work.runs);
  if (blocker !== undefined) return end(blocker);
  const wanted = snapshot.rules.requirements(found.command, found.prepared.servers);
  return { kind: 'append', entries: questionEntries(snapshot, work, settings, wanted) };
}

function workOfRequest(
  { ledger }: Snapshot,
  { actor }: Press,
  { invocationId, requested, states, prepared }: Acceptable,
): Work {
  const runs = states.flatMap((state): Run[] => {
    const server = prepared.servers.find(({ id }) => id === state.requested.server?.id);
    return server === undefined ? [] : [{ run: state.run, server, facts: state.requested.facts }];
  });
  const of = { invocationId, command: requested.command, actor, place: requested.place, prepared, runs };
  return { ...of, ...continuationOf(ledger.run(requested.denied)?.outcome), options: prepared.options };
}

const isEqual = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

const declineIt = 'Decline it. Whoever asked types the command again.';

const off = ({ command }: Kind<'requested'>): Answer =>
  notSent(
    typedName(command),
    trusted('The policy no longer lets anybody ask others. Nothing was sent. If you may run it, type the command.'),
  );

const own = ({ command }: Kind<'requested'>): Answer =>
  notSent(
    typedName(command),
    trusted('You asked for this, so somebody else must approve it. You may now run it yourself: type the command.'),
  );
