import { readFileSync } from 'node:fs';
import { canaries, filesIn } from '../helpers/surroundings.ts';
import { type End, verifyLedger } from './bot.ts';
import { textOf, wordsIn } from './cards.ts';
import type { Entry } from './entries.ts';
import type { Stage } from './stage.ts';
import type { Finding } from './story.ts';

/** 0 after SIGTERM, 1 when it cannot go on, 77 and 78 as the README has them; a signal only when it was sent one. */
const documented: readonly End[] = [0, 1, 77, 78];

/** What `audit verify` says of the chain and, where there is one, of the trail. */
export async function checkChain({ slots }: Stage): Promise<Finding[]> {
  const [slot] = slots;
  if (slot === undefined) return [];
  const { code, said } = await verifyLedger(slot.env, slot.dir);
  return code === 0 ? [] : [{ invariant: 'audit-verify', what: `it ended with ${code}: ${said.trim()}` }];
}

/** The trail has each entry once, in order, up to the newest. */
export function checkTrail({ mode, discord }: Stage, entries: readonly Entry[]): Finding[] {
  if (!mode.audit) return [];
  const ranges = discord.messages('alice', 'audit').flatMap((message) => {
    const [, from, to = from] =
      /#(\d+)(?:–#(\d+))? · [0-9a-f]{8,}/.exec(textOf(message).split('\n').at(-1) ?? '') ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
  });
  let next = 1;
  for (const { from, to } of ranges) {
    if (from !== next) return [{ invariant: 'seamless-trail', what: `#${next} should follow, and #${from} does` }];
    next = to + 1;
  }
  if (next === entries.length + 1) return [];
  return [{ invariant: 'trail-to-the-end', what: `it ends with #${next - 1}, the ledger with #${entries.length}` }];
}

/** Exit codes and what the processes wrote. */
export function checkProcesses({ slots }: Stage): Finding[] {
  const ends = slots.flatMap(({ name, surprises }) =>
    surprises.flatMap(({ end, wasReady, words }) => [
      ...(documented.includes(end) ? [] : [{ invariant: 'documented-exit', what: `${name} ended with ${end}` }]),
      // Another one took over from it while it was frozen or cut off.
      ...(wasReady && !words.includes('Another process of the bot leads now')
        ? [{ invariant: 'no-end-by-itself', what: `${name} ended with ${end} while it served: ${words}` }]
        : []),
    ]),
  );
  return ends;
}

/** Frames of a stack, or the name of an error that nobody caught. */
const stack = /^\s+at .+:\d+:\d+\)?$|\b(?:Type|Range|Reference)Error\b/m;

/** No secret anywhere, and no stack in what people read. */
export function checkWords(stage: Stage, entries: readonly Entry[]): Finding[] {
  const { discord, slots } = stage;
  const seen = Object.keys(discord.people).flatMap((who) =>
    ['ops', 'audit', ...discord.threads().map(({ id }) => id)].flatMap((place) => discord.messages(who, place)),
  );
  const written: [string, string][] = [
    ...slots.flatMap(({ name, lives }) =>
      lives.map((life): [string, string] => [`the log of ${name}`, life.stdout() + life.stderr()]),
    ),
    ...slots.flatMap(({ dir }) => filesIn(dir).map((path): [string, string] => [path, readFileSync(path, 'utf8')])),
    ['the ledger', JSON.stringify(entries)],
    ...seen.map((message): [string, string] => [`message ${message.id}`, wordsIn(message)]),
  ];
  const leaks = written.flatMap(([place, text]) =>
    Object.entries(canaries)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => ({ invariant: 'no-secret', what: `the token of ${name} is in ${place}` })),
  );
  const stacks = seen
    .filter((message) => stack.test(wordsIn(message)))
    .map(({ id }) => ({ invariant: 'no-stack', what: `message ${id} shows one` }));
  return [...leaks, ...stacks];
}
