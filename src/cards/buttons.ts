import type { Button } from '../card.ts';

/** The prefix of the custom id of a button or modal. `typed` opens a modal whose submission is a `confirm`. */
export const buttonKinds = [
  'confirm',
  'cancel',
  'go',
  'approve',
  'lead',
  'glass',
  'review',
  'accept',
  'decline',
  'again',
  'apply',
  'undo',
  'turn',
  'check',
  'say',
  'happened',
  'running',
  'not-happened',
  'share',
  'details',
  'page',
  'trial',
  'typed',
  'follow',
  'off',
  'plead',
  'end-freeze',
  'reason',
  'acknowledge',
  'respond',
] as const;
export type ButtonKind = (typeof buttonKinds)[number];
export const isButtonKind = (text: string): text is ButtonKind => buttonKinds.some((kind) => kind === text);

/** Only the id of the invocation: who may press it and why, the ledger and the policy say at the click. */
export const glassButton = (invocationId: string): Button => button('Break glass', 'glass', invocationId);

export const button = (label: Button['label'], kind: ButtonKind, payload: string): Button => ({
  label,
  id: `${kind}:${payload}`,
});
