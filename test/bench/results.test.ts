import { describe, expect, it } from 'vitest';
import { sound } from '../../bench/group.ts';
import { figureOf, quantile, ratioOf, told } from '../../bench/numbers.ts';
import { results } from '../../bench/table.ts';

describe('a figure', () => {
  it('is the median of its runs, with the minimum and the maximum', () => {
    expect(figureOf([5, 1, 3])).toEqual({ median: 3, least: 1, most: 5, runs: 3 });
    expect(figureOf([4, 1, 3, 2])).toMatchObject({ median: 2.5 });
    expect(told(figureOf([0.361, 0.3549, 0.411]), ' s')).toBe('0.36 s (0.35–0.41)');
    expect(told(figureOf([1_329.6]), '/s')).toBe('1,330/s');
  });

  it('has quantiles', () => {
    const all = Array.from({ length: 200 }, (_, at) => 200 - at);
    expect([quantile(all, 0), quantile(all, 0.5), quantile(all, 0.99), quantile(all, 1)]).toEqual([1, 101, 199, 200]);
  });

  it('is compared run by run, so that a slow run changes no ratio', () => {
    expect(ratioOf([2, 20, 3], [1, 10, 1])).toEqual({ median: 2, least: 2, most: 3, runs: 3 });
  });

  it('is missing where answers were lost or wrong', () => {
    const served = { acknowledged: [1], final: [1], wrong: [], lost: 0, ms: 1 };
    expect(sound(served, 'reads')).toBe(served);
    expect(() => sound({ ...served, lost: 2 }, 'reads')).toThrow('reads: 2 were never answered');
    expect(() => sound({ ...served, wrong: ['DENIED'] }, 'reads')).toThrow(
      'reads: 1 answers were others, such as DENIED',
    );
  });
});

describe('bench/RESULTS.md', () => {
  it('has a row for each figure, with goal, verdict and reason, and says where it ran', () => {
    const setting = { date: '2026-11-23', minutes: 17, versions: { Node: '20.20.2' }, load: 0.1 };
    const ratio = figureOf([1.2, 1.3, 1.4]);
    const row = { what: 'start', baseline: 'bare: 1 s', ours: '1.3 s', goal: '≤ × 1.5', isMet: true };
    const text = results(
      [
        { ...row, ratio },
        { ...row, what: 'a | b', isMet: false, note: 'the disk' },
      ],
      setting,
    );
    expect(text).toContain('| start | bare: 1 s | 1.3 s | × 1.3 (1.2–1.4) | ≤ × 1.5 | yes |  |');
    expect(text).toContain('| a \\| b | bare: 1 s | 1.3 s |  | ≤ × 1.5 | no | the disk |');
    expect(text).toContain('- Versions: Node 20.20.2');
    expect(text).toContain('- Date: 2026-11-23; it took 17 minutes; load average before: 0.10');
  });
});
