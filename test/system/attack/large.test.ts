import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLine } from '../../../src/ledger/chain.ts';
import { large } from '../../helpers/audit/large.ts';
import { answerTo, textOf } from '../../helpers/messages.ts';
import { openStage, type Stage } from '../../helpers/stage.ts';

/** How long until the bot has taken what carol types, in ms; and again until `isOver`. */
async function acknowledgements(stage: Stage, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  // No more than what one person may ask at once.
  while (!isOver() && waits.length < 12) {
    const from = performance.now();
    const id = await stage.discord.type('carol', 'ops', '/help');
    const isTaken = () => stage.discord.requests.some(({ path }) => path.startsWith(`/interactions/${id}/`));
    await stage.discord.until(isTaken, 60_000);
    waits.push(performance.now() - from);
  }
  return waits;
}

describe('with a ledger of 40,000 entries', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    mkdirSync(stage.dir, { mode: 0o700 });
    const lines = large(40_000).map((entry) => `${toLine(entry)}\n`);
    writeFileSync(join(stage.dir, 'ledger.jsonl'), lines.join(''), { mode: 0o600 });
    await stage.start();
  }, 120_000);
  afterAll(() => stage.stop());

  it.each([
    ['/audit verify', 'The ledger is whole: 40,00'],
    ['/audit export format:csv', 'larger than 8 MiB'],
  ])('nobody waits for %s but who typed it', async (line, says) => {
    const from = performance.now();
    const id = await stage.discord.type('alice', 'ops', line);
    let took = 0;
    const answered = stage.discord
      .until(
        () => stage.discord.messages('alice', 'ops').find((each) => each.answers === id && textOf(each).includes(says)),
        90_000,
      )
      .finally(() => {
        took = performance.now() - from;
      });
    const waits = await acknowledgements(stage, () => took > 0);
    await answered;
    // It takes seconds on any machine. Whoever is held up by it waits for most of them.
    expect(Math.max(...waits)).toBeLessThan(took / 2);
  });

  it('several checks at once are one, and a look into the ledger waits for none of them', async () => {
    const checks = await Promise.all([1, 2, 3].map(() => stage.discord.type('alice', 'ops', '/audit verify')));
    const look = await stage.discord.type('alice', 'ops', '/audit history');
    await answerTo(stage, look, ['SUCCEEDED']);
    const isOver = (id: string) => stage.discord.messages('alice', 'ops').find((each) => each.answers === id);
    for (const id of checks) expect(textOf(isOver(id) ?? expect.fail())).not.toContain('The ledger is whole');
    for (const id of checks)
      await stage.discord.until(() => /The ledger is whole/.test(textOf(isOver(id) ?? expect.fail())), 60_000);
  });
});
