/** One bar: what is allocated of the capacity. `max` 0: no limit. */
export interface Gauge {
  name: string;
  /** The unit after the figures, such as "GB"; empty for a plain count. */
  unit: string;
  max: number;
  allocated: number;
}

/** One hypervisor: a line with its name, and its gauges below, in columns that mean the same in every row. */
export interface Row {
  id: number;
  name: string;
  /** What is unusual about it, a word or two each. */
  marks: readonly string[];
  /** Shown beside the name, without a bar. */
  beside: Gauge;
  columns: readonly (readonly Gauge[])[];
}

/** The content of one picture. Names come from outside and may be anything. */
export interface Chart {
  /** The file's name: "capacity.png". */
  file: string;
  title: string;
  /** Which part of a longer list this is; undefined for the whole list. */
  part?: string;
  rows: readonly Row[];
}

/** How full a gauge is. `share` is 0 if the limit makes no sense, undefined without a limit. */
export type Fill = { state: 'unlimited'; share?: undefined } | { state: 'usual' | 'high' | 'over'; share: number };

/** From this share on a gauge counts as almost full. */
const high = 0.9;

export function fillOf({ max, allocated }: Pick<Gauge, 'max' | 'allocated'>): Fill {
  if (max === 0) return { state: 'unlimited' };
  const share = max > 0 ? Math.max(0, allocated / max) : 0;
  return { state: share > 1 ? 'over' : share >= high ? 'high' : 'usual', share };
}

/** Its own background, for Discord's dark and light. Contrasts: text 4.5 to `card`, fills 3 to `track`, `card`. */
export const palette = {
  card: '#16181d',
  edge: '#5b616e',
  line: '#2e323b',
  text: '#f2f4f8',
  soft: '#aab1bf',
  track: '#2b2f38',
  usual: '#4da3ff',
  high: '#ffb84d',
  over: '#ff7b72',
  /** Between the stripes of the part beyond the limit. */
  under: '#5c1f22',
  unlimited: '#9aa5b8',
  limit: '#ffffff',
} as const;

const suffixes = ['k', 'M', 'G', 'T', 'P'] as const;

/** A number short enough for a bar: unchanged up to 99999, then "123k", "1.24M". */
export function figure(n: number): string {
  if (n < 0) return `-${figure(-n)}`;
  if (n < 0.05) return n === 0 ? '0' : '<0.1';
  if (n < 99_999.5) return String(Number(n.toFixed(n < 1000 ? 1 : 0)));
  if (n >= 1e18) return '>999P';
  // Round first: 999.9k is 1M.
  const rounded = Number(n.toPrecision(3));
  const step = Math.min(suffixes.length, Math.floor(Math.log10(rounded) / 3));
  return `${Number((rounded / 1000 ** step).toPrecision(3))}${suffixes[step - 1]}`;
}

/** "96 / 256 GB", and "31 used" without a limit. */
export function figures({ max, allocated, unit }: Gauge): string {
  const behind = unit === '' ? '' : ` ${unit}`;
  return max === 0 ? `${figure(allocated)}${behind} used` : `${figure(allocated)} / ${figure(max)}${behind}`;
}

/** "38%" or "unlimited". Only what exceeds its limit shows more than 100%, and only what is full shows 100%. */
export function percent(gauge: Gauge): string {
  const { state, share } = fillOf(gauge);
  if (state === 'unlimited') return 'unlimited';
  if (share > 9.99) return '>999%';
  const rounded = Math.round(share * 100);
  if (state === 'over') return `${Math.max(101, rounded)}%`;
  if (rounded === 0 && share > 0) return '<1%';
  return `${share < 1 ? Math.min(99, rounded) : rounded}%`;
}

/** Latin, Greek and Cyrillic as far as the fonts have them: no letter that joins, turns or hides another. */
const strange = /[^ -~\u00a1-\u00ac\u00ae-\u017f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f…–]/gu;

/** Text on one line, left to right, with a dot for every character that cannot be drawn. */
export const drawable = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').trim().replace(strange, '·').replace(/·{4,}/gu, '···') || '(no name)';

/** At most the first `most` characters. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}

/** Discord accepts 1024 characters; the rest is for the last sentence. */
const longest = 960;

/** The picture's alt text: a sentence for each hypervisor. */
export function described({ title, part, rows }: Chart): string {
  const start = `${title}${part === undefined ? '' : `, ${part}`}, as bars.`;
  const sentences: string[] = [];
  for (const row of rows) {
    const sentence = saidOf(row);
    if ([start, ...sentences, sentence].join(' ').length > longest) break;
    sentences.push(sentence);
  }
  const left = rows.length - sentences.length;
  return [start, ...sentences, ...(left === 0 ? [] : [`${left} more in the picture.`])].join(' ');
}

function saidOf({ id, name, marks, beside, columns }: Row): string {
  const gauges = [beside, ...columns.flat()].map(
    (gauge) =>
      `${shortened(drawable(gauge.name), 24)} ${percent(gauge)}${fillOf(gauge).state === 'over' ? ', over-committed' : ''}`,
  );
  const head = [id, shortened(drawable(name), 40), ...marks.map((mark) => `(${mark})`)].join(' ');
  return `${head}: ${gauges.join('; ')}.`;
}
