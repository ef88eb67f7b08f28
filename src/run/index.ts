import { own } from '../card.ts';
import type { Choice } from '../command.ts';
import { note, typedName } from './cards.ts';
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
  /** Puts open questions back into a Redis that came up empty. Before the first click, and whenever Redis comes back. */
  restore(): Promise<void>;
  /** Brings to rest what an earlier life of this bot left behind. Once, as soon as cards can be edited. */
  recover(): Promise<void>;
  /** Again and again, one at a time. */
  sweep(): Promise<void>;
  /** Turns new commands and clicks away from now on, and resolves when nothing is under way, or after `ms`. */
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
  let stopping = false;
  return {
    command: (invocation) =>
      tracked(stopping ? turnAway(invocation, typedName(invocation.command)) : invoke(all, invocation)),
    click: (clicked) => tracked(stopping ? turnAway(clicked, 'your click') : click(all, clicked)),
    suggest: suggester(parts),
    restore: () => restore(all, parts.ledger.open()),
    recover: () => recover(all, left),
    sweep: () => sweep(all),
    async idle(ms) {
      stopping = true;
      const late = new Promise((resolve) => setTimeout(resolve, ms).unref());
      await Promise.race([Promise.all(under), late]);
    },
  };
}

async function turnAway({ reply }: Pick<Invocation, 'reply'>, what: string): Promise<void> {
  const card = note(
    'not-sent',
    what,
    own('The bot is being stopped. Nothing was sent.'),
    own('Ask again in a minute.'),
  );
  await reply.refuse(card).catch(() => undefined);
}
