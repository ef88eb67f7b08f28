import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../../src/runs/entry.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { plain } from '../person.ts';
import type { World } from '../world.ts';

type Who = 'alice' | 'bob' | 'carol' | 'mallory';
type Stage = Pick<World, 'discord'>;

/** The ids of the threads, oldest first. */
export const threadsOf = ({ discord }: Stage): string[] => discord.threads().map(({ id }) => id);

/** Posts a message as a person; gives its id. */
export const says = ({ discord }: Stage, who: Who, place: string, text: string): Promise<string> =>
  discord.type(who, place, text);

/** The newest message that this person sees there. */
export function newest({ discord }: Stage, who: Who, place: string): SeenMessage {
  const last = discord.messages(who, place).at(-1);
  if (last === undefined) throw new Error(`${who} sees nothing in ${place}`);
  return last;
}

/** The files that were posted there, as text. */
export const filesIn = ({ discord }: Stage, place: string): string[] =>
  discord.messages('alice', place).flatMap(({ files }) => files.map(({ bytes }) => new TextDecoder().decode(bytes)));

/** The only file that was posted there, as text. */
export function fileIn(stage: Stage, place: string): string {
  const [file, ...others] = filesIn(stage, place);
  if (file === undefined || others.length > 0) throw new Error(`${others.length} files beside the first: ${file}`);
  return file;
}

/** The steps of incidents in the ledger of a folder, in order. */
export function stepsIn({ dir }: { dir: string }): string[] {
  const file = join(dir, 'ledger.jsonl');
  // While the bot lives, the last line may be half written.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line): Entry => JSON.parse(line)).flatMap((entry) => (entry.kind === 'incident' ? entry.step : []));
}

/** Without what differs each time: times, and the ids of runs and threads. */
export const steady = (text: string): string =>
  plain(text)
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/\b\d{17,19}\b/g, 'ID')
    .replaceAll(/incident-\d{4}-\d{2}-\d{2}-/g, 'incident-DAY-')
    .replaceAll(/\(\d+ bytes\)/g, '(N bytes)');
