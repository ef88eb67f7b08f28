import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { startWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ still: true });
});
afterAll(() => world.stop());

/** Whether a record of it lies beside the ledger, or in it. */
const isKept = (): boolean => existsSync(join(world.dir, 'cards.jsonl')) || world.ledger().length > 0;
const hangs = () => world.panel.order({ kind: 'hang-before', match: { path: '/firewall/' } });
const asksAfter = async (line: string): Promise<string> => {
  const before = world.panel.requests.length;
  const id = await world.discord.type('carol', 'ops', line);
  await world.panel.until(() => world.panel.requests.length > before);
  return id;
};
const answerOf = (id: string) => world.discord.messages('carol', 'ops').find(({ answers }) => answers === id);

it('A read is "thinking…" for its reader alone until the panel has answered, and nothing of it is kept', async () => {
  hangs();
  const id = await asksAfter('/firewall show server:web-1');
  expect(answerOf(id)).toMatchObject({ state: 'thinking', ephemeral: true });
  expect(isKept()).toBe(false);
  await world.panel.clear();
  await world.discord.until(() => answerOf(id)?.content.includes('Firewall of web-1'));
  expect(isKept()).toBe(false);
});

it('A turned page leaves nothing, either, and replaces the page before', async () => {
  await world.carol.types('/firewall show server:web-3');
  const shown = world.discord.messages('carol', 'ops').length;
  expect(await world.carol.clicks('Next')).toContain('Showing 11–20 of 200 rules.');
  expect([world.discord.messages('carol', 'ops').length, isKept()]).toEqual([shown, false]);
});

it.each(['reset', 'close'] as const)('The answer comes though that to its first answer was lost (%s)', async (by) => {
  world.discord.order({ kind: 'lose-request', by, match: { path: '/interactions/*' } });
  expect(await world.carol.types('/firewall show server:web-1')).toContain('Firewall of web-1');
});

it('A fault of the bot is said where the answer was to come', async () => {
  const body = { code: 50_035, message: 'Invalid Form Body' };
  world.discord.order({ kind: 'status', status: 400, body, match: { method: 'PATCH', path: '/webhooks/*' } });
  const said = await world.carol.types('/firewall show server:web-1');
  expect(said).toContain('UNKNOWN /firewall show');
  expect(said).toContain('A read changes nothing: type it again; the log has why.');
});

it('A bot that stops answers what is pending, and says that it was restarted', async () => {
  const stopping = await startWorld({ still: true, intervals: { drain: 500 } });
  onTestFinished(() => stopping.stop());
  stopping.panel.order({ kind: 'hang-before', match: { path: '/firewall/' } });
  await stopping.discord.type('carol', 'ops', '/firewall show server:web-1');
  await stopping.panel.until(() => stopping.panel.requests.length > 0);
  await stopping.app.stop();
  const said = stopping.carol.sees();
  expect(said).toContain('UNKNOWN /firewall show');
  expect(said).toContain('The bot was restarted before it could answer.');
});
