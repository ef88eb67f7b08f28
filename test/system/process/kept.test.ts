import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../helpers/messages.ts';
import { all, folder } from '../../helpers/sandbox/again.ts';
import { canFillDisk, limitFiles } from '../../soak/bot.ts';

const fresh =
  "The sandbox's Discord and panel go with the ledger beside them: to start the sandbox fresh, set another DATA_DIR.\n";

const sandbox = (dir: string, name = ''): string => join(dir, 'sandbox', name);

it('does not start on a file that is damaged: 78, which one, and what to do', async () => {
  const { dir, start, ends } = folder();
  const life = await start();
  await life.types('bob', 'hello', 'hello');
  await life.bot.end('SIGTERM');
  const [discord, panel] = [sandbox(dir, 'discord.jsonl'), sandbox(dir, 'panel.json')];

  appendFileSync(discord, '[["message","1300000000000000009",{"content":5}]]\n');
  const lines = await ends();
  expect(lines.code).toBe(78);
  expect(lines.stderr).toMatch(new RegExp(`^${discord}: line \\d+ is damaged\\. `));
  expect(lines.stderr.endsWith(fresh)).toBe(true);

  rmSync(discord);
  mkdirSync(discord);
  expect(await ends()).toEqual({ code: 78, stderr: `${discord}: it cannot be read (EISDIR). ${fresh}` });
  rmSync(discord, { recursive: true });
  const without = await ends();
  expect(without.code).toBe(78);
  expect(without.stderr).toContain('this folder holds a ledger without what the sandbox keeps beside its own');

  writeFileSync(discord, '');
  writeFileSync(panel, '{"servers":[]}');
  expect(await ends()).toEqual({ code: 78, stderr: `${panel}: it is damaged. ${fresh}` });

  rmSync(dir, { recursive: true });
  expect(all((await start()).alice.view()).map(({ message }) => message.content)).not.toContain('hello');
});

it('keeps its folder to itself, for its owner alone', async () => {
  const { dir, start, ends } = folder();
  const { bot } = await start();
  const { code, stderr } = await ends();
  expect([code, stderr]).toEqual([78, expect.stringContaining(`process ${bot.pid} is already using`)]);
  const files = readdirSync(sandbox(dir)).map((name) => sandbox(dir, name));
  expect(files).toContain(sandbox(dir, 'discord.jsonl'));
  expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
});

it.skipIf(!canFillDisk)(
  'says once that the disk is full, and writes down what it could not as soon as it can',
  async () => {
    const { start } = folder();
    const first = await start();
    limitFiles(first.bot.pid, 1);
    for (const words of ['one', 'two', 'three']) await first.types('bob', words, words);
    const warnings = (): number => first.bot.stderr().split('the sandbox cannot write its state').length - 1;
    await until(() => warnings() > 0, 'the warning');
    limitFiles(first.bot.pid, 'unlimited');
    await first.types('bob', 'four', 'four');
    expect(warnings()).toBe(1);
    await first.bot.end('SIGKILL');
    const second = await start();
    const said = all(second.alice.view()).map(({ message }) => message.content);
    expect(said.filter((words) => ['one', 'two', 'three', 'four'].includes(words))).toEqual([
      'one',
      'two',
      'three',
      'four',
    ]);
  },
);
