import { expect, it } from 'vitest';
import { nonceFor } from '../../src/trail/position.ts';
import { describeEachPlace } from '../helpers/ledger/places.ts';
import { chain, denial } from '../helpers/record/entries.ts';
import {
  audit,
  begun,
  contents,
  isSeamless,
  linesOf,
  ownDiscord,
  posted,
  reaches,
  several,
  spans,
  startTrailProcess,
} from '../helpers/trail/process.ts';

const numbers = (discord: Parameters<typeof linesOf>[0]): number[] =>
  linesOf(discord).map((line) => Number(/`owner (\d+)`/.exec(line)?.[1] ?? 0));
const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1);

describeEachPlace('The trail', (place) => {
  const open = async (options: Parameters<typeof startTrailProcess>[2] = {}) => {
    const discord = await ownDiscord();
    const poster = await startTrailProcess(discord, place(), options);
    return { discord, ...poster, head: () => poster.ledger.head().seq };
  };

  it('posts each entry once and in order, from the first start on that named the channel', async () => {
    const { discord, append, head } = await open();
    await append([...several(3, 90), begun]);
    for (const first of [1, 21, 41]) await append(several(20, first));
    await reaches(discord, head);
    expect(isSeamless(discord, 4)).toBe(true);
    expect(numbers(discord).slice(1)).toEqual(upTo(60));
    expect(linesOf(discord)[0]).toContain('STARTED panelops');
  });

  it('notifies nobody: silent, without pings, without previews', async () => {
    const { discord, append, head } = await open();
    const alice = { id: '1400000000000000001', name: 'alice' };
    await append([begun, denial(alice, 'power.boot')]);
    await reaches(discord, head);
    expect(posted(discord).flatMap(({ pinged, mentions }) => [...pinged, ...mentions.users])).toEqual([]);
    expect(posted(discord).every(({ silent }) => silent)).toBe(true);
    const bodies = discord.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith(`${audit}/messages`),
    );
    expect(bodies.length).toBeGreaterThan(0);
    for (const { body } of bodies) expect(body).toMatchObject({ flags: 4096 | 4, allowed_mentions: { parse: [] } });
  });

  it('posts its last line at a stop, also when Discord refuses it at first', async () => {
    const { discord, append, head, trail } = await open();
    await append([begun]);
    await reaches(discord, head);
    discord.order({ kind: 'status', status: 503, match: { method: 'POST' }, times: 3 });
    await append(several(1, 1));
    await trail.close();
    expect(numbers(discord).slice(1)).toEqual([1]);
  });

  it('brings all lines after an outage of Discord, once and in order', async () => {
    const { discord, append, head, log } = await open();
    await append([begun]);
    await reaches(discord, head);
    discord.order({ kind: 'outage' });
    for (const at of upTo(200)) await append(several(1, at));
    await expect.poll(() => log.messages).toContain('cannot post the trail yet: will retry');
    discord.clear();
    await reaches(discord, head);
    expect(isSeamless(discord)).toBe(true);
    expect(numbers(discord).slice(1)).toEqual(upTo(200));
  });

  it.each(['reset', 'close'] as const)(
    'posts once where Discord took a message and the answer was lost (%s)',
    async (by) => {
      const { discord, append, head } = await open();
      await append([begun]);
      await reaches(discord, head);
      discord.order({
        kind: 'lose-request',
        by,
        match: { method: 'POST', path: `/channels/${audit}/messages` },
        times: 2,
      });
      await append(several(1));
      await reaches(discord, head);
      await append(several(1, 2));
      await reaches(discord, head);
      expect(spans(discord)).toEqual(['1-1', '2-2', '3-3']);
    },
  );

  it('goes on where the channel ends, whichever process begins, also when Discord has forgotten the nonces', async () => {
    let ahead = 0;
    const discord = await ownDiscord({ now: () => Date.now() + ahead });
    const shelf = place();
    for (const at of upTo(5)) {
      ahead += 20 * 60_000;
      const { append, trail, ledger } = await startTrailProcess(discord, shelf);
      await append([...(at === 1 ? [begun] : []), ...several(10, at * 10 - 9)]);
      await reaches(discord, () => ledger.head().seq);
      await trail.close();
      await ledger.close();
    }
    expect(isSeamless(discord)).toBe(true);
    expect(numbers(discord).slice(1)).toEqual(upTo(50));
  });

  it('is not delayed by somebody who is denied again and again', async () => {
    const { discord, append, head } = await open();
    await append([begun]);
    await reaches(discord, head);
    const before = contents(discord).length;
    const mallory = { id: '1400000000000000004', name: 'mallory' };
    const flood = (n: number) => Array.from({ length: n }, () => denial(mallory));
    const own = (entry: ReturnType<typeof denial>, at: number) => ({ ...entry, run: `byb7k49z46bk${at}.1` });
    await append([...flood(2_000).map(own), ...several(1), ...flood(1_000).map((entry, at) => own(entry, at + 2_000))]);
    await reaches(discord, head);
    const after = contents(discord).slice(before);
    expect(after.length).toBeLessThanOrEqual(3);
    expect(after.join('\n')).toMatch(/`owner 1`/);
    expect(after.join('\n').match(/DENIED ×/g)?.length).toBeLessThanOrEqual(3);
  });

  it('posts the newest lines again when somebody deletes them, as often as that happens', async () => {
    const { discord, append, head } = await open();
    await append([begun]);
    await reaches(discord, head);
    for (const at of upTo(3)) {
      await append(several(1, at));
      await reaches(discord, head);
      discord.deleteMessage('alice', posted(discord).at(-1)?.id ?? '');
      await append(several(1, at + 100));
      await reaches(discord, head);
    }
    expect(isSeamless(discord)).toBe(true);
    expect(
      numbers(discord)
        .slice(1)
        .filter((n) => n > 0),
    ).toEqual([1, 101, 2, 102, 3, 103]);
    expect(linesOf(discord).filter((line) => line.includes('TRAIL CHANGED deleted'))).toHaveLength(3);
  });

  it('says once that the ledger was cut off, and goes on from there', async () => {
    const discord = await ownDiscord();
    const shelf = place();
    const first = await startTrailProcess(discord, shelf);
    await first.append([begun, ...several(5)]);
    await reaches(discord, () => 6);
    await first.trail.close();
    await first.ledger.close();
    await shelf.write((await shelf.lines()).slice(0, 3));
    const second = await startTrailProcess(discord, shelf);
    await second.append(several(2, 50));
    await discord.until(
      () => linesOf(discord).at(-1)?.includes('`owner 51`') || linesOf(discord).at(-1)?.includes('ahead'),
    );
    await second.append(several(1, 60));
    await discord.until(() => linesOf(discord).at(-1)?.includes('`owner 60`'));
    const found = second.ledger
      .entries()
      .slice()
      .flatMap((entry) => (entry.kind === 'tampered' ? [entry.finding] : []));
    expect(found).toEqual(['ahead']);
    expect(linesOf(discord).filter((line) => line.includes('TRAIL CHANGED ahead'))).toHaveLength(1);
  });
});

it('Whoever posts the same entries says the same nonce, and another one for others', () => {
  const [one, same, other] = [several(3), several(3), several(3, 2)].map((more) => chain([begun, ...more]));
  const nonces = [one, same, other].map((entries = []) => nonceFor(entries, 2));
  expect(nonces[0]).toMatch(/^trail-2-[0-9a-f]{8}$/);
  expect(nonces[1]).toBe(nonces[0]);
  expect(nonces[2]).not.toBe(nonces[0]);
});
