import type { SandboxDiscord } from '../discord/index.ts';
import { findButton, noButton } from './buttons.ts';
import { type Feed, sightings } from './feed.ts';
import { enumerate, type Line } from './line.ts';
import { placesOf, whereOf } from './places.ts';
import type { Watch } from './watch.ts';
import { HELP, unmarked } from './words.ts';

/** How long the console waits, in ms. */
export interface Pace {
  /** For a button that the previous line may still produce. */
  button: number;
  /** For the answer to a line; longer than Discord's three seconds. */
  answer: number;
  /** Without changes before it prints, so that an answer and its first edit are printed as one. */
  quiet: number;
}

interface Parts {
  discord: SandboxDiscord;
  feed: Feed;
  watch: Watch;
  pace: Pace;
  print: (block: string) => void;
}

/** Executes a line and prints the result. Throws what Discord's client refuses, in its words. */
export async function perform(line: Line, parts: Parts): Promise<void> {
  const { discord, print } = parts;
  switch (line.kind) {
    case 'blank':
      return;
    case 'help':
      return print(HELP);
    case 'wrong':
      return print(line.sentence);
    case 'as':
      return look(line.who, parts);
    case 'command':
      return await act(line.who, () => discord.type(line.who, whereOf(discord, line.channel), line.text), false, parts);
    case 'click':
      return await click(line.who, line.label, parts);
    case 'type':
      if (!discord.modalOf(line.who)) return print(`${line.who} has no open form to type into. Some buttons open one.`);
      return await act(line.who, () => discord.submit(line.who, line.text), true, parts);
  }
}

function look(who: string, { discord, print }: Parts): void {
  const places = placesOf(discord).filter(({ listed }) => listed);
  const filled = places.filter(({ where }) => discord.messages(who, where).length > 0);
  for (const { name, where } of filled) print(`#${name}\n${unmarked(discord.view(who, where))}`);
  if (filled.length === 0) print(`${who} sees nothing yet in ${enumerate(places.map(({ name }) => `#${name}`))}.`);
}

async function click(who: string, label: string, parts: Parts): Promise<void> {
  const { discord, watch, pace, print } = parts;
  await watch.until(() => findButton(discord, who, label) !== undefined, pace.button);
  const button = findButton(discord, who, label);
  if (!button) return print(noButton(discord, who, label));
  await act(who, () => discord.click(who, button.messageId, button.customId), true, parts);
}

/** Acts, waits for the answer, and prints. A click or a form may change any message or form. */
async function act(who: string, run: () => Promise<string>, anyChange: boolean, parts: Parts): Promise<void> {
  const { discord, feed, watch, pace, print } = parts;
  feed.flush(who);
  const before = feed.state();
  const formOf = () => JSON.stringify(discord.modalOf(who));
  const form = formOf();
  const interaction = await run();
  const began = watch.changes();
  const isAnswer = (message: { answers?: string | undefined; state: string }) =>
    message.answers === interaction && message.state !== 'thinking';
  const answered = () =>
    sightings(discord, who).some(({ message }) => isAnswer(message)) ||
    (formOf() !== undefined && formOf() !== form) ||
    // A form that was already open may have been reopened by this click.
    (anyChange && (feed.state() !== before || (watch.changes() > began && formOf() !== undefined)));
  await watch.until(answered, pace.answer);
  await calm(watch, pace.quiet);
  if (feed.flush(who, interaction) === 0) print(`Nothing new that ${who} can see.`);
}

async function calm(watch: Watch, quiet: number): Promise<void> {
  // Bounded, because a busy channel may never be quiet.
  for (let round = 0; round < 5; round += 1) {
    const before = watch.changes();
    if (!(await watch.until(() => watch.changes() > before, quiet))) return;
  }
}
