import { md, trusted } from '../card.ts';
import type { Decision, Press, Snapshot } from './decision.ts';
import { outcomeEntry } from './entries.ts';
import { titleOf, typedName, wordsIn } from './notes.ts';
import { acceptable, requestOf, runsOf } from './question.ts';

/** Decline, with a word: by whoever may run it, and by the requester. */
export function decline(snapshot: Snapshot, press: Press): Decision {
  const request = requestOf(snapshot, press, 'decline');
  if ('kind' in request) return request;
  const { actor } = press;
  const { requested } = request;
  const isOwn = requested.actor.id === actor.id;
  const found = isOwn ? request : acceptable(snapshot, press, request);
  if ('kind' in found) return found;
  const title = titleOf(typedName(requested.command), requested.server === undefined ? [] : [requested.server]);
  const label = isOwn ? 'Why withdraw it?' : 'A note to whoever asked';
  const word = wordsIn(press, { title, label }, 'Say why. Nothing was declined.');
  if (typeof word !== 'string') return word;
  const detail = md`Declined by <@${trusted(actor.id)}>: ${word}`;
  const how = { outcome: 'cancelled', reason: 'cancelled', detail } as const;
  return {
    kind: 'append',
    entries: runsOf(request).map((run) => outcomeEntry({ ...requested, actor }, run, how)),
  };
}
