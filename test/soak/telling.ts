import type { Gallery } from './cards.ts';
import { describeEntry, type Entry, timeOf } from './entries.ts';
import type { Stage } from './stage.ts';
import type { Finding } from './story.ts';

/** Ms around what is recorded of an invocation that belong to its story. */
const around = 4_000;
const mostDeeds = 40;

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line.replaceAll('\n', '\n      ')}`)];

/** What led to a finding: deeds, entries, requests and cards. */
export function explain(stage: Stage, gallery: Gallery, entries: readonly Entry[], finding: Finding): string {
  const { story, panel } = stage;
  const { invariant, what, invocation, server } = finding;
  const own = entries.filter(({ run }) => invocation !== undefined && run?.split('.', 1).join() === invocation);
  const faces = [...gallery.all()].flatMap(([id, shown]) =>
    shown.filter((face) => invocation !== undefined && face.invocation === invocation).map((face) => ({ id, ...face })),
  );
  const times = [...own.map(timeOf), ...faces.map(({ at }) => at)];
  const [from, to] = times.length === 0 ? [0, Number.POSITIVE_INFINITY] : [Math.min(...times), Math.max(...times)];
  const requests = panel.requests.filter(
    ({ path, at }) =>
      server !== undefined &&
      path.startsWith(`/servers/${server}/`) &&
      at.getTime() >= from - around &&
      at.getTime() <= to + around,
  );
  const names = own.flatMap((entry) => entry.server?.name ?? []);
  const words = [invocation ?? 'nobody', ...new Set([...names, ...faces.map(({ id }) => id)])];
  return [
    `${invariant}: ${what}`,
    ...part('what was done', story.between(from - around, to + around, mostDeeds, words)),
    ...part(
      'the ledger',
      own.map((entry) => describeEntry(entry, story.begun)),
    ),
    ...part(
      'the panel',
      requests.map(
        ({ at, method, path, status, effect }) =>
          `+${at.getTime() - story.begun} ms  ${method} ${path} ${status ?? 'no answer'}${effect ? `: ${effect}` : ''}`,
      ),
    ),
    ...part(
      'the card',
      faces.map(({ at, id, text }) => `+${at - story.begun} ms  ${id}: ${text}`),
    ),
  ].join('\n');
}
