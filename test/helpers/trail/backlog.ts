import { openAuditChannel } from '../../../src/discord/audit-channel.ts';
import type { SandboxDiscord, SeenMessage } from '../../../src/sandbox/discord/index.ts';
import type { AuditChannel } from '../../../src/trail/channel.ts';
import { check } from '../../../src/trail/check.ts';
import type { Place } from '../ledger/places.ts';
import { folder, notes, openLedger } from '../ledger/samples.ts';
import { audit, begun, posted, several, startTrailProcess, type TrailProcess } from './process.ts';

/** A place for a ledger that several processes of a test open one after the other. */
export function shelf(): Place {
  const dir = folder();
  return {
    open: (log = notes()) => openLedger({ dir, log }),
    lines: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  };
}

/** A ledger with so many entries after the start, and its trail, which has just begun to post them. */
export async function backlogOf(discord: SandboxDiscord, entries: number, place = shelf()): Promise<TrailProcess> {
  const before = await place.open();
  await before.append([begun, ...several(entries)]);
  await before.close();
  return startTrailProcess(discord, place);
}

export const channelOf = (discord: SandboxDiscord): AuditChannel => openAuditChannel({ ...discord, channel: audit });

/** What a check says of the channel. */
export async function checkedBy(
  { ledger }: TrailProcess,
  discord: SandboxDiscord,
  differently: Partial<AuditChannel> = {},
) {
  const kept = { entries: ledger.entries(), head: ledger.head() };
  return (await check(() => Promise.resolve(kept), { ...channelOf(discord), ...differently })).channel;
}

/** The files of the bot in #audit. */
export const filesOf = (discord: SandboxDiscord): SeenMessage['files'] => posted(discord).flatMap(({ files }) => files);
