import { describe, expect, it } from 'vitest';
import { createPainter, loadEasel } from '../../src/chart/index.ts';
import type { Log } from '../../src/outcome.ts';
import { chartOf, entry } from '../helpers/chart/cases.ts';

const chart = chartOf([entry(1)]);

function logged(): { log: Log; lines: unknown[] } {
  const lines: unknown[] = [];
  const line: Log['warn'] = (facts, message) => void lines.push([facts, message]);
  return { log: { debug: line, info: line, warn: line, error: line }, lines };
}

describe('the painter', () => {
  it('gives a file for a card, with alternative text', async () => {
    const { log, lines } = logged();
    const file = await createPainter(log)(chart);
    expect(file).toMatchObject({
      name: 'capacity.png',
      type: 'image/png',
      description: 'Group 1: memory, cores, storage, as bars. 1 fra-1: Servers 24%; Memory 38%; Cores 38%; Local 40%.',
    });
    expect(file?.bytes.length).toBeGreaterThan(1000);
    expect(lines).toEqual([]);
  });

  it('loads the canvas only when there is something to draw, and once', async () => {
    let loads = 0;
    const paint = createPainter(logged().log, () => {
      loads += 1;
      return loadEasel();
    });
    expect(loads).toBe(0);
    await Promise.all([paint(chart), paint(chart)]);
    await paint(chart);
    expect(loads).toBe(1);
  });

  it('draws nothing without a canvas, and logs that once', async () => {
    const { log, lines } = logged();
    const paint = createPainter(log, () => Promise.reject(new Error('Cannot find native binding.')));
    expect(await Promise.all([paint(chart), paint(chart)])).toEqual([undefined, undefined]);
    expect(await paint(chart)).toBeUndefined();
    expect(lines).toEqual([
      [
        { problem: 'Error: Cannot find native binding.' },
        'cannot load the canvas on this platform: cards have no pictures',
      ],
    ]);
  });

  it('gives nothing when drawing fails, and goes on', async () => {
    const { log, lines } = logged();
    const easel = await loadEasel();
    let broken = true;
    const createCanvas: typeof easel.createCanvas = (width, height) => {
      if (broken) throw new RangeError('out of memory');
      return easel.createCanvas(width, height);
    };
    const paint = createPainter(log, () => Promise.resolve({ ...easel, createCanvas }));
    expect(await paint(chart)).toBeUndefined();
    expect(lines).toEqual([[{ problem: 'RangeError: out of memory' }, 'cannot draw a picture']]);
    broken = false;
    expect(await paint(chart)).toBeDefined();
  });
});
