import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPainter } from '../../src/chart/index.ts';
import type { Log } from '../../src/outcome.ts';
import { chartOf, entry } from '../helpers/chart/cases.ts';
import { until } from '../helpers/messages.ts';

const canvas = (name: string): string => fileURLToPath(new URL(`../helpers/chart/${name}`, import.meta.url));

/** A painter whose process does what the title of a chart says. */
function painter(options: Parameters<typeof createPainter>[1] = {}) {
  const lines: [unknown, string][] = [];
  const line: Log['warn'] = (facts, message) => void lines.push([facts, message]);
  const clock = { ms: 0 };
  const { paint, close } = createPainter(
    { debug: line, info: line, warn: line, error: line },
    { program: canvas('broken-canvas.mjs'), now: () => clock.ms, ...options },
  );
  onTestFinished(close);
  return {
    ...{ lines, clock, close },
    /** What was drawn: the id of the process that drew it. */
    draw: async (title: string) => {
      const file = await paint({ ...chartOf([entry(1)]), title });
      return file && Number(Buffer.from(file.bytes).toString());
    },
    paint,
  };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the painter', () => {
  it('gives a file for a card, with alternative text', async () => {
    const { paint, lines } = painter();
    const file = await paint({ ...chartOf([entry(1)]), title: 'draws' });
    expect(file).toMatchObject({
      name: 'capacity.png',
      type: 'image/png',
      description: 'draws, as bars. 1 fra-1: Servers 24%; Memory 38%; Cores 38%; Local 40%.',
    });
    expect(lines).toEqual([]);
  });

  it('draws all charts in one process beside the bot, which ends when there is nothing to draw', async () => {
    const { draw } = painter({ idle: 1 });
    const [first = 0, second, third] = await Promise.all([draw('draws'), draw('draws'), draw('draws')]);
    expect([second, third]).toEqual([first, first]);
    expect(first).not.toBe(process.pid);
    await until(() => !isAlive(first), 'the end of the idle process');
    expect(await draw('draws')).not.toBe(first);
  });

  it.each([
    ['dies', 'the process that draws ended with SIGILL'],
    ['aborts', 'the process that draws ended with SIGABRT'],
    ['exits', 'the process that draws ended with 3'],
    ['hangs', 'no picture within 0.5 seconds', { patience: 500 }],
    ['refuses', 'Error: Cannot find native binding.'],
    ['babbles', 'the process that draws sent no picture'],
  ])(
    'gives no picture when the process %s, and logs once why',
    async (title, problem, options: { patience?: number } = {}) => {
      const { draw, lines } = painter(options);
      expect(await Promise.all([draw(title), draw('draws'), draw('draws')])).toEqual([undefined, undefined, undefined]);
      expect(lines).toEqual([[{ problem, pauseSeconds: 60 }, 'cannot draw: cards go without pictures']]);
    },
  );

  it('gives no picture where the process cannot be started', async () => {
    const { draw, lines } = painter({ program: canvas('missing.mjs') });
    expect(await draw('draws')).toBeUndefined();
    expect(lines).toHaveLength(1);
  });

  it('does not try again for a minute, then two, then four, and at most an hour, until a picture comes', async () => {
    const { draw, lines, clock } = painter();
    const triesAfter = async (ms: number, title: string): Promise<boolean> => {
      clock.ms += ms;
      const before = lines.length;
      const pid = await draw(title);
      return pid !== undefined || lines.length > before;
    };
    expect(await triesAfter(0, 'dies')).toBe(true);
    for (const pause of [60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000]) {
      expect(await triesAfter(pause - 1, 'dies')).toBe(false);
      expect(await triesAfter(1, 'dies')).toBe(true);
    }
    expect(await triesAfter(3_600_000, 'draws')).toBe(true);
    expect(await triesAfter(0, 'dies')).toBe(true);
    expect(await triesAfter(60_000, 'draws')).toBe(true);
  });

  it('starts another process when an idle one was killed, as if nothing had been', async () => {
    const { draw, lines } = painter();
    const first = await draw('draws');
    process.kill(first ?? 0, 'SIGKILL');
    await until(() => !isAlive(first ?? 0), 'the end of the killed process');
    expect(await draw('draws')).toBeDefined();
    expect(lines).toEqual([]);
  });

  it('lets eight wait for their picture, and no more', async () => {
    const { draw } = painter();
    const all = await Promise.all(Array.from({ length: 20 }, () => draw('draws')));
    // One is being drawn, and eight wait.
    expect(all.filter((pid) => pid !== undefined)).toHaveLength(9);
  });

  it('ends its process when it is closed, and draws no more', async () => {
    const { draw, close } = painter();
    const pid = (await draw('draws')) ?? 0;
    close();
    await until(() => !isAlive(pid), 'the end of the process');
    expect(await draw('draws')).toBeUndefined();
  });
});
