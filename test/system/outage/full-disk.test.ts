import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportLedger } from '../../../src/audit/export.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { forThis } from '../../helpers/lives.ts';
import {
  asks,
  changes,
  historyOf,
  idOf,
  messageOf,
  presses,
  stateOf,
  textOf,
  typed,
  until,
  whisperAfter,
} from '../../helpers/messages.ts';
import { large } from '../../helpers/record/entries.ts';
import { openStage } from '../../helpers/stage.ts';
import { canFillDisk, limitFiles } from '../../soak/bot.ts';

const exporting = (from: string, to: string): string => `
  import { readFileSync } from 'node:fs';
  import { exportLedger } from '${new URL('../../../dist/src/audit/export.js', import.meta.url).href}';
  const entries = JSON.parse(readFileSync('${from}', 'utf8'));
  const say = (line) => console.log(line);
  console.log(await exportLedger({ format: 'jsonl', out: '${to}' }, entries, say, { say }));`;

/** Left out where no disk can be made full for one process: that takes prlimit (util-linux). */
describe.skipIf(!canFillDisk)('a process whose disk is full', () => {
  it('never shows WORKING of a change that nobody would know of after a crash; reads go on', async () => {
    const stage = await forThis(openStage());
    const bot = await stage.start();
    // No file of the bot's grows any more.
    limitFiles(bot.pid, 0);
    // Whatever becomes of it later, the first answer is all that Discord takes.
    stage.discord.order({ kind: 'delay', ms: 600_000, match: { method: 'PATCH', path: '/webhooks/*' } });
    const lines = [
      '/power boot server:web-1',
      '/firewall flush server:web-1',
      '/follow-ups stop server:web-1',
      '/incident start title:x',
    ];
    const cards = await Promise.all(lines.map((line) => typed(stage, line, ['UNAVAILABLE'])));
    expect(textOf(cards[0] ?? expect.fail('no card')).replace(/run \w+$/, 'run R')).toMatchInlineSnapshot(`
      "UNAVAILABLE /power boot · web-1 (101, production)
      The bot cannot record that this is under way, so changes are refused. Nothing was sent.
      Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Reads still work.
      run R"
    `);
    stage.discord.clear();
    await typed(stage, '/firewall show server:web-1', ['SUCCEEDED'], 'carol');

    await bot.end('SIGKILL');
    await stage.start();
    await typed(stage, '/power boot server:web-2', ['ACCEPTED']);
    expect(cards.map(({ id }) => stateOf(messageOf(stage, id)))).toEqual(cards.map(() => 'UNAVAILABLE'));
    expect(changes(stage).map(({ path }) => path)).toEqual(['/servers/102/power/boot']);
  });

  it('changes again as soon as there is room, and says of what it turned away that it did', async () => {
    const stage = await forThis(openStage());
    const bot = await stage.start();
    limitFiles(bot.pid, 0);
    const card = await typed(stage, '/power boot server:web-1', ['UNAVAILABLE']);
    limitFiles(bot.pid, 'unlimited');
    await until(() => historyOf(stage, card).includes('unavailable'), 'its end to be recorded');
    await typed(stage, '/power boot server:web-2', ['ACCEPTED']);
    expect(historyOf(stage, card)).toEqual(['unavailable']);
    expect(changes(stage).map(({ path }) => path)).toEqual(['/servers/102/power/boot']);
  });

  it('shows nothing as cancelled before that is recorded: a Confirm of long ago does not bring it back', async () => {
    const stage = await forThis(openStage());
    const bot = await stage.start();
    const card = await asks(stage, '/firewall flush server:web-1');
    const confirm = idOf(card, 'Confirm');
    limitFiles(bot.pid, 0);
    const cancel = () => presses(stage, card, 'Cancel');
    expect(await whisperAfter(stage, card, 'alice', cancel)).toContain('UNAVAILABLE');
    await bot.end('SIGKILL');
    const next = await stage.start();
    expect([stateOf(messageOf(stage, card.id)), historyOf(stage, card)]).toEqual(['QUESTION', ['asked']]);
    await cancel();
    await stage.discord.until(() => stateOf(messageOf(stage, card.id)) === 'CANCELLED');
    expect(historyOf(stage, card)).toEqual(['asked', 'cancelled']);
    await next.end('SIGKILL');
    await stage.start();
    // A client that still shows the question.
    const late = await whisperAfter(stage, card, 'alice', () => stage.discord.forge('alice', card.id, confirm));
    expect(late).toContain('`alice` cancelled this');
    expect([historyOf(stage, card), changes(stage)]).toEqual([['asked', 'cancelled'], []]);
  });

  it('leaves no half of an export, and the next one gets its name', async () => {
    const [dir, entries] = [folder(), large(20)];
    const at = (name: string): string => join(dir, name);
    writeFileSync(at('entries.json'), JSON.stringify(entries));
    // A write that passes 1000 bytes is a short one.
    const { stdout, stderr } = spawnSync(
      'prlimit',
      [...['--fsize=1000:', process.execPath, '--input-type=module', '-e'], exporting(at('entries.json'), at('out'))],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    expect([stdout, stderr]).toEqual([`${at('out')} cannot be written (EFBIG).\n1\n`, '']);
    expect(readdirSync(dir)).toEqual(['entries.json']);
    const quiet = (): void => undefined;
    expect(await exportLedger({ format: 'jsonl', out: at('out') }, entries, quiet, { say: quiet })).toBe(0);
  });
});
