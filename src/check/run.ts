import { setTimeout as delay } from 'node:timers/promises';
import { count, md, trusted } from '../card.ts';
import { type Found, isLeft, type Left, type Line, type Looked, skipped, wrong } from './line.ts';
import type { Probes } from './probes.ts';

/** A finding for each thing that is wrong, or one that says that all is well. */
type Findings = Found | readonly Found[];

/** `Seen`: the probes that it looks at. */
export interface Check<Seen = Probes> {
  id: string;
  title: string;
  run: (probes: Seen) => Promise<Findings>;
}

/** Judges what was looked at. Where that cannot be, it says why; of undefined it says nothing. */
export const checkOf = <Seen, T>(
  id: string,
  title: string,
  look: (probes: Seen) => Promise<Looked<T> | undefined>,
  judge: (found: T, probes: Seen) => Findings | Promise<Findings>,
): Check<Seen> => ({
  id,
  title,
  async run(probes) {
    const found = await look(probes);
    if (found === undefined) return [];
    return isLeft(found) ? skipped(trusted(found.left)) : judge(found, probes);
  },
});

type Look = Exclude<keyof Probes, 'bounds' | 'now'>;
type Judged<Name extends Look> = Pick<Probes, Name | 'bounds' | 'now'>;

/** Judges what one probe found. */
export const check = <Name extends Look>(
  id: string,
  title: string,
  name: Name,
  judge: (found: Exclude<Awaited<ReturnType<Probes[Name]>>, Left | undefined>, probes: Judged<Name>) => Findings,
): Check<Judged<Name>> =>
  // The compiler does not follow that the probe of this name returns what is judged.
  checkOf(id, title, (probes: Judged<Name>) => probes[name]() as Promise<Parameters<typeof judge>[0]>, judge);

/** Several things to look at, or why the first of them is left. */
export async function together<T extends object>(
  looks: {
    [Name in keyof T]: Promise<Looked<T[Name]>>;
  },
): Promise<Looked<T>> {
  const names = Object.keys(looks);
  const found: unknown[] = await Promise.all(Object.values(looks));
  const left = found.find((each): each is Left => isLeft(each));
  // None of them is left.
  return left ?? (Object.fromEntries(names.map((name, at) => [name, found[at]])) as T);
}

/** How long one check may take, in ms. */
const checkTimeout = 10_000;

/** Runs all checks in parallel. A check that fails or takes too long gets a line that says so. */
export async function runChecks<Seen>(
  checks: readonly Check<Seen>[],
  probes: Seen,
  bound = checkTimeout,
): Promise<Line[]> {
  const lines = await Promise.all(
    checks.map(async ({ id, title, run }) => {
      const late = delay(bound, tooLate(bound), { ref: false });
      const found = await Promise.race([run(probes).catch(faultOf), late]);
      return [found].flat().map((each) => ({ check: id, title, ...each }));
    }),
  );
  return lines.flat();
}

const tooLate = (ms: number): Found =>
  wrong(trusted(`This took longer than ${count(Math.ceil(ms / 1000), 'second')}.`), 'Run the check again.');

/** Only its name, or the code of a system call: the message of a library's error may hold anything. */
function faultOf(error: unknown): Found {
  if (error instanceof Error && 'syscall' in error && 'code' in error)
    return wrong(
      md`This could not be checked: ${String(error.syscall)} failed with ${String(error.code)}.`,
      "Look at the machine's disk and network, then run the check again.",
    );
  return wrong(
    md`This could not be checked: ${error instanceof Error ? error.name : 'unknown fault'}.`,
    'Run the check again. If it keeps failing, report it with the version.',
  );
}

const labels = { ok: 'OK', warning: 'WARNING', wrong: 'WRONG', skipped: 'SKIPPED' } as const;
const width = 9;

/** The lines for a terminal, and how many there are of each state. */
export function report(lines: readonly Line[]): string {
  const all = lines.flatMap(({ state, title, words, remedy }) => [
    `${labels[state].padEnd(width)}${title}: ${words.markup}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width)}→ ${remedy.markup}`]),
  ]);
  const of = (state: Line['state']): number => lines.filter((line) => line.state === state).length;
  const sum = `${of('wrong')} wrong, ${count(of('warning'), 'warning')}, ${of('ok')} OK, ${of('skipped')} skipped`;
  return `${[...all, '', sum].join('\n')}\n`;
}

/** Warnings do not fail a check, because the bot works. */
export const exitCodeOf = (lines: readonly Line[]): number => (lines.some(({ state }) => state === 'wrong') ? 1 : 0);
