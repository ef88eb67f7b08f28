import type { ButtonKind } from '../cards/buttons.ts';
import { accept } from './accept.ts';
import { acknowledge, respond } from './alerts.ts';
import { approve } from './approve.ts';
import { askOthers } from './ask-others.ts';
import { breakGlass } from './break-glass.ts';
import { cancel } from './cancel.ts';
import { checkNow } from './check-now.ts';
import { askToType, confirm } from './confirm.ts';
import type { Decide } from './decision.ts';
import { decline } from './decline.ts';
import { details } from './details.ts';
import { inTurn } from './in-turn.ts';
import { go } from './meant.ts';
import { page } from './page.ts';
import { explain } from './reason.ts';
import { reportEnd } from './report-end.ts';
import { resolve } from './resolve.ts';
import { review } from './review.ts';
import { share } from './share.ts';
import { plead, thaw } from './thaw.ts';
import { trial } from './trial.ts';
import { apply, askAgain, startIfStuck, undo } from './undo.ts';

/** What decides about a button. `isOfDenial`: it is on a denial, which is shown before it is recorded. */
export interface Verb {
  decide: Decide;
  isOfDenial?: true;
  isRead?: true;
}

/** By what the id of a button or of its form begins with. */
export const verbs: Readonly<Record<ButtonKind, Verb>> = {
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
  turn: { decide: inTurn },
  off: { decide: startIfStuck },
  check: { decide: checkNow },
  say: { decide: resolve() },
  happened: { decide: resolve('happened') },
  running: { decide: resolve('running') },
  'not-happened': { decide: resolve('not-happened') },
  follow: { decide: reportEnd },
  plead: { decide: plead },
  'end-freeze': { decide: thaw },
  reason: { decide: explain },
  go: { decide: go },
  acknowledge: { decide: acknowledge },
  respond: { decide: respond },
  page: { decide: page, isRead: true },
  trial: { decide: trial, isRead: true },
  share: { decide: share, isRead: true },
  details: { decide: details, isRead: true },
};
