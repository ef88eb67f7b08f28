import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import {
  accusations,
  all,
  expectHistory,
  expectUnbrokenTrail,
  folder,
  ops,
  textOf,
} from '../../helpers/sandbox/again.ts';

/** Of all that an earlier life left it is said how it ended: until then, a server takes no other change. */
const settled = (view: Parameters<typeof all>[0]): boolean =>
  !all(view).some(({ message }) => words(message.content).startsWith('WORKING'));

it('is the same Discord after a kill and after a stop: its history is there, no tampering is reported, and it works at once', async () => {
  const { start } = folder();
  const first = await start();
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      ['web-1', 'web-2', 'web-3', 'db-1', 'db-2'].map((server) =>
        first.types('alice', `/firewall ${round % 2 ? 'enable' : 'sync'} server:${server}`, 'SUCCEEDED'),
      ),
    );
  }
  const flush = await first.types('alice', '/firewall flush server:web-1', 'QUESTION');
  await first.clicks('alice', flush, 'Confirm');
  await first.shows(flush.message.id, 'SUCCEEDED');
  await first.types('carol', '/firewall flush server:web-1', 'DENIED');
  await first.types('bob', '/hypervisors resources group:1', 'Capacity of group 1');
  await first.types('bob', 'I have a look', 'I have a look');
  const question = await first.types('alice', '/firewall flush server:db-2', 'QUESTION');
  await expectUnbrokenTrail(first);
  const before = await first.seen();
  await first.bot.end('SIGKILL');

  const second = await start();
  expectHistory(await second.seen(), before);
  const from = performance.now();
  await second.types('alice', '/firewall disable server:web-2', 'QUESTION');
  await second.types('bob', '/firewall enable server:web-1', 'SUCCEEDED');
  expect(performance.now() - from).toBeLessThan(20_000);
  await second.clicks('alice', question, 'Confirm');
  await second.shows(question.message.id, 'SUCCEEDED');
  // The panel remembers, too: flushed before the kill.
  expect(textOf(await second.types('carol', '/firewall show server:web-1', 'Firewall of web-1'))).toMatch(
    /no rules?\b/i,
  );
  await expectUnbrokenTrail(second);
  expect(accusations(second)).toEqual([]);
  expect(await second.bot.end('SIGTERM')).toEqual({ code: 0, signal: null });

  const third = await start();
  expectHistory(await third.seen(), before, [question.message.id]);
  await third.types('bob', '/firewall enable server:web-2', 'SUCCEEDED');
  await expectUnbrokenTrail(third);
  expect(accusations(third)).toEqual([]);
  const said = (third.alice.view().messages[ops] ?? []).map(textOf);
  expect(said.filter((text) => words(text).startsWith('UNAVAILABLE'))).toEqual([]);
  expect(third.alice.behind().entries.filter(({ kind }) => kind === 'configured')).toEqual([]);
  expect([first, second, third].map(({ bot }) => bot.stderr())).toEqual(['', '', '']);
});

it('reports no tampering after kills under load', async () => {
  const { dir, start } = folder();
  for (const requests of [1, 4, 7]) {
    const life = await start();
    await life.alice.until(settled);
    const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'cache-1', 'build-1'];
    for (const server of servers) {
      await life.act('/act/type', { as: 'alice', channel: 'ops', line: `/firewall enable server:${server}` });
      await life.act('/act/type', { as: 'mallory', channel: 'ops', line: `/power boot server:${server}` });
    }
    await life.alice.untilBehind((behind) => behind.requests.length >= requests);
    await life.bot.end('SIGKILL');
    // Of a write that was under way, nobody was told.
    appendFileSync(join(dir, 'sandbox', 'discord.jsonl'), '[["message","13');
  }
  const last = await start();
  await last.alice.until(settled);
  await last.types('bob', '/firewall enable server:web-1', 'SUCCEEDED');
  await expectUnbrokenTrail(last);
  expect(accusations(last)).toEqual([]);
  expect(last.bot.stderr()).toBe('');
});
