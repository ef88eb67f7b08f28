import type { Drawing, Known } from '../../src/cards/render/index.ts';
import type { RunEntry } from '../../src/runs/entry.ts';
import { runIdOf } from '../../src/runs/ids.ts';
import { advance, type RunState } from '../../src/runs/state.ts';
import { drawParts } from './cards/story.ts';
import { ledgerOf } from './stand-ins.ts';

const place = { guild: '1', channel: '2', message: '3' };

/** The members of an entry that differ between kinds. */
type OwnOf<E extends RunEntry> = E extends RunEntry
  ? Omit<E, 'run' | 'actor' | 'command' | 'options' | 'server' | 'place' | 'seq' | 'time' | 'prev' | 'hash'> &
      Partial<Pick<E, 'actor'>>
  : never;
export type Step = OwnOf<RunEntry>;

type About = Pick<Known, 'command' | 'actor' | 'servers'> & Partial<Pick<Known, 'invocationId' | 'options' | 'looks'>>;

/** The input of a card whose run on each server had these steps, shared or its own. */
export function known(about: About, stepsOf: readonly Step[] | ((at: number) => readonly Step[])): Known {
  const { command, actor, servers, invocationId = 'abc', options = {}, looks = new Map() } = about;
  const states = servers.map((server, at) => {
    const run = runIdOf(invocationId, at + 1);
    const all = { run, actor, command, options, server, place };
    const steps = typeof stepsOf === 'function' ? stepsOf(at) : stepsOf;
    return steps.reduce<RunState>(
      (state, step, n) => {
        const link = { seq: 100 * at + n + 1, time: '2026-11-19T22:00:00.000Z', prev: '', hash: '' };
        // Common members and those of its kind make an entry.
        return advance(state, { ...all, ...link, ...step } as RunEntry);
      },
      { run },
    );
  });
  return { invocationId, command, actor, options, servers, states, looks };
}

/** A ledger with nothing else in it, and seals of the real length. */
export const drawing: Drawing = {
  ...drawParts(ledgerOf()),
  ...{ command: () => undefined, prepare: () => undefined, recipients: () => [] },
  seal: () => 's'.repeat(22),
};

export const asked = (says: readonly string[], typed?: string): Step => ({
  kind: 'asked',
  expires: '2026-11-19T22:02:00.000Z',
  says: [...says],
  typed,
});

/** The start of a restore that is followed. */
export const following: readonly Step[] = [
  { kind: 'outcome', outcome: 'accepted' },
  { kind: 'follow-up', step: 'started', follow: 'restore', job: 9001, deadline: '2026-11-19T23:00:00.000Z' },
];
