import { expect, it, onTestFinished } from 'vitest';
import { message, types, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();

it('works in more windows of one browser than it has connections to a host', async () => {
  const first = await visit.open('alice');
  for (let n = 2; n <= 8; n += 1) {
    const next = await first.context().newPage();
    await next.goto(`${visit.page.url}/#alice/random`);
    await next.getByRole('heading', { name: 'Welcome to #random' }).waitFor();
  }
  const last = await first.context().newPage();
  await last.goto(`${visit.page.url}/#bob/ops`);
  await types(last, 'hello from the ninth');
  await message(last, 'hello from the ninth').waitFor();
  await message(first, 'hello from the ninth').waitFor();
});

it('leads an address with a person who is not there to somebody who is', async () => {
  const tab = await visit.open('bob');
  await tab.goto(`${visit.page.url}/#eve/random`);
  await expect.poll(() => new URL(tab.url()).hash).toBe('#alice/random');
  await tab.getByRole('heading', { name: 'Welcome to #random' }).waitFor();
});

it('keeps up with a burst: of a thousand states of a channel it reads a few, and ends at the newest', async () => {
  const tab = await visit.open('alice');
  await tab.evaluate(() => {
    const { parse } = JSON;
    Object.assign(globalThis, { parsed: 0 });
    JSON.parse = (text: string) => {
      if (text.startsWith('{"event":"view"'))
        Object.assign(globalThis, { parsed: Reflect.get(globalThis, 'parsed') + 1 });
      return parse(text);
    };
  });
  for (let n = 1; n <= 1_000; n += 1) {
    await visit.world.discord.type('bob', 'ops', `burst ${n}`);
    await new Promise((next) => setImmediate(next));
  }
  await visit.world.discord.type('bob', 'ops', 'the end of the burst');
  await message(tab, 'the end of the burst').waitFor();
  expect(await tab.evaluate(() => Reflect.get(globalThis, 'parsed'))).toBeLessThan(500);
});

it('waits 15 s for an answer, and does not say then that nothing was done', async () => {
  const tab = await visit.open('carol');
  // In this tab a second takes as long as 15 s.
  await tab.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 15);
  });
  await tab.route('**/act/type', () => undefined);
  onTestFinished(() => tab.unrouteAll());
  await tab.locator('#composer').fill('into nowhere');
  const from = performance.now();
  await tab.keyboard.press('Enter');
  await tab
    .getByText('No answer from the sandbox for 15 seconds. It may still be done: look here before')
    .waitFor({ timeout: 30_000 });
  expect(performance.now() - from).toBeGreaterThan(990);
  visit.wrong.length = 0;
});
