import { vi } from 'vitest';
import { z } from 'zod';

/** One line of a scrape: `name{label="value"} 1`. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const health = z.object({ health: z.string() });

/** The address of health and metrics of a ready bot. */
export const healthOf = async (bot: { ready(): Promise<unknown> }): Promise<string> =>
  health.parse(await bot.ready()).health;

/** The text format of Prometheus, read as it is defined, and nothing that it does not allow. */
export function readScrape(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`this is no sample: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)].map(([, key = '', of = '']) => [
        key,
        of,
      ]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

export async function scrape(url: string): Promise<Sample[]> {
  const answer = await fetch(`${url}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return readScrape(await answer.text());
}

/** The value of a sample, by its labels; undefined: there is none. */
export const valueIn = (samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | undefined =>
  samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value;

/** Scrapes until the metrics fit, and returns them. */
export const untilScraped = <T>(
  url: string,
  found: (samples: readonly Sample[]) => T | undefined | false,
): Promise<T> =>
  vi.waitFor(
    async () => {
      const value = found(await scrape(url));
      if (value === undefined || value === false) throw new Error('the scrape is not as it should be yet');
      return value;
    },
    { timeout: 20_000, interval: 50 },
  );
