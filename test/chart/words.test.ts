import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { described, drawable, figure, figures, percent } from '../../src/chart/chart.ts';
import { cases, chartOf, entry } from '../helpers/chart/cases.ts';
import { outsideText, unseen } from '../helpers/discord/outside.ts';

const gauge = (max: number, allocated: number, unit = '') => ({ name: 'Memory', unit, max, allocated });

describe('a figure', () => {
  it.each([
    [0, '0'],
    [24, '24'],
    [96.5, '96.5'],
    [1800, '1800'],
    [99_999, '99999'],
    [100_000, '100k'],
    [123_456, '123k'],
    [999_999, '1M'],
    [1_234_567, '1.23M'],
    [9_007_199_254_740_991, '9.01P'],
    [1e300, '>999P'],
    [0.001, '<0.1'],
    [-5, '-5'],
  ])('%d is %s', (n, short) => {
    expect(figure(n)).toBe(short);
  });

  it('has its unit, and its limit where there is one', () => {
    expect(figures(gauge(256, 96, 'GB'))).toBe('96 / 256 GB');
    expect(figures(gauge(64, 24))).toBe('24 / 64');
    expect(figures(gauge(0, 96, 'GB'))).toBe('96 GB used');
  });
});

describe('how full it is', () => {
  it.each([
    [64, 24, '38%'],
    [0, 24, 'unlimited'],
    [0, 0, 'unlimited'],
    [64, 0, '0%'],
    [1000, 1, '<1%'],
    [1000, 999, '99%'],
    [1000, 1000, '100%'],
    [1000, 1001, '101%'],
    [128, 160, '125%'],
    [1, 640, '>999%'],
    [64, -1, '0%'],
  ])('of %d, %d are %s', (max, allocated, words) => {
    expect(percent(gauge(max, allocated))).toBe(words);
  });
});

describe('a name in a picture', () => {
  it.each([
    ['fra-1.example.net', 'fra-1.example.net'],
    ['**bold** <@1>', '**bold** <@1>'],
    ['Zürich Łódź Ωμέγα Сервер', 'Zürich Łódź Ωμέγα Сервер'],
    ['\u202efra\u2066-2', '·fra·-2'],
    ['a\nb\tc', 'a b c'],
    ['🔥', '·'],
    ['東京東京東京', '···'],
    ['Zu\u0308rich', 'Zürich'],
    ['', '(no name)'],
    [' \n', '(no name)'],
  ])('%j is %j', (name, drawn) => {
    expect(drawable(name)).toBe(drawn);
  });

  it('is one line of letters from left to right, whatever comes', () => {
    fc.assert(
      fc.property(outsideText, (text) => {
        const drawn = drawable(text);
        expect(drawn).not.toMatch(unseen);
        expect(drawn).toMatch(/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]+$/u);
      }),
    );
  });
});

describe('the text in place of the picture', () => {
  it('says of each hypervisor how full it is, and what is over its limit or has none', () => {
    const chart = chartOf(
      [entry(3, { memory: [131_072, 163_840], servers: [0, 31] }), entry(4, { hypervisor: { enabled: false } })],
      '3–4 of 7 hypervisors',
    );
    expect(described(chart)).toBe(
      'Group 1: memory, cores, storage, 3–4 of 7 hypervisors, as bars. ' +
        '3 fra-3: Servers unlimited; Memory 125%, over-committed; Cores 38%; Local 40%. ' +
        '4 fra-4 (disabled): Servers 24%; Memory 38%; Cores 38%; Local 40%.',
    );
  });

  it('keeps to what Discord takes, and says what it leaves out', () => {
    for (const chart of Object.values(cases)) expect(described(chart).length).toBeLessThanOrEqual(1024);
    const long = chartOf(Array.from({ length: 40 }, (_, i) => entry(i, { name: 'x'.repeat(500) })));
    expect(described(long)).toMatch(/ \d+ more in the picture\.$/);
    expect(described(long).length).toBeLessThanOrEqual(1024);
  });
});
