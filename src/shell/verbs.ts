import type { ButtonKind } from '../cards/buttons.ts';
import { accept } from '../decide/accept.ts';
import { approve } from '../decide/approve.ts';
import { askOthers } from '../decide/ask-others.ts';
import { breakGlass } from '../decide/break-glass.ts';
import { cancel } from '../decide/cancel.ts';
import { checkNow } from '../decide/check-now.ts';
import { askToType, confirm } from '../decide/confirm.ts';
import type { Decide } from '../decide/decision.ts';
import { decline } from '../decide/decline.ts';
import { reportEnd } from '../decide/report-end.ts';
import { resolve } from '../decide/resolve.ts';
import { review } from '../decide/review.ts';
import { plead, thaw } from '../decide/thaw.ts';
import { apply, askAgain, startIfStuck, undo } from '../decide/undo.ts';

/** What decides about a button. `isOfDenial`: it is on a denial, which is shown before it is recorded. */
export interface Verb {
  decide: Decide;
  isOfDenial?: true;
}

/** By what the id of a button or of its form begins with. */
export const verbs: Readonly<Record<Exclude<ButtonKind, 'page' | 'share' | 'go'>, Verb>> = {
  confirm: { decide: confirm },
  typed: { decide: askToType },
  cancel: { decide: cancel },
  approve: { decide: approve },
  accept: { decide: accept },
  decline: { decide: decline },
  lead: { decide: askOthers, isOfDenial: true },
  glass: { decide: breakGlass, isOfDenial: true },
  review: { decide: review },
  again: { decide: askAgain },
  apply: { decide: apply },
  undo: { decide: undo },
  off: { decide: startIfStuck },
  check: { decide: checkNow },
  happened: { decide: resolve('happened') },
  running: { decide: resolve('running') },
  'not-happened': { decide: resolve('not-happened') },
  follow: { decide: reportEnd },
  plead: { decide: plead },
  'end-freeze': { decide: thaw },
};
