import type { State } from './card.ts';

/**
 * A mark for each state, so that nobody has to tell colours apart. They are plain characters, not emojis: Discord does not
 * replace them, and every device can show them.
 */
export const marks: Record<State | 'read', string> = {
  working: '◌',
  question: '?',
  reminder: '♪',
  alert: '▲',
  succeeded: '✓',
  accepted: '◐',
  finished: '■',
  failed: '✗',
  rejected: '⊘',
  'not-sent': '⊖',
  unknown: '△',
  happened: '◆',
  'did not happen': '◇',
  denied: '⊗',
  invalid: '✎',
  cancelled: '∅',
  expired: '◷',
  blocked: '⊠',
  unavailable: '▽',
  stopped: '□',
  read: '≡',
};
