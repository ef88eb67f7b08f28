import { describe, expect, it } from 'vitest';
import { figureOf } from '../../bench/numbers.ts';
import { results } from '../../bench/table.ts';

describe('bench/RESULTS.md', () => {
  it('has the figures of each Node beside the goal, and says once what the missed ones would take', () => {
    const start = { what: 'start', goal: '≤ × 1.3', baseline: 'bare 1 s', ours: '1.3 s' };
    const idle = {
      what: 'a | b',
      goal: '≤ 20 MiB more',
      baseline: 'bare 91 MiB',
      ours: '156 MiB',
      why: 'it takes less code',
    };
    const measured = (node: string, median: number) => ({
      ...{ machine: '2 × AMD EPYC, 24 GiB, Linux 6.1', versions: { Node: node } },
      groups: {
        memory: { date: '2026-11-27', minutes: 3.2, load: 0.1, rows: [{ ...idle, isMet: false, note: 'once' }] },
        start: {
          ...{ date: '2026-11-26', minutes: 1.1, load: 0.3 },
          rows: [{ ...start, ratio: figureOf([median]), isMet: median <= 1.3 }],
        },
      },
    });
    const both = { 'Node 26': measured('26.12.1', 1.1), 'Node 20': measured('20.20.2', 1.4) };
    const text = results(both, ['start', 'memory', 'no-longer-there']);
    expect(text.split('\n').slice(7)).toEqual([
      '- Node 20: 2026-11-27, 2 × AMD EPYC, 24 GiB, Linux 6.1; Node 20.20.2; it took 4.3 minutes; load average before: 0.30',
      '- Node 26: 2026-11-27, 2 × AMD EPYC, 24 GiB, Linux 6.1; Node 26.12.1; it took 4.3 minutes; load average before: 0.30',
      '',
      '| what | goal | Node 20 | Node 26 |',
      '| --- | --- | --- | --- |',
      '| start | ≤ × 1.3 | **missed**: × 1.4; 1.3 s; bare 1 s | met: × 1.1; 1.3 s; bare 1 s |',
      '| a \\| b | ≤ 20 MiB more | **missed**: 156 MiB; bare 91 MiB; once | **missed**: 156 MiB; bare 91 MiB; once |',
      '',
      '## What the missed rows would take',
      '',
      '- **a | b** (Node 20, Node 26): it takes less code. Profile: `npm run bench -- --profile memory`',
      '',
    ]);
  });
});
