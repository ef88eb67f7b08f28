import pLimit from 'p-limit';
import { z } from 'zod';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { NewRunEntry } from '../../../src/runs/entry.ts';
import type { RecordedRequest } from '../../../src/sandbox/panel/index.ts';
import { typed } from '../messages.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';

/** A restore that the panel has accepted: its job there, and its card in #ops. */
interface Restore {
  job: number;
  server: { id: number; name: string };
  card: string;
}

/** Many restores at once, with their Discord and panel. */
export interface Crowd extends Surroundings {
  /** Records that all of them are followed. */
  record(ledger: Pick<Ledger, 'append'>): Promise<void>;
  /** All looks so far, oldest first: when, in ms, and at which job. */
  looks(): { at: number; job: number }[];
  /** How many ms it takes from now until each job has been looked at in a request after the first `since`; fails after `most`. */
  allLooked(since: number, most: number): Promise<number>;
}

const alice = { id: '1400000000000000001', name: 'alice', roles: ['1200000000000000003'] };
const count = 1_000;
const firstJob = 20_001;
/** None ends by itself within a test. */
const restoreMs = 600_000;
const posted = z.object({ id: z.string() });

/**
 * A Discord with the limit on edits that the real one has in a channel, about one a second, and a thousand restores under way.
 * `tenthEnded`: every tenth is over already, and nobody has looked yet.
 */
export async function crowd({ tenthEnded = false } = {}): Promise<Crowd> {
  // Posts are not limited, because the cards have to be put there first.
  const limits = { posts: false, global: false, edits: { count: 5, ms: 5_000 } } as const;
  const { discord, panel } = await surroundings({ restoreMs, requestsPerMinute: 6_000 }, { limits });

  async function begin(at: number): Promise<Restore> {
    const job = firstJob + at;
    const { id, name, hypervisorId } = panel.state.servers[at % 10] ?? panel.state.server(101);
    const started = new Date();
    const ends = new Date(started.getTime() + (tenthEnded && at % 10 === 9 ? 0 : restoreMs));
    panel.state.jobs.push({ jobId: job, serverId: id, hypervisorId, started, ends, disks: ['1'], fate: 'finishes' });
    const answer = await fetch(`${discord.apiUrl}/v10/channels/${discord.channels.ops}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: `ACCEPTED /backup restore ${name}` }),
    });
    return { job, server: { id, name }, card: posted.parse(await answer.json()).id };
  }

  // A machine under load resets connections that come all at once.
  const limit = pLimit(20);
  const restores = await Promise.all(Array.from({ length: count }, (_, at) => limit(() => begin(at))));
  return {
    ...{ discord, panel },
    async record(ledger) {
      for (let at = 0; at < count; at += 100) await ledger.append(restores.slice(at, at + 100).flatMap(entriesOf));
    },
    looks: () => panel.requests.flatMap(lookIn),
    async allLooked(since, most) {
      const from = performance.now();
      const left = new Set(restores.map(({ job }) => job));
      let next = since;
      const done = (): boolean => {
        for (const request of panel.requests.slice(next)) for (const { job } of lookIn(request)) left.delete(job);
        next = panel.requests.length;
        return left.size === 0;
      };
      await panel.until(done, most);
      return performance.now() - from;
    },
  };
}

function lookIn({ path, at }: RecordedRequest): { at: number; job: number }[] {
  const [, job] = /\/backupManager\/jobs\/(\d+)$/.exec(path) ?? [];
  return job === undefined ? [] : [{ at: at.getTime(), job: Number(job) }];
}

/** The ledger entries of a restore that was confirmed and accepted. */
function entriesOf({ job, server, card }: Restore): NewRunEntry[] {
  const step = {
    run: `crowd${job}.1`,
    actor: alice,
    command: 'backup.restore',
    options: { server: server.name, disks: '1', reason: 'the disk is gone' },
    server,
    place: { guild: '1100000000000000001', channel: '1300000000000000001', message: card },
  };
  const deadline = new Date(Date.now() + 86_400_000).toISOString();
  return [
    { ...step, kind: 'intent', owner: 'before' },
    { ...step, kind: 'outcome', outcome: 'accepted', detail: `job ${job}` },
    { ...step, kind: 'follow-up', step: 'started', follow: 'restore', job, deadline },
  ];
}

/** How long a person waits for the answer to a read and then for that to a change, in ms. */
export async function waits({ discord }: Surroundings, who: 'alice' | 'bob'): Promise<number[]> {
  const times: number[] = [];
  for (const line of ['/firewall show server:web-1', '/firewall enable server:web-1']) {
    const from = performance.now();
    await typed({ discord }, line, ['SUCCEEDED'], who);
    times.push(performance.now() - from);
  }
  return times;
}

export const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

/** What the panel answered, each status once. */
export const statuses = ({ panel }: Crowd): unknown[] => [...new Set(panel.requests.map(({ status }) => status))];
