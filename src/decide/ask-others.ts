import { trusted } from '../card.ts';
import type { Server } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import type { RunState } from '../runs/state.ts';
import { authorize, preparedOf } from './authorize.ts';
import type { Answer, Decision, Press, Snapshot } from './decision.ts';
import { continuationOf, denialOf, liftable, noDenial } from './denial.ts';
import { nameOf, notSent, titleOf, wordsIn } from './notes.ts';

/** Ask a lead: after a denial of one's own, asks those who may, once. Asks for the reason first, if that is missing. */
export function askOthers(snapshot: Snapshot, press: Press): Decision {
  const denied = denialOf(snapshot, press);
  if (denied === undefined) return noDenial(snapshot, press);
  const already = refused('You have already asked: see the card. Nobody was pinged again.');
  if (wasAsked(snapshot, denied)) return already;
  const { run, command, options } = denied;
  const title = reasonFormTitle(snapshot, press, denied);
  const form = title && { title, label: 'Why? For whoever decides' };
  const reason = form && wordsIn(press, form, 'Say why. Nobody was asked.');
  if (typeof reason === 'object') return reason;
  return {
    kind: 'command',
    command: {
      ...{ command, options: reason === undefined ? options : { ...options, reason }, denied: run },
      ...continuationOf(denied),
    },
    once: { key: `lead ${run}`, otherwise: already.card },
  };
}

const refused = (words: string): Answer => notSent('this button', trusted(words));

/** Whether this denial has led to a request, be it over. */
function wasAsked(snapshot: Snapshot, { run, command, options, seq }: Kind<'denied'>): boolean {
  const { ledger } = snapshot;
  const isOf = (state: RunState | undefined): boolean => state?.requested?.denied === run;
  const isEnded = ({ id }: Server): boolean => {
    const outcomes = ledger.outcomes(id);
    for (let at = outcomes.upTo(seq); at < outcomes.length; at += 1)
      if (isOf(ledger.run(outcomes.at(at)?.run ?? ''))) return true;
    return false;
  };
  return ledger.open().some(isOf) || (preparedOf(snapshot, { command, options })?.servers.some(isEnded) ?? false);
}

/** The title of the form that asks for the reason, if the policy wants one and none was typed. */
function reasonFormTitle(
  snapshot: Snapshot,
  { actor, place }: Press,
  { command, options }: Kind<'denied'>,
): string | undefined {
  const asked = { actor, place, command, options };
  const authorization = authorize(snapshot, asked);
  const lifted = authorization.kind === 'refused' ? liftable(snapshot, asked, authorization) : undefined;
  return lifted?.lacksReason === true ? titleOf(nameOf(lifted.command), lifted.prepared.servers) : undefined;
}
