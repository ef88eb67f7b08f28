import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seal, toLine } from '../../../src/ledger/chain.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { startHere, verified } from '../../helpers/bot-here.ts';
import { surroundings } from '../../helpers/bot-process.ts';
import { words } from '../../helpers/card-text.ts';
import { answerTo, textOf } from '../../helpers/messages.ts';
import { run } from '../../helpers/stage.ts';
import { audit, posted, reaches } from '../../helpers/trail/process.ts';
import { envOf } from '../../helpers/trail/program.ts';
import { rangesOf } from '../../helpers/trail/ranges.ts';

const bot = { id: '1500000000000000001', name: 'panelops', roles: [] };
const alice = { id: '1400000000000000001', name: 'alice', roles: [] };

/** A boot of db-1 of which somebody with the bot's disk and Discord's guild wants to leave no trace, while the bot is down. */
async function crime() {
  const around = await surroundings();
  const { discord } = around;
  const types = async (line: string): Promise<string> => {
    const states = ['SUCCEEDED', 'UNAVAILABLE', 'ACCEPTED'];
    return textOf(await answerTo(around, await discord.type('alice', 'ops', line), states));
  };
  const first = await startHere(around);
  const { dir } = first;
  const file = join(dir, 'ledger.jsonl');
  const entries = (): Entry[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  await types('/firewall enable server:web-1');
  await reaches(discord, () => entries().length);
  await types('/power boot server:db-1');
  await first.stops();
  const cut = entries().findIndex((entry) => 'server' in entry && entry.server?.name === 'db-1');
  return {
    discord,
    types,
    entries,
    /** The ledger without the deed, and with what was made up in its place. */
    rewrite(forged: readonly NewEntry[] = []): void {
      const kept = entries().slice(0, cut);
      for (const entry of forged) {
        const { seq, hash } = kept.at(-1) ?? { seq: 0, hash: '' };
        kept.push(seal(entry, seq + 1, new Date(Date.now() + 1_000).toISOString(), hash));
      }
      writeFileSync(file, kept.map((entry) => `${toLine(entry)}\n`).join(''));
    },
    /** The messages of the trail that tell of it, or of what came after. */
    traces: (): SeenMessage[] => posted(discord).filter(({ content }) => (rangesOf([content])[0]?.[1] ?? 0) > cut),
    head: (): number => cut,
    start: () => startHere(around, { dir }),
    /** A start that is killed as soon as it is recorded. */
    async startAndKill(): Promise<void> {
      const before = entries().length;
      const { child, exit } = run(envOf(discord, dir), { cwd: dir });
      await expect.poll(() => entries().length, { interval: 2, timeout: 20_000 }).toBeGreaterThan(before);
      child.kill('SIGKILL');
      await exit;
    },
    verify: () => verified(discord, dir),
    alert: (): Promise<SeenMessage> =>
      discord.until(() => discord.messages('alice', 'ops').find(({ content }) => words(content).startsWith('ALERT'))),
  };
}

it('A rewritten ledger does not acknowledge itself, restart or not: people are pinged, and nothing changes until one of them does', async () => {
  const { discord, types, entries, rewrite, head, start, verify, alert } = await crime();
  const newest = posted(discord).at(-1);
  const [from = 0, to = 0] = rangesOf([newest?.content ?? ''])[0] ?? [];
  const finding = head() + 1;
  const place = { guild: discord.guildId, channel: discord.channels.ops };
  const message = newest?.id ?? '';
  rewrite([
    { kind: 'tampered', actor: bot, finding: 'strange', channel: audit, message, from, to },
    { kind: 'alerted', actor: bot, upTo: 1_000_000 },
    { kind: 'acknowledged', actor: alice, findings: [finding], why: 'fine', place, seal: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ]);
  const before = await verify();
  expect(before.code).toBe(1);
  expect(before.out.join('\n')).toContain(
    `#${finding + 2} settles findings, and neither the channel nor a seal of the bot vouches for it`,
  );

  const again = await start();
  expect(textOf(await alert())).toContain('Nothing may change until it is acknowledged');
  expect((await alert()).pinged).toEqual(['alice']);
  expect(await types('/firewall enable server:web-3')).toContain('UNAVAILABLE');
  await reaches(discord, () => entries().length);
  await again.stops();

  // What was forged stands in the channel by now, and still settles nothing.
  const third = await start();
  expect(await types('/firewall enable server:web-3')).toContain('UNAVAILABLE');
  const open = await verify();
  expect(open.code).toBe(1);
  expect(open.out.filter((line) => line.endsWith(': not acknowledged'))).toHaveLength(3);

  expect(await types('/audit acknowledge finding:all reason:"restored"')).toContain('SUCCEEDED');
  expect(await types('/firewall enable server:web-3')).toContain('SUCCEEDED');
  await third.stops();
  expect((await verify()).code).toBe(0);
}, 90_000);

const forbidden = { kind: 'forbid-audit-log' } as const;

it.each<[string, (scene: Awaited<ReturnType<typeof crime>>) => Promise<void> | void]>([
  [
    'behind an entry that is dated after the deletion',
    ({ rewrite }) => rewrite([{ kind: 'stopped', actor: bot, owner: 'ab' }]),
  ],
  [
    'by a start that is killed before it has looked',
    async ({ rewrite, startAndKill }) => {
      rewrite();
      await startAndKill();
    },
  ],
  [
    "by a start that may not look into Discord's audit log",
    async ({ rewrite, start, discord, entries }) => {
      rewrite();
      discord.order(forbidden);
      const blind = await start();
      await reaches(discord, () => entries().length);
      await blind.stops();
      discord.cancel(forbidden);
    },
  ],
])(
  'The end of trail and ledger does not vanish together %s: people are told once who deleted it',
  async (_how, hide) => {
    const scene = await crime();
    const { discord, entries, traces, start, verify, alert } = scene;
    discord.deleteMessages(
      'alice',
      traces().map(({ id }) => id),
    );
    await hide(scene);
    const again = await start();
    const told = await alert();
    expect(textOf(told)).toContain('deleted by <@1400000000000000001>');
    expect(told.pinged).toEqual(['alice']);
    await reaches(discord, () => entries().length);
    await again.stops();
    const last = await start();
    await reaches(discord, () => entries().length);
    await last.stops();
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out.filter((line) => line.startsWith('finding '))).toEqual([
      expect.stringMatching(/was deleted by alice \(1400000000000000001\): not acknowledged$/),
    ]);
  },
  90_000,
);
