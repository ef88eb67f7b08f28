import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seal } from '../../../src/ledger/chain.ts';
import { alerts, startHere, types, verified } from '../../helpers/bot-here.ts';
import { entriesIn, fileIn, overwrite } from '../../helpers/ledger/reading.ts';
import { changes, textOf } from '../../helpers/messages.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';
import { contents, posted, reaches } from '../../helpers/trail/process.ts';
import { rangesOf } from '../../helpers/trail/ranges.ts';

/** A bot that is down, after some changes; of the messages of the trail, the range of the one with that entry. */
async function history(around: Surroundings) {
  const bot = await startHere(around);
  for (const server of ['web-1', 'web-2', 'web-3']) {
    expect(await types(around, `/firewall enable server:${server} reason:"after maintenance"`)).toContain('SUCCEEDED');
    await reaches(around.discord, () => entriesIn(bot.dir).length);
  }
  await bot.stops();
  await reaches(around.discord, () => entriesIn(bot.dir).length);
  const ranges = rangesOf(contents(around.discord));
  return { dir: bot.dir, ranges, last: entriesIn(bot.dir).length };
}

/** Another reason in the first intent, and everything from there on sealed again. */
function rewrite(dir: string): number {
  const entries = entriesIn(dir);
  const at = entries.findIndex(({ kind }) => kind === 'intent');
  for (const [i, old] of entries.entries()) {
    if (i < at) continue;
    const { seq, time, prev: _p, hash: _h, ...entry } = old;
    const changed = i === at && 'options' in entry ? { ...entry, options: { ...entry.options, reason: 'x' } } : entry;
    entries[i] = seal(changed, seq, time, entries[i - 1]?.hash ?? '');
  }
  overwrite(dir, entries);
  return at + 1;
}

const words = (from: number, to: number): string => (from === to ? `entry ${from}` : `entries ${from} to ${to}`);

describe('Investigating a ledger that differs from the channel', () => {
  it.each([
    ['rewritten from an entry on', rewrite],
    [
      'cut off at its end',
      (dir: string) => {
        const kept = entriesIn(dir).slice(0, -4);
        overwrite(dir, kept);
        return kept.length + 1;
      },
    ],
    [
      'deleted, and begun again',
      (dir: string) => {
        rmSync(fileIn(dir));
        return 1;
      },
    ],
  ])(
    'is told which entries, when it was %s',
    async (_how, tamper) => {
      const around = await surroundings();
      const { dir, ranges, last } = await history(around);
      const first = tamper(dir);
      const touched = ranges.filter(([, to]) => to >= first);
      const [[from, upTo] = [0, 0]] = touched;
      const bot = await startHere(around, { dir, newLedger: first === 1 });
      const alert = textOf(await around.discord.until(() => alerts(around)[0]));
      expect(alert).toContain(`${words(from, last)}, up to this [message]`);
      await reaches(around.discord, () => entriesIn(dir).length);

      const begin = from === upTo ? `entry ${from}` : `one of entries ${from} to ${upTo}`;
      const told = await types(around, '/audit verify');
      expect(told).toContain('FAILED /audit verify');
      expect(told).toMatch(/^The ledger's own chain is whole \(\d+ entries, head `\w+`\); it contradicts/m);
      expect(told).toContain(`it contradicts the audit channel from ${begin} on (${touched.length} messages):`);
      expect(told).toContain(`- ${words(from, last)}: ${touched.length} messages, from this [message](`);
      expect(told).not.toMatch(/ledger is whole|nothing/i);
      await bot.stops();

      const range = `#${from}–#${last}`;
      const ids = posted(around.discord).slice(ranges.length - touched.length, ranges.length);
      const checked = await verified(around.discord, dir);
      expect(checked.code).toBe(1);
      expect(checked.out).toContain(
        `channel: ${range} contradicts the ledger: ${touched.length} messages, the first ${ids[0]?.id}, the last ${ids.at(-1)?.id} (not acknowledged)`,
      );

      // What stands there for good is named for good, and said to be acknowledged.
      await startHere(around, { dir });
      expect(await types(around, '/audit acknowledge finding:all reason:"restored by bob"')).toContain('SUCCEEDED');
      await reaches(around.discord, () => entriesIn(dir).length);
      const settled = await types(around, '/audit verify');
      expect(settled).toContain('Check of ledger and trail');
      expect(settled).toContain(`it contradicts the audit channel from ${begin} on (${touched.length} messages):`);
      expect(settled).toContain('The findings about it have been acknowledged.');
      expect(settled).not.toMatch(/ledger is whole|nothing/i);
    },
    120_000,
  );
});

describe('A ledger that somebody changes while the bot runs', () => {
  /** In the second entry, a letter of the same length elsewhere in its line. */
  function change(dir: string, of = 'panelops'): void {
    const text = readFileSync(fileIn(dir), 'utf8');
    const at = text.indexOf(of, text.indexOf('\n'));
    writeFileSync(fileIn(dir), `${text.slice(0, at)}P${text.slice(at + 1)}`);
  }

  it('stops all changes as soon as a check finds it, and those who may acknowledge are told what to do, once', async () => {
    const around = await surroundings();
    const bot = await startHere(around);
    expect(await types(around, '/firewall enable server:web-1')).toContain('SUCCEEDED');
    await reaches(around.discord, () => entriesIn(bot.dir).length);
    const before = readFileSync(fileIn(bot.dir), 'utf8');
    change(bot.dir, 'firewall');
    const sent = changes(around).length;

    const told = await types(around, '/audit verify');
    expect(told).toContain('The ledger is damaged at entry 2: ');
    expect(told).toContain('**Nothing may change.** Type /audit export');
    const alert = await around.discord.until(() => alerts(around)[0]);
    expect(alert.pinged).toEqual(['alice']);
    expect(textOf(alert)).toMatch(/^ALERT Ledger · not as it was written, at entry 2 /);
    expect(textOf(alert)).toContain('/audit export');
    const refused = await types(around, '/firewall enable server:web-2');
    expect(refused).toContain('UNAVAILABLE /firewall enable');
    expect(refused).toContain('The stored ledger is not as the bot wrote it');
    expect(refused).toContain('/audit verify found it broken at entry 2.');
    expect(await types(around, '/panel check')).toContain('/audit verify found it broken at entry 2.');
    expect(await types(around, '/audit acknowledge finding:all reason:fine')).toContain('No finding is open.');
    expect(await types(around, '/audit verify')).toContain('FAILED');
    expect(alerts(around)).toHaveLength(1);
    expect(changes(around)).toHaveLength(sent);

    // In place, with what was recorded since.
    const now = readFileSync(fileIn(bot.dir), 'utf8');
    writeFileSync(fileIn(bot.dir), before + now.slice(before.length));
    expect(await types(around, '/audit verify')).toContain('Check of ledger and trail');
    expect(await types(around, '/firewall enable server:web-2')).toContain('SUCCEEDED');
  }, 120_000);

  it.each([
    [
      'cut off at its end',
      (dir: string) => overwrite(dir, entriesIn(dir).slice(0, -1)),
      /it ends at entry \d+, and entry \d+ was written/,
    ],
    [
      'rewritten, with a chain that is sound',
      (dir: string) => void rewrite(dir),
      /entry \d+ is not the one that was written/,
    ],
  ])(
    'is found by a check although its chain is whole: it was %s',
    async (_how, tamper, found) => {
      const around = await surroundings();
      const bot = await startHere(around);
      expect(await types(around, '/firewall enable server:web-1 reason:"y"')).toContain('SUCCEEDED');
      await reaches(around.discord, () => entriesIn(bot.dir).length);
      tamper(bot.dir);
      const told = await types(around, '/audit verify');
      expect(told).toMatch(/The ledger is damaged at entry \d+: /);
      expect(told).toMatch(found);
      const alert = await around.discord.until(() => alerts(around)[0]);
      expect(textOf(alert)).toMatch(found);
      expect(await types(around, '/firewall enable server:web-2')).toContain('UNAVAILABLE');
    },
    120_000,
  );
});
