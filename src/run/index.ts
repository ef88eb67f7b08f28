import type { Choice } from '../command.ts';
import { click } from './click.ts';
import { invoke, type RunParts } from './corridor.ts';
import type { Click, Invocation, Parts, Typing } from './parts.ts';
import { suggester } from './suggest.ts';
import { recover, restore, sweep } from './sweep.ts';

/** What Discord's side calls. Of these only `restore` rejects, with RedisUnavailable. */
export interface Runner {
  command(invocation: Invocation): Promise<void>;
  click(clicked: Click): Promise<void>;
  suggest(typing: Typing): Promise<readonly Choice[]>;
  /** Puts open questions back into a Redis that came up empty. Before the first click. */
  restore(): Promise<void>;
  /** Brings to rest what an earlier life of this bot left behind. Once, as soon as cards can be edited. */
  recover(): Promise<void>;
  /** Again and again, one at a time. */
  sweep(): Promise<void>;
  /** Resolves when nothing is under way, or after `ms`. */
  idle(ms: number): Promise<void>;
}

/** The ledger must have just been opened: what is open in it now belongs to an earlier life. */
export function createRunner(parts: Parts): Runner {
  const all: RunParts = { ...parts, active: new Set(), owed: [] };
  const left = parts.ledger.open();
  const under = new Set<Promise<void>>();
  const tracked = (work: Promise<void>): Promise<void> => {
    under.add(work);
    return work.finally(() => under.delete(work));
  };
  return {
    command: (invocation) => tracked(invoke(all, invocation)),
    click: (clicked) => tracked(click(all, clicked)),
    suggest: suggester(parts),
    restore: () => restore(all, left),
    recover: () => recover(all, left),
    sweep: () => sweep(all),
    async idle(ms) {
      const late = new Promise((resolve) => setTimeout(resolve, ms).unref());
      await Promise.race([Promise.all(under), late]);
    },
  };
}
