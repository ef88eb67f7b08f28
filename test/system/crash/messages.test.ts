import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DiscordFault } from '../../../src/sandbox/discord/index.ts';
import { words } from '../../helpers/card-text.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { asks, messageOf, presses, stateOf, textOf, typed, until } from '../../helpers/messages.ts';
import { openScene } from '../../helpers/quick-bot.ts';
import { audit, isSeamless, linesOf, posted, reaches } from '../../helpers/trail/process.ts';

it('A card shows the end when one of its servers is no longer followed, and the bot is killed at the next', async () => {
  const scene = await openScene();
  const { discord, panel } = scene;
  const bot = await scene.start();
  const card = await asks(scene, '/power shutdown server:web-1,web-3');
  panel.order({ kind: 'hang-after', match: { path: '/103/', changes: true } });
  await presses(scene, card, 'Confirm');
  await panel.until(() => panel.requests.some(({ path, method }) => method !== 'GET' && path.includes('/103/')));
  await discord.type('alice', 'ops', '/follow-ups stop server:web-1');
  await until(() => scene.ledger().some(({ step }) => step === 'ended'), 'the end of the first');
  await bot.kill();
  await panel.clear();
  await scene.start();
  await until(() => stateOf(messageOf(scene, card.id)) === 'UNKNOWN', 'the card');
  expect(textOf(messageOf(scene, card.id))).toContain('**UNKNOWN** web-3 (103)');
});

it('A card whose first answer the killed bot never saw becomes final, also after its token has expired', async () => {
  const scene = await openScene();
  const { discord } = scene;
  const bot = await scene.start();
  discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/interactions/*' } });
  const id = await discord.type('alice', 'ops', '/firewall enable server:lab-1');
  const card = await discord.until(() =>
    discord
      .messages('alice', 'ops')
      .find(({ answers, content }) => answers === id && words(content).startsWith('WORKING')),
  );
  await bot.kill();
  discord.clear();
  const ahead = 20 * 60_000;
  scene.forget(ahead);
  await scene.start({ ahead });
  await until(() => scene.ledger().some(({ outcome }) => outcome === 'not-sent'), 'the outcome');
  await until(() => stateOf(messageOf(scene, card.id)) === 'NOT-SENT', 'the card');
});

it('A question that was confirmed after a copy of the ledger was made is not asked again once that copy is restored', async () => {
  const scene = await openScene();
  const [ledger, copy] = [join(scene.dir, 'ledger.jsonl'), join(scene.dir, 'copy')];
  const bot = await scene.start();
  const asked = await asks(scene, '/firewall flush server:web-1 reason:x');
  copyFileSync(ledger, copy);
  await presses(scene, asked, 'Flush web-1');
  const card = () => messageOf(scene, asked.id);
  await until(() => stateOf(card()) === 'SUCCEEDED', 'the end');
  await bot.kill();
  copyFileSync(copy, ledger);
  await scene.start();
  await until(() => stateOf(card()) === 'UNKNOWN', 'what is known of it');
  expect(textOf(card())).toContain("The bot's ledger, its record of all changes, was replaced by an older one");
  expect(scene.panel.effects).toHaveLength(1);
});

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
