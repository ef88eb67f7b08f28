import { setTimeout as delay } from 'node:timers/promises';
import type { TrailTrouble } from '../command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Log } from '../outcome.ts';
import type { AuditChannel, ChannelWatch } from './channel.ts';
import { createLoop } from './loop.ts';
import { beginOf } from './position.ts';
import { createPoster } from './poster.ts';
import { postedIn } from './reader.ts';
import type { Seals } from './seals.ts';
import { createTampering, type Tampering } from './tampering.ts';
import { createWaiting, type Waiting } from './waiting.ts';

export interface TrailIntervals {
  /** In ms: from one post to the next; after trouble until the next try; how often is looked whether something waits. */
  between: number;
  retry: number;
  look: number;
  /** How long the oldest line may wait before nothing may change any more. */
  patience: number;
}

export interface TrailParts {
  ledger: Pick<Ledger, 'append' | 'refresh' | 'entries' | 'subscribe'>;
  channel: AuditChannel;
  /** Left out where nothing is heard of Discord. */
  watch?: ChannelWatch;
  bot: Actor;
  seals: Pick<Seals, 'match'>;
  /** Whether this process posts and reports, of all that share the ledger. Asked again before each post. */
  isLeader(): Promise<boolean>;
  intervals?: Partial<TrailIntervals>;
  /** How many pages of a hundred messages are read at most. */
  pages?: number;
  log: Log;
}

/** The ledger on its way to the audit channel. */
export type TrailPost = ReturnType<typeof createTrail>;

type Poster = ReturnType<typeof createPoster>;

const usual: TrailIntervals = { between: 1_000, retry: 3_000, look: 1_000, patience: 5 * 60_000 };
/** How long the last lines have at a stop, in ms. */
const farewell = 2_000;

/** Posts the ledger to its channel, once and in order, and reports it when somebody changes what is there. */
export function createTrail(parts: TrailParts) {
  const { ledger } = parts;
  const intervals = { ...usual, ...parts.intervals };
  const tampering = createTampering({ ...parts, since: () => poster.since() });
  let onRead = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const poster = createPoster({ ...parts, intervals, tampering, onRead });
  const trouble = troubleOf(parts, poster, createWaiting(Date.now), intervals.patience);
  let timer: NodeJS.Timeout | undefined;
  const looks = createLoop(
    async () => {
      await ledger.refresh();
      // It sees for how long the oldest line waits.
      trouble();
      await poster.run();
      // That the ledger cannot be read is in the log already.
    },
    () => 0,
  );

  ledger.subscribe(() => void poster.run());
  listen(parts.watch, poster, tampering);
  return {
    /** From here on, what is recorded is posted. Resolves when it is known where the trail goes on, until which nothing may change. */
    begin(): Promise<void> {
      timer = setInterval(looks.run, intervals.look);
      void poster.run();
      return read;
    },
    trouble,
    /** How far the trail is, as far as this process knows. */
    reach: poster.reach,
    /** Posts what is left, as far as Discord takes it within two seconds, and ends. */
    async close(): Promise<void> {
      clearInterval(timer);
      tampering.hurry();
      await Promise.race([poster.finish(), delay(farewell, undefined, { ref: false })]);
      poster.close();
    },
  };
}

function listen(watch: ChannelWatch | undefined, poster: Poster, tampering: Tampering): void {
  const hear = (finding: 'deleted' | 'edited', messages: readonly string[]): void => {
    tampering.hear(finding, messages);
    void poster.run();
  };
  watch?.listen({
    posted: (message) => postedIn([message]).forEach(tampering.know),
    deleted: (messages) => hear('deleted', messages),
    edited: (message) => hear('edited', [message]),
    shut() {
      poster.shut();
      void poster.run();
    },
    ready() {
      poster.compareAgain();
      void poster.run();
    },
  });
}

/** Whether changes wait for the trail, and why. */
function troubleOf({ ledger, channel, watch }: TrailParts, poster: Poster, waiting: Waiting, patience: number) {
  const place = `<#${channel.id}>`;
  const closed = (words: string): TrailTrouble => ({ reason: 'trail-closed', words });
  const behind = (words: string): TrailTrouble => ({ reason: 'trail-behind', words });
  return (): TrailTrouble | undefined => {
    const hindrance = watch?.hindrance();
    if (hindrance?.kind === 'gone') return closed(`The audit channel ${place} was deleted.`);
    if (hindrance?.kind === 'lacks') return closed(`Missing in ${place}: ${hindrance.rights.join(', ')}.`);
    if (poster.isClosed()) return closed(`Discord refuses the bot in ${place}.`);
    const entries = ledger.entries();
    // Nothing was ever for this channel.
    if (beginOf(entries, channel.id) === undefined) return undefined;
    const at = poster.at();
    // Without knowing what is there, nobody can say that nothing waits.
    if (at === undefined) return behind(`How far the trail is in ${place} could not be read yet.`);
    const oldest = entries[at];
    const isLate = oldest !== undefined && waiting(oldest) > patience;
    const late = entries.length - at;
    const words = late === 1 ? 'The last entry has' : `The last ${late.toLocaleString('en-US')} entries have`;
    return isLate ? behind(`${words} not reached ${place} yet.`) : undefined;
  };
}
