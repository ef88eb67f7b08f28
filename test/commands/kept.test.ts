import { describe, expect, test } from 'vitest';
import { keptOf } from '../../commands/firewall-look.ts';

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

describe('the rules that are kept', () => {
  test('are texts with their members in order: the same rules give the same hash', () => {
    const kept = keptOf([{ port: '22', id: 1, action: 'accept' }, 'x'], 'primary');
    expect(kept).toEqual({
      interface: 'primary',
      count: 2,
      sha256: '7761ed37992b23c245eb8017562694436be1e68d56113a719355f25fb8a066ac',
      rules: ['{"action":"accept","id":1,"port":"22"}', '"x"'],
    });
    expect(keptOf([{ action: 'accept', id: 1, port: '22' }, 'x'], 'secondary').sha256).toBe(kept.sha256);
  });

  test.each([
    ['another value', [{ port: '23', id: 1, action: 'accept' }, 'x']],
    ['another order', ['x', { port: '22', id: 1, action: 'accept' }]],
    ['one more', [{ port: '22', id: 1, action: 'accept' }, 'x', 'x']],
    ['a number for a text', [{ port: 22, id: 1, action: 'accept' }, 'x']],
  ])('%s gives another hash', (_what, rules) => {
    expect(keptOf(rules, 'primary').sha256).not.toBe(
      keptOf([{ port: '22', id: 1, action: 'accept' }, 'x'], 'primary').sha256,
    );
  });

  test('are left out beyond 128 KiB, and counted', () => {
    const [fits, over] = [131_072 - 2, 131_072 - 1].map((length) => keptOf(['x'.repeat(length)], 'primary'));
    expect([fits?.rules?.length, over?.rules, over?.count]).toEqual([1, undefined, 1]);
  });

  test('are left out where they are nested as no rule is, whatever the depth', () => {
    expect(keptOf([deep(20)], 'primary').rules).toHaveLength(1);
    expect(keptOf([deep(21)], 'primary').rules).toBeUndefined();
    expect(keptOf([JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)], 'primary').rules).toBeUndefined();
  });
});
