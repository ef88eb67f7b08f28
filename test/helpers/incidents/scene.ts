import { entriesIn } from '../ledger/reading.ts';
import { plain } from '../person.ts';
import type { World } from '../world.ts';

type Stage = Pick<World, 'discord'>;

/** The ids of the threads, oldest first. */
export const threadsOf = ({ discord }: Stage): string[] => discord.threads().map(({ id }) => id);

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
export const stepsIn = ({ dir }: { dir: string }): string[] =>
  entriesIn(dir).flatMap((entry) => (entry.kind === 'incident' ? entry.step : []));

/** Without what differs each time: times, and the ids of runs and threads. */
export const steady = (text: string): string =>
  plain(text)
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/\b\d{17,19}\b/g, 'ID')
    .replaceAll(/incident-\d{4}-\d{2}-\d{2}-/g, 'incident-DAY-')
    .replaceAll(/\(\d+ bytes\)/g, '(N bytes)');
