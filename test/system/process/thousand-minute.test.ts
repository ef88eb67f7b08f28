/** In a minute that began before: the panel's clock says so. See thousand.test.ts. */
import { expect, it } from 'vitest';
import { startBot } from '../../helpers/bot-process.ts';
import { crowd, recorded, statuses, waits } from '../../helpers/follow-ups/crowd.ts';

it('1,000 follow-ups at once have 480 of 600 requests a minute: the rest is left to people, and the next minute goes on', {
  timeout: 90_000,
}, async () => {
  let behind = 44_000;
  const all = await crowd(1_000, { requestsPerMinute: 600, now: () => new Date(Date.now() - behind) });
  await startBot(all, { dir: await recorded(all), env: { LOG_LEVEL: 'warn' } });
  // The minute begins with the try of the start, and 44 seconds of it are over.
  const begun = await all.panel.until(() => all.panel.requests[0]?.at.getTime(), 25_000);
  behind = 0;
  const ends = begun + 60_000;
  // Somebody else with the token has 420 of it.
  const headers = { authorization: `Bearer ${all.panel.token}` };
  for (let count = 0; count < 420; count += 1) await (await fetch(`${all.panel.url}/connect`, { headers })).text();
  await all.panel.until(() => all.panel.requests.length >= 480, 26_000);
  const meanwhile = [...(await waits(all, 'alice')), ...(await waits(all, 'bob'))];
  await all.panel.until(() => all.looks().length >= 100, 26_000);

  expect(statuses(all)).toEqual([200]);
  expect(Math.max(...meanwhile)).toBeLessThan(1_000);
  const looks = all.looks().slice(1);
  const before = looks.filter(({ at }) => at < ends);
  expect(before).toHaveLength(58);
  // Eight a second: forty of them take five.
  for (const [count, { at }] of before.slice(40).entries()) {
    expect(at - (before[count]?.at ?? 0)).toBeGreaterThan(4_000);
  }
  expect(looks[58]?.at).toBeLessThan(ends + 3_000);
});
