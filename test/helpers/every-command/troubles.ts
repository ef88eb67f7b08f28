import type { CommandId } from '../../../commands/index.ts';
import type { Fault } from '../../../src/sandbox/panel/index.ts';

/** Something that goes wrong on the way of a request, and what must come of it. */
export interface Trouble {
  fault: Omit<Fault, 'match'>;
  /** As the ledger has it. */
  reason: string;
  /** Pieces of the card: why, and what to do next. */
  says: readonly string[];
  /** Each command meets it; otherwise one for each way of asking does. */
  every?: true;
  /** Restore and VLAN have answers of their own. */
  but?: Readonly<Partial<Record<CommandId, Pick<Trouble, 'reason' | 'says'>>>>;
}

/** The panel's clear no, one for each reason: in which words it comes, test/panel/errors.test.ts tells. */
export const refusals: Readonly<Record<string, Trouble>> = {
  '401 without a body': {
    fault: { kind: 'status-before', status: 401 },
    reason: 'token-refused',
    says: ["did not accept the bot's token (401)", "Tell whoever keeps the bot's PANEL_TOKEN.", '/panel check'],
  },
  '403': {
    fault: { kind: 'status-before', status: 403, body: { msg: 'forbidden by scope' } },
    reason: 'token-lacks-permission',
    says: ['lacks the permission', '(403)', 'The panel says: `forbidden by scope`', 'set in the panel, at the token'],
  },
  '404': {
    every: true,
    fault: { kind: 'status-before', status: 404, body: { errors: ['It was not found.'] } },
    reason: 'not-found',
    says: [
      'does not know what was named, or this operation',
      '(404)',
      'The panel says: `It was not found.`',
      'Check what you named: the server',
    ],
    but: {
      'backup.restore': {
        reason: 'no-backups',
        says: ['has no backups for this server, or', '(404)', 'older than 7.1.0'],
      },
      'vlan.set': {
        reason: 'vlan-not-found',
        says: ['VLAN entry or operation (404)', 'not the VLAN number'],
      },
    },
  },
  '409': {
    every: true,
    fault: { kind: 'status-before', status: 409, body: { errors: ['Conflicting.'] } },
    reason: 'conflict',
    says: ['reports a conflict (409)', 'Look at the server in the panel, then ask again.'],
    but: {
      'backup.restore': {
        reason: 'protected',
        says: ['Destruction protection is on', '(409)', 'The bot cannot remove the protection.'],
      },
    },
  },
  '422 by field': {
    every: true,
    fault: { kind: 'status-before', status: 422, body: { errors: { trunk: ['Too high.'], other: ['Not known.'] } } },
    reason: 'validation',
    says: [
      '(422)',
      'The panel says: `trunk: Too high.; other: Not known.`',
      'If a value is wrong, type the command again',
    ],
  },
  '423': {
    fault: { kind: 'status-before', status: 423, body: { errors: ['Tasks are pending.'] } },
    reason: 'tasks-pending',
    says: ['Other tasks are pending for this server (423)', 'Wait until they are done, then ask again.'],
  },
  '429 of the token': {
    fault: {
      kind: 'status-before',
      status: 429,
      headers: { 'retry-after': '45' },
      body: { errors: ['Too many requests.'] },
    },
    reason: 'rate-limited',
    says: ['The panel accepts no more requests from the bot this minute (429)', 'Wait a minute, then ask again.'],
  },
  '429 after failed authentications': {
    fault: {
      kind: 'status-before',
      status: 429,
      headers: { 'retry-after': '45' },
      body: { errors: ['Too many failed authentications.'], retry_after_seconds: 45 },
    },
    reason: 'authentication-limited',
    says: ["Too many failed authentications from the bot's address (429)", 'PANEL_TOKEN', 'Wait a minute'],
  },
  "503 in the panel's own form": {
    fault: { kind: 'status-before', status: 503, body: { errors: ['In maintenance.'] } },
    reason: 'maintenance',
    says: ['is in maintenance (503)', 'Wait until the maintenance is over'],
  },
};

const manualCheck = ['It may or may not have been done.', 'Then press Say what happened.', 'not send it again'];
const broke = ['The connection broke before the answer.', ...manualCheck];
const ownError = ['The panel, or a proxy in front of it, failed with a server error.', ...manualCheck];
const notData = ['answered with a page instead of data', ...manualCheck];

/** No answer that can be trusted. `done`: the change took effect all the same. */
export const doubts: Readonly<Record<string, Trouble & { done: boolean }>> = {
  '500 before the effect': {
    fault: { kind: 'status-before', status: 500, body: { errors: ['Oops.'] } },
    reason: 'server-error',
    says: ownError,
    done: false,
  },
  '500 after the effect': {
    fault: { kind: 'status-after', status: 500 },
    reason: 'server-error',
    says: ownError,
    done: true,
  },
  'a page with 200': { fault: { kind: 'html' }, reason: 'not-json', says: notData, done: true },
  'an answer cut off': { fault: { kind: 'truncated' }, reason: 'connection-lost', says: broke, done: true },
  'an endless answer': {
    fault: { kind: 'oversized' },
    reason: 'answer-too-large',
    says: ['larger than 5 MiB', ...manualCheck],
    done: true,
  },
  'a reset before the effect': {
    every: true,
    fault: { kind: 'reset-before' },
    reason: 'connection-lost',
    says: broke,
    done: false,
  },
  'a reset after the effect': { fault: { kind: 'reset-after' }, reason: 'connection-lost', says: broke, done: true },
  'a redirect': {
    fault: { kind: 'status-before', status: 302, headers: { location: 'https://elsewhere.example/' } },
    reason: 'redirected',
    says: ['a redirect, which the bot does not follow', 'to check PANEL_URL.', 'press Say what happened'],
    done: false,
  },
};

const late = ['The panel did not answer in time.', ...manualCheck];

/** The same, with an answer that never comes: `after` the effect, or `before` it. */
export const silences: Readonly<Record<'before' | 'after', Trouble>> = {
  before: { fault: { kind: 'hang-before' }, reason: 'timeout', says: late },
  after: { fault: { kind: 'hang-after' }, reason: 'timeout', says: late },
};
