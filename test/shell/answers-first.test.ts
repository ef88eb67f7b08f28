import { expect, test } from 'vitest';
import { createAnswersFirst } from '../../src/shell/answers-first.ts';

test('other work goes on once no first answer is being prepared', async () => {
  const first = createAnswersFirst();
  const said: string[] = [];
  const slowDisk = new Promise<void>((resolve) => {
    setTimeout(() => {
      said.push('stored');
      resolve();
    }, 20);
  });
  const answering = first.preparing(slowDisk).then(() => said.push('answered'));
  const working = first.turn().then(() => said.push('worked'));
  await Promise.all([answering, working]);
  expect(said).toEqual(['stored', 'answered', 'worked']);
});

test('an answer that cannot be prepared holds up nobody', async () => {
  const first = createAnswersFirst();
  await expect(first.preparing(Promise.reject(new Error('the disk is broken')))).rejects.toThrow('the disk is broken');
  await first.turn();
});

test('work waits a quarter of a second at most, however long answers take', async () => {
  const first = createAnswersFirst();
  void first.preparing(new Promise(() => undefined));
  const begun = performance.now();
  await first.turn();
  expect(performance.now() - begun).toBeGreaterThanOrEqual(249);
});

test('many go on in the order in which they came, a few in each turn of the event loop', async () => {
  const first = createAnswersFirst();
  const went: number[] = [];
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (went.length < 20) setImmediate(count);
  };
  count();
  const all = Array.from({ length: 20 }, (_, at) => first.turn().then(() => went.push(at)));
  await Promise.all(all);
  expect(went).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(turns).toBeGreaterThanOrEqual(3);
});
