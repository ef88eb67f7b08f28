import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { genesis, seal, toLine } from '../src/ledger/chain.ts';
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

/** Writes a ledger of so many entries over two years up to yesterday, a file a month, as the bot would have. */
export async function writeLedger(dir: string, count: number, now = Date.now()): Promise<void> {
  const until = now - 86_400_000;
  const every = (2 * 365 * 86_400_000) / count;
  let head = genesis;
  let file: { month: string; out: ReturnType<typeof createWriteStream> } | undefined;
  const current = monthOf(new Date(until).toISOString());
  for (let at = 0; head.seq < count; at += 1) {
    for (const step of stepsOf(at)) {
      const time = new Date(until - (count - head.seq) * every).toISOString();
      const month = monthOf(time) ?? '';
      if (file?.month !== month) {
        file?.out.end();
        if (file !== undefined) await finished(file.out);
        file = {
          month,
          out: createWriteStream(join(dir, month === current ? liveName : closedName(month, 1)), { mode: 0o600 }),
        };
      }
      const entry = seal(step(head.hash), head.seq + 1, time, head.hash);
      head = { seq: entry.seq, hash: entry.hash };
      if (!file.out.write(`${toLine(entry)}\n`)) await once(file.out, 'drain');
    }
  }
  file?.out.end();
  if (file !== undefined) await finished(file.out);
}
