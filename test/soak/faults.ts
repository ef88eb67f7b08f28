import { discordFaults, orderAtDiscord } from './discord-faults.ts';
import { machineFaults, strikeMachine } from './machine-faults.ts';
import { type PanelFaults, panelFaults } from './panel-faults.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** What goes wrong in one world. */
export interface Faults {
  /** Something begins, and something else may be over: called before each deed. */
  step(): Promise<void>;
  /** All of it is over. */
  calm(): Promise<void>;
  /** How often each kind began. */
  readonly counts: ReadonlyMap<string, number>;
}

interface Current {
  left: number;
  end: () => Promise<void>;
}

/** How many deeds a fault lasts at most. Another process takes over after ten seconds: some faults last longer than that. */
const longest = (kind: string, { mode }: Stage): number =>
  mode.processes > 1 && ['leader frozen', 'redis cut'].includes(kind) ? 80 : 16;

/** Of each seed, only some kinds: what all of them together would hide shows in a world where few are about. */
function chosen(stage: Stage, random: Random): string[] {
  const machine = machineFaults(stage.mode).filter(() => random.chance(0.6));
  const discord = discordFaults.filter(() => random.chance(0.5));
  // The bot waits for a minute after a refused token, in which nothing else happens.
  const panel = panelFaults.filter((kind) => random.chance(kind === 'panel wrong-token' ? 0.15 : 0.5));
  // Without Redis, a ledger in Redis lets nothing change: that would soon be all that happens.
  const more = stage.mode.ledger === 'file' ? machine : [];
  return [...machine, ...more, ...discord, ...panel];
}

/** `rate`: how many deeds see one begin, from 0 to 1. */
export function stir(stage: Stage, panel: PanelFaults, random: Random, rate: number): Faults {
  const kinds = chosen(stage, random);
  const counts = new Map<string, number>();
  let current: Current[] = [];

  const begin = (kind: string): Promise<() => Promise<void>> => {
    if (panelFaults.includes(kind)) return Promise.resolve(panel.order(kind, random));
    if (discordFaults.includes(kind)) return Promise.resolve(orderAtDiscord(stage, kind, random));
    return strikeMachine(stage, kind, random);
  };
  const lift = async (over: readonly Current[]): Promise<void> => {
    current = current.filter((each) => !over.includes(each));
    for (const { end } of over) await end();
  };

  return {
    counts,
    async step() {
      for (const each of current) each.left -= 1;
      await lift(current.filter(({ left }) => left <= 0));
      if (kinds.length === 0 || !random.chance(rate)) return;
      const kind = random.pick(kinds);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      current.push({ left: random.between(1, longest(kind, stage)), end: await begin(kind) });
    },
    async calm() {
      await lift(current);
      stage.discord.clear();
      await stage.panel.clear();
      stage.story.tell('all faults are over');
    },
  };
}
