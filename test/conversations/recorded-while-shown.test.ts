import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerTo, labelsOf, messageOf, textOf, until } from '../helpers/messages.ts';
import { openWorld } from '../helpers/world.ts';

it('A card whose outcome is recorded while Discord takes it offers what its outcome does', async () => {
  const world = await openWorld({ timeouts: { connectMs: 500, answerMs: 500, syncMs: 500 } });
  const { discord, panel } = world;
  const [here, away] = [join(world.dir, 'ledger.jsonl'), join(world.dir, 'away')];
  panel.order({ kind: 'hang-after', match: { changes: true } });
  const enable = await discord.type('alice', 'ops', '/firewall enable server:web-1');
  await panel.until(() => panel.requests.some(({ method }) => method !== 'GET'));
  // The outcome cannot be recorded; while Discord holds up the card, it is.
  discord.order({ kind: 'delay', ms: 1_500, match: { method: 'PATCH' } });
  renameSync(here, away);
  await until(() => world.logged().includes('cannot record an outcome in the ledger'), 'the outcome in the outbox');
  renameSync(away, here);
  await until(() => world.ledger().some(({ kind }) => kind === 'outcome'), 'the outcome');
  const card = await answerTo(world, enable, ['UNKNOWN']);
  await discord.until(() => labelsOf(messageOf(world, card.id)).includes('Say what happened'));
  expect(textOf(messageOf(world, card.id))).toContain('Press Check now');
});
