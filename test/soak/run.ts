import { type Gallery, watchCards } from './cards.ts';
import { checkCards, checkHistory } from './check-cards.ts';
import { checkLedger } from './check-ledger.ts';
import { checkChain, checkProcesses, checkTrail, checkWords } from './check-outside.ts';
import { checkPanel } from './check-panel.ts';
import { runsOf } from './entries.ts';
import { type Faults, stir } from './faults.ts';
import { type PanelFaults, watchPanel } from './panel-faults.ts';
import { act } from './people.ts';
import { type Random, randomOf } from './random.ts';
import { end, leaderOf, type Mode, openStage, type Slot, type Stage, start } from './stage.ts';
import type { Finding } from './story.ts';
import { type Tally, tallyOf } from './tally.ts';
import { explain } from './telling.ts';
import { moment, until } from './waiting.ts';
import { lastLine } from './words.ts';

/** What one seed makes. */
export interface Plan {
  seed: number;
  mode: Mode;
  /** Commands at most, and ms until the quiet phase. */
  commands: number;
  ms: number;
  /** Ms that may be waited for what is followed; some of it never ends. */
  linger: number;
  /** Ms that the world may take to come to rest. */
  rest: number;
}

export interface Result {
  plan: Plan;
  tally: Tally;
  findings: Finding[];
  /** A story for each finding. */
  stories: string[];
}

/** Lives through one world, and checks it. */
export async function soak(plan: Plan): Promise<Result> {
  const random = randomOf(plan.seed);
  const stage = await openStage(plan.mode, random.fork());
  const gallery = watchCards(stage.discord);
  try {
    const panel = watchPanel(stage);
    const faults = stir(stage, panel, random.fork(), 0.15);
    await Promise.all(stage.slots.map((slot) => start(stage, slot)));
    const deeds = await trouble(stage, faults, random, plan);
    await faults.calm();
    await revive(stage);
    await until(() => areFollowUpsOver(stage), plan.linger, 500);
    const left = await rested(stage, plan.rest);
    const findings = [...(await lasting(stage, panel, gallery)), ...left, ...(await farewell(stage))];
    const entries = await stage.entries();
    return {
      plan,
      tally: tallyOf(stage, panel, { deeds, faults: faults.counts }, entries),
      findings,
      stories: findings.map((finding) => explain(stage, gallery, entries, finding)),
    };
  } finally {
    gallery.close();
    await stage.close();
  }
}

/** What is still wrong once nothing is, and nothing was recorded since the look before; or after so many ms. */
async function rested(stage: Stage, ms: number): Promise<Finding[]> {
  let [before, left]: [number | undefined, Finding[]] = [undefined, []];
  await until(
    async () => {
      const count = (await stage.entries()).length;
      const isStill = count === before;
      before = count;
      left = await pending(stage);
      return left.length === 0 && isStill;
    },
    ms,
    500,
  );
  // What was typed last may still be on its way: a look at another moment might meet it half done.
  return left;
}

const areFollowUpsOver = async (stage: Stage): Promise<boolean> =>
  runsOf(await stage.entries()).every(({ started, ended }) => started === undefined || ended !== undefined);

/** What is wrong and may still come right: what ledger, cards and trail still have to get. */
async function pending(stage: Stage): Promise<Finding[]> {
  const entries = await stage.entries();
  const runs = runsOf(entries);
  const found = [...checkLedger(entries, runs), ...checkCards(stage, entries, runs), ...checkTrail(stage, entries)];
  // It takes a process: only when nothing else is left.
  return found.length > 0 ? found : checkChain(stage);
}

/** What is wrong for good. */
async function lasting(stage: Stage, panel: PanelFaults, gallery: Gallery): Promise<Finding[]> {
  const entries = await stage.entries();
  const runs = runsOf(entries);
  return [
    ...checkPanel(stage, panel, runs),
    ...checkHistory(stage, gallery, runs),
    ...checkProcesses(stage),
    ...checkWords(stage, entries),
  ];
}

/** People act, things break, and the bot dies, until there were enough commands or the time is over. */
async function trouble(stage: Stage, faults: Faults, random: Random, plan: Plan): Promise<Deeds> {
  const deeds: Deeds = new Map([
    ['commands', 0],
    ['clicks', 0],
    ['kills', 0],
    ['stops', 0],
  ]);
  const commands = (): number => deeds.get('commands') ?? 0;
  const most = Math.min(5, Math.ceil(plan.commands / 15));
  // After which command a life ends, and the next begins.
  let deaths = Array.from({ length: random.between(1, most) }, () => random.between(1, plan.commands - 1));
  const rebirths: Promise<void>[] = [];
  const deadline = performance.now() + plan.ms;
  while (commands() < plan.commands && performance.now() < deadline) {
    await faults.step();
    const done = await act(stage, random);
    if (done === 'command' || done === 'click') count(deeds, `${done}s`);
    await moment([stage.discord, stage.panel], random.between(1, 8), random.between(10, 400));
    for (const slot of stage.slots) {
      if (slot.life === undefined && random.chance(0.2)) rebirths.push(start(stage, slot));
    }
    const due = deaths.filter((after) => after <= commands());
    deaths = deaths.filter((after) => !due.includes(after));
    for (const _ of due)
      await strike(stage, random.chance(0.7) ? leaderOf(stage, random) : random.pick(stage.slots), random, deeds);
  }
  await Promise.all(rebirths);
  return deeds;
}

/** How often something was done. */
type Deeds = Map<string, number>;
const count = (deeds: Deeds, what: string): void => void deeds.set(what, (deeds.get(what) ?? 0) + 1);

/** Ends a life between any two of its steps. */
async function strike(stage: Stage, slot: Slot, random: Random, deeds: Deeds): Promise<void> {
  await moment([stage.discord, stage.panel], random.between(1, 12), random.between(1, 300));
  const signal = random.chance(0.7) ? 'SIGKILL' : 'SIGTERM';
  count(deeds, signal === 'SIGKILL' ? 'kills' : 'stops');
  const { life } = slot;
  const how = await end(stage, slot, signal);
  if (how === undefined || how === signal || how === 0) return;
  slot.surprises.push({ end: how, wasReady: life?.isReady() ?? false, words: lastLine(life?.stderr() ?? '') });
}

/** Starts them as often as it takes, until one leads: what they could not start without may be back only now. */
async function revive(stage: Stage): Promise<void> {
  const { slots } = stage;
  const isDone = (): boolean =>
    slots.every(({ life }) => life !== undefined) && slots.some(({ life }) => life?.isReady() ?? false);
  for (let attempt = 0; attempt < 5 && !isDone(); attempt += 1) {
    await Promise.all(slots.map((slot) => start(stage, slot)));
    await until(() => isDone() || slots.some(({ life }) => life === undefined), 60_000);
  }
}

/** The last SIGTERM: it ends with 0, and soon. One that ended by itself, as a deposed leader does, is judged with its surprises. */
async function farewell(stage: Stage): Promise<Finding[]> {
  const living = stage.slots.filter(({ life }) => life !== undefined);
  const ends = await Promise.all(living.map((slot) => end(stage, slot, 'SIGTERM')));
  return ends.flatMap((how) =>
    how === 0 ? [] : [{ invariant: 'ends-with-0', what: `after the last SIGTERM a bot ended with ${how}` }],
  );
}
