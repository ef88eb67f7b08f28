import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { genesis, type Head, sealLine, written } from '../src/ledger/chain.ts';
import { openFileLedger } from '../src/ledger/file-store.ts';
import { closedName, liveName, monthOf } from '../src/ledger/segments.ts';
import type { NewEntry, NewRunEntry } from '../src/runs/entry.ts';
import { channels, guild, lead, personId } from './protocol.ts';

const names = ['firewall.flush', 'power.restart', 'power.boot', 'cpu.throttle', 'backup.restore'] as const;

/** The steps of one invocation: a question with its answer, a change that is not asked about, or a denial. */
function* stepsOf(at: number): Generator<(hash: string) => NewEntry> {
  const server = { id: (at % 1_000) + 1, name: `s-${(at % 1_000) + 1}`, tier: 'production' };
  const person = at % 40;
  const base = {
    run: `${(at + 10_000_000).toString(36)}.1`,
    actor: { id: personId(person), name: `person-${person}`, roles: [lead] },
    command: names[at % names.length] ?? 'power.boot',
    options: { server: server.name, reason: 'the disk of the hypervisor is full again, see the incident of tonight' },
    server,
    place: { guild, channel: channels.ops, message: String(1_500_000_000_000_000_000n + BigInt(at)) },
  };
  const owner = '0e2031b0f508033f';
  if (at % 10 === 9) {
    yield (): NewRunEntry => ({ ...base, kind: 'denied', outcome: 'denied', reason: 'denied' });
    return;
  }
  if (at % 2 === 0) {
    const expires = '2026-01-01T00:02:00.000Z';
    yield (): NewRunEntry => ({ ...base, kind: 'asked', expires, facts: { enabled: true, rules: 4 } });
    yield (hash): NewRunEntry => ({ ...base, kind: 'confirmed', question: hash, owner });
  }
  yield (): NewRunEntry => ({ ...base, kind: 'intent', owner });
  yield (): NewRunEntry => ({ ...base, kind: 'outcome', outcome: 'succeeded' });
}

/** Writes lines into one file after the other. */
function filesIn(dir: string) {
  let file: { name: string; out: WriteStream } | undefined;
  async function end(): Promise<void> {
    file?.out.end();
    if (file !== undefined) await finished(file.out);
    file = undefined;
  }
  return {
    end,
    isAt: (name: string): boolean => file?.name === name,
    async open(name: string): Promise<void> {
      await end();
      file = { name, out: createWriteStream(join(dir, name), { mode: 0o600, flags: 'a' }) };
    },
    async write(line: string): Promise<void> {
      if (file?.out.write(`${line}\n`) === false) await once(file.out, 'drain');
    },
  };
}

/** Has the ledger itself begin the current month: its first entry vouches for a checkpoint of the closed ones. */
async function beginMonth(dir: string, time: string): Promise<Head> {
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const ledger = await openFileLedger({ dir, now: () => new Date(time), log });
  // Of nobody else, and a denial, as every tenth is.
  const [denied] = stepsOf(100_000_009);
  if (denied !== undefined) await ledger.append([denied('')]);
  await ledger.close();
  return ledger.head();
}

/** Writes a ledger of so many entries over two years up to yesterday, a file a month, as the bot would have. */
export async function writeLedger(dir: string, count: number, now = Date.now()): Promise<void> {
  const until = now - 86_400_000;
  const every = (2 * 365 * 86_400_000) / count;
  const current = monthOf(new Date(until).toISOString());
  const files = filesIn(dir);
  let head: Head = genesis;
  for (let at = 0; head.seq < count; at += 1) {
    for (const step of stepsOf(at)) {
      const time = new Date(until - (count - head.seq) * every).toISOString();
      const month = monthOf(time) ?? '';
      const name = month === current ? liveName : closedName(month, 1);
      if (!files.isAt(name)) {
        await files.end();
        if (name === liveName && head.seq > 0) head = await beginMonth(dir, time);
        await files.open(name);
      }
      const { seq, hash } = head;
      const line = sealLine(written(step(hash)), time, { seq, hash });
      head = { seq: seq + 1, hash: JSON.parse(line).hash };
      await files.write(line);
    }
  }
  await files.end();
}
