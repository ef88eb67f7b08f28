import { expect, it } from 'vitest';
import type { NewEntry } from '../../../src/runs/entry.ts';
import { alerts, startHere, types, verified } from '../../helpers/bot-here.ts';
import { entriesIn, overwrite } from '../../helpers/ledger/reading.ts';
import { seal } from '../../helpers/ledger/seal.ts';
import { textOf } from '../../helpers/messages.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { audit, posted, reaches } from '../../helpers/trail/process.ts';
import { rangesOf } from '../../helpers/trail/ranges.ts';

const bot = { id: '1500000000000000001', name: 'panelops', roles: [] };
const alice = { id: '1400000000000000001', name: 'alice', roles: [] };

/** A boot of db-1 of which somebody with the bot's disk and Discord's guild wants to leave no trace, while the bot is down. */
async function crime() {
  const around = await surroundings();
  const { discord } = around;
  const first = await startHere(around);
  const { dir } = first;
  await types(around, '/firewall enable server:web-1');
  await reaches(discord, () => entriesIn(dir).length);
  await types(around, '/power boot server:db-1');
  await first.stops();
  const cut = entriesIn(dir).findIndex((entry) => 'server' in entry && entry.server?.name === 'db-1');
  return { around, dir, cut };
}

it('A rewritten ledger does not acknowledge itself, restart or not: people are pinged, and nothing changes until one of them does', async () => {
  const { around, dir, cut } = await crime();
  const { discord } = around;
  const alert = () => discord.until(() => alerts(around)[0]);
  const newest = posted(discord).at(-1);
  const [from = 0, to = 0] = rangesOf([newest?.content ?? ''])[0] ?? [];
  const finding = cut + 1;
  const place = { guild: discord.guildId, channel: discord.channels.ops };
  const message = newest?.id ?? '';
  const forged: NewEntry[] = [
    { kind: 'tampered', actor: bot, finding: 'strange', channel: audit, message, from, to },
    { kind: 'alerted', actor: bot, upTo: 1_000_000 },
    { kind: 'acknowledged', actor: alice, findings: [finding], why: 'fine', place, seal: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ];
  // The ledger without the deed, and with what was made up in its place.
  const kept = entriesIn(dir).slice(0, cut);
  for (const entry of forged) {
    const { seq, hash } = kept.at(-1) ?? { seq: 0, hash: '' };
    kept.push(seal(entry, seq + 1, new Date(Date.now() + 1_000).toISOString(), hash));
  }
  overwrite(dir, kept);
  const before = await verified(discord, dir);
  expect(before.code).toBe(1);
  expect(before.out.join('\n')).toContain(
    `#${finding + 2} settles findings, and neither the channel nor a seal of the bot vouches for it`,
  );

  const again = await startHere(around, { dir });
  expect(textOf(await alert())).toContain('Changes are refused until it is acknowledged');
  expect((await alert()).pinged).toEqual(['alice']);
  expect(await types(around, '/firewall enable server:web-3')).toContain('UNAVAILABLE');
  await reaches(discord, () => entriesIn(dir).length);
  await again.stops();

  // What was forged stands in the channel by now, and still settles nothing.
  const third = await startHere(around, { dir });
  expect(await types(around, '/firewall enable server:web-3')).toContain('UNAVAILABLE');
  const open = await verified(discord, dir);
  expect(open.code).toBe(1);
  expect(open.out.filter((line) => line.endsWith(': not acknowledged'))).toHaveLength(3);

  expect(await types(around, '/audit acknowledge finding:all reason:"restored"')).toContain('SUCCEEDED');
  expect(await types(around, '/firewall enable server:web-3')).toContain('SUCCEEDED');
  await third.stops();
  expect((await verified(discord, dir)).code).toBe(0);
}, 90_000);
