import { expect, it } from 'vitest';
import type { DiscordFault } from '../../../src/sandbox/discord/index.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { typed, until } from '../../helpers/messages.ts';
import { openScene } from '../../helpers/quick-bot.ts';
import { audit, isSeamless, linesOf, posted, reaches } from '../../helpers/trail/process.ts';

const messages = `/channels/${audit}/messages`;
/** Where the poster is when it is killed: what its request meets, and what was asked of Discord by then. */
const steps: [string, DiscordFault, RegExp][] = [
  ['reads the channel', { kind: 'lose-request', by: 'hang', match: { method: 'GET', path: messages } }, /^GET/],
  [
    'posts, before Discord takes it',
    { kind: 'status', status: 503, match: { method: 'POST', path: messages }, times: 99 },
    /^POST/,
  ],
  [
    'has posted, before it hears so',
    { kind: 'lose-request', by: 'hang', match: { method: 'POST', path: messages } },
    /^POST/,
  ],
];

it.each(steps)('A bot that is killed when the poster %s leaves no gap and no double', async (title, fault, request) => {
  const scene = await openScene({ audit: true });
  const { discord } = scene;
  const head = (): number => entriesIn(scene.dir).length;
  const victim = await scene.start();
  await reaches(discord, head);
  const before = posted(discord).length;
  discord.order(fault);
  const asked = discord.requests.length;
  await typed(scene, '/firewall enable server:web-1,web-2,web-3', ['SUCCEEDED']);
  const isMet = ({ method, path }: { method: string; path: string }): boolean =>
    path.includes(messages) && request.test(`${method} ${path}`);
  await until(() => discord.requests.slice(asked).some(isMet), 'the request');
  if (title.startsWith('has posted')) await discord.until(() => posted(discord).length > before);
  await victim.kill();
  discord.clear();
  scene.forget(10 * 60_000);
  await scene.start();
  await reaches(discord, head);
  expect(isSeamless(discord)).toBe(true);
  expect(new Set(linesOf(discord)).size).toBe(linesOf(discord).length);
  expect(linesOf(discord).filter((line) => line.includes('SUCCEEDED'))).toHaveLength(3);
});
