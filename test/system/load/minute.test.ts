/** In a minute that began before: the panel's clock says so. See thousand.test.ts. */
import { expect, it } from 'vitest';
import { startBot } from '../../helpers/bot-process.ts';
import { crowd, recorded, statuses, waits } from '../../helpers/follow-ups/crowd.ts';

it('1,000 follow-ups at once have 480 of 600 requests a minute: the rest is left to people, and the next minute goes on', async () => {
  const over = 44_000;
  let behind = over;
  const all = await crowd(1_000, { requestsPerMinute: 600, now: () => new Date(Date.now() - behind) });
  await startBot(all, { dir: await recorded(all), env: { LOG_LEVEL: 'warn' } });
  // The minute begins with the try of the start, and 44 seconds of it are over a moment later.
  const begun = await all.panel.until(() => all.panel.requests[0]?.at.getTime(), 25_000);
  behind = 0;
  const ends = begun + 60_000;
  // Somebody else with the token has 420 of it.
  const headers = { authorization: `Bearer ${all.panel.token}` };
  for (let count = 0; count < 420; count += 1) await (await fetch(`${all.panel.url}/connect`, { headers })).text();
  await all.panel.until(() => all.panel.requests.length >= 480, 26_000);
  await waits(all, 'alice');
  await waits(all, 'bob');
  const answered = Date.now();
  await all.panel.until(() => all.looks().length >= 100, 26_000);

  expect(statuses(all)).toEqual([200]);
  expect(answered).toBeLessThan(ends);
  const looks = all.looks().slice(1);
  const before = looks.filter(({ at }) => at < ends);
  expect(before).toHaveLength(58);
  // Eight a second, and none before its turn. On a machine that has no time for the bot, some are late and come together.
  for (const [count, { at }] of before.entries()) {
    expect(at - begun - over).toBeGreaterThan(count * 125 - 500);
  }
  expect(looks[58]?.at).toBeLessThan(ends + 10_000);
});
