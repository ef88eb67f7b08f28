import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenBy, now, prepared } from '../helpers/commands/typed.ts';

const base = { server: 'web-1', reason: 'lost update' };

/** The disks, chains and times of the one request. */
async function sent(raw: Record<string, string>): Promise<unknown> {
  const change = prepared('backup.restore', { ...base, ...raw });
  const inputs: unknown[] = [];
  for (const server of change.servers)
    await change.attempt(server, (_endpoint, input) => {
      inputs.push(input);
      return Promise.resolve({ kind: 'yes', data: undefined as never });
    });
  expect(inputs).toHaveLength(1);
  return inputs[0];
}
const untilOf = async (time: string): Promise<unknown> => sent({ disks: '0', until: `0=${time}` });
const broken = (raw: Record<string, string>): string => brokenBy('backup.restore', { ...base, ...raw });

describe('the point in time of a disk', () => {
  it.each(['2026-02-30 12:00', '1795125600000'])('is written as any other time: not %s', (time) => {
    expect(broken({ disks: '0', until: `0=${time}` })).toMatch(
      /^until: this is not a time\. Write 2h or 3d \(ago\), 22:00/,
    );
  });

  it.each(['0=', '0', '=6h', '0=6h=7h'])('is with its disk: %s', (until) => {
    expect(broken({ disks: '0', until })).toBe(
      'until: this is not a time. Write 6h, 3d, 22:00 or "yesterday 22:00"; for each disk: 0=22:00,1=6h',
    );
  });

  it('holds for every disk where no disk is named, but for those with a chain or a time of their own', async () => {
    expect(await sent({ disks: '0,1', until: 'yesterday 22:00' })).toEqual({
      ...{ serverId: 101, disks: ['0', '1'] },
      diskUntils: { 0: 1_795_039_200, 1: 1_795_039_200 },
    });
    expect(await sent({ disks: '0,1,2', chains: '0=17', until: '6h,1=22:00' })).toEqual({
      ...{ serverId: 101, disks: ['0', '1', '2'], diskChains: { 0: 17 } },
      diskUntils: { 1: 1_795_125_600, 2: 1_795_104_000 },
    });
    expect(prepared('backup.restore', { ...base, disks: '0', until: '6h' }).options['until']).toBe('1795104000');
    expect(broken({ disks: '0', until: '2026-11-19 22:01' })).toBe('until: the time is in the future');
    expect(broken({ disks: '0', chains: '0=17', until: '6h' })).toBe(
      'until: every disk has a chain or a time of its own already',
    );
  });

  it.each(['2026-11-19 22:01', '1795125601', '2027-01-01 00:00'])('is not in the future: %s', (time) => {
    expect(broken({ disks: '0,1', until: `1=${time}` })).toBe('until: the time of disk 1 is in the future');
  });

  it('means the same in every form', async () => {
    const minutes = fc.integer({ min: 0, max: 9999 });
    await fc.assert(
      fc.asyncProperty(minutes, async (ago) => {
        const seconds = 1_795_125_600 - ago * 60;
        const written = new Date(seconds * 1000).toISOString().slice(0, 16);
        const expected = { serverId: 101, disks: ['0'], diskUntils: { 0: seconds } };
        for (const time of [`-${ago}m`, `${seconds}`, written, written.replace('T', ' ')])
          expect(await untilOf(time)).toEqual(expected);
      }),
    );
  });

  it('stays the point in time that it was, however long the question is open', () => {
    const first = prepared('backup.restore', { ...base, disks: '0', until: '0=-6h' });
    expect(first.options['until']).toBe('0=1795104000');
    expect(prepared('backup.restore', first.options, now + 290_000).options).toEqual(first.options);
  });
});

describe('disks, chains and times fit each other', () => {
  it.each([
    ['no disk', { disks: ' , ' }, 'disks: a restore needs at least one disk'],
    ['a disk twice', { disks: '0,1,00' }, 'disks: a disk is listed twice'],
    ['a disk by name', { disks: 'vda' }, 'disks: disk numbers with commas, such as 0,1'],
    ['a negative disk', { disks: '-1' }, 'disks: disk numbers with commas, such as 0,1'],
    ['a chain of a disk that is not listed', { disks: '0', chains: '1=17' }, 'chains: disk 1 is not in disks'],
    ['a time of a disk that is not listed', { disks: '0', until: '1=-6h' }, 'until: disk 1 is not in disks'],
    [
      'both for one disk',
      { disks: '0,1', chains: '0=17', until: '00=-6h' },
      'until: disk 0 has a chain already: a chain or a time, not both',
    ],
    ['two chains of a disk', { disks: '0', chains: '0=17,0=18' }, 'chains: disk 0 is named twice'],
    ['two times of a disk', { disks: '0', until: '0=-6h,00=-7h' }, 'until: disk 0 is named twice'],
    ['chain zero', { disks: '0', chains: '0=0' }, 'chains: disk=chain with commas, such as 0=17,1=18'],
    ['a chain that is no number', { disks: '0', chains: '0=a' }, 'chains: disk=chain with commas, such as 0=17,1=18'],
    ['a chain without a disk', { disks: '0', chains: '17' }, 'chains: disk=chain with commas, such as 0=17,1=18'],
    ['two signs', { disks: '0', chains: '0=1=2' }, 'chains: disk=chain with commas, such as 0=17,1=18'],
  ])('%s is refused', (_what, raw, rule) => {
    expect(broken(raw)).toBe(rule);
  });

  it('sends each disk with where it comes from, and asks so', async () => {
    const raw = { disks: '0, 1,2', chains: '0=17', until: '1=2026-11-19 21:00' };
    expect(await sent(raw)).toEqual({
      serverId: 101,
      disks: ['0', '1', '2'],
      diskChains: { 0: 17 },
      diskUntils: { 1: 1_795_122_000 },
    });
    const question = prepared('backup.restore', { ...base, ...raw })
      .question([])
      .map(({ markup }) => markup);
    expect(question[0]).toMatch(/^Disks 0, 1 and 2 of web-1 \(101\) will be overwritten from its backups\./);
    expect(question).toContain(
      'Disk 0: chain 17. ' +
        'Disk 1: 19 Nov 2026, 21:00 UTC (<t:1795122000:f> for you, <t:1795122000:R>). ' +
        '**No time or chain was chosen** for disk 2: the panel picks. To choose: Cancel, and add a time, such as `until:6h`.',
    );
  });

  it('leaves chains and times out of the request where none are named', async () => {
    expect(await sent({ disks: '7' })).toEqual({ serverId: 101, disks: ['7'] });
  });
});
