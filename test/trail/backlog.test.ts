import { expect, it, onTestFinished } from 'vitest';
import { openAuditChannel } from '../../src/discord/audit-channel.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { SandboxDiscord } from '../../src/sandbox/discord/index.ts';
import { check } from '../../src/trail/check.ts';
import { folder, notes } from '../helpers/ledger/samples.ts';
import {
  audit,
  begun,
  contents,
  linesOf,
  ownDiscord,
  posted,
  several,
  startTrailProcess,
  type TrailProcess,
} from '../helpers/trail/process.ts';

const entries = 500;

/** A ledger with a backlog, and its trail, which has just begun to post it. */
async function backlog(discord: SandboxDiscord): Promise<TrailProcess> {
  const dir = folder();
  const before = await openFileLedger({ dir, log: notes() });
  await before.append([begun, ...several(entries)]);
  await before.close();
  return startTrailProcess(discord, {
    async open(log = notes()) {
      const ledger = await openFileLedger({ dir, log });
      onTestFinished(() => ledger.close());
      return ledger;
    },
    lines: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  });
}

const last = (discord: SandboxDiscord): string | undefined => contents(discord).at(-1)?.split('\n').at(-1);
const checked = ({ ledger }: TrailProcess, discord: SandboxDiscord) => {
  const kept = { entries: ledger.entries(), head: ledger.head() };
  const channel = openAuditChannel({ ...discord, guild: discord.guildId, channel: audit });
  return check(() => Promise.resolve(kept), channel);
};

it('A long backlog is one message with a file, which is compared like any other', async () => {
  const discord = await ownDiscord();
  const poster = await backlog(discord);
  await discord.until(() => last(discord)?.startsWith(`#1–#${entries + 1} · `));
  expect(posted(discord)).toHaveLength(1);
  const [file] = posted(discord)[0]?.files ?? [];
  expect(file?.name).toBe(`trail-1-${entries + 1}.txt`);
  const lines = (await (await fetch(file?.url ?? '')).text()).split('\n');
  expect(lines).toHaveLength(entries + 1);
  expect(lines.at(-1)).toContain('STOPPED panelops · process `owner 500`');
  expect(await checked(poster, discord)).toMatchObject({ channel: { messages: 1, strange: [], waiting: 0 } });
  // What comes next stands in a line again.
  await poster.append(several(1, 900));
  await discord.until(() => linesOf(discord).at(-1)?.includes('`owner 900`'));
  expect(await checked(poster, discord)).toMatchObject({ channel: { messages: 2, strange: [], waiting: 0 } });
});

it('A backlog whose file says something else is found', async () => {
  const discord = await ownDiscord();
  const poster = await backlog(discord);
  await discord.until(() => last(discord)?.startsWith(`#1–#${entries + 1} · `));
  const bare = poster.ledger.entries();
  const other = bare.map((entry) =>
    entry.seq === 8 && entry.kind === 'stopped' ? { ...entry, owner: 'another' } : entry,
  );
  const kept = { entries: other, head: poster.ledger.head() };
  const channel = openAuditChannel({ ...discord, guild: discord.guildId, channel: audit });
  const { channel: found } = await check(() => Promise.resolve(kept), channel);
  expect(found?.strange).toMatchObject([{ finding: 'changed', from: 1, to: entries + 1 }]);
});

it('Where Discord takes no file, the backlog goes as lines', async () => {
  const discord = await ownDiscord();
  discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'files' });
  const poster = await backlog(discord);
  await discord.until(() => new RegExp(`–#${entries + 1} · `).test(last(discord) ?? ''), 30_000);
  expect(posted(discord).length).toBeGreaterThan(5);
  expect(posted(discord).flatMap(({ files }) => files)).toEqual([]);
  expect(await checked(poster, discord)).toMatchObject({ channel: { strange: [], waiting: 0 } });
});
