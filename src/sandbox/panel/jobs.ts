import { refuse } from './answer.ts';
import { type Endpoint, serverOf, type World } from './endpoint.ts';
import type { RestoreFate } from './servers.ts';
import type { RestoreJob } from './state.ts';

const stuckAt = 40;

/** When a restore with this fate ends; undefined if never. */
export function endOf(fate: RestoreFate, started: Date, restoreMs: number): { ends?: Date } {
  if (fate === 'sticks') return {};
  const ms = fate === 'finishes' ? restoreMs : restoreMs / 2;
  return { ends: new Date(started.getTime() + ms) };
}

/** Ends running restores now, except those that never end. */
export function endRunning({ state, now }: World): void {
  for (const job of state.jobs) {
    if (job.ends !== undefined && job.ends > now()) job.ends = now();
  }
}

interface Progress {
  status: 'running' | 'completed' | 'failed';
  progress: number;
  message?: string;
}

/** The job's current progress; undefined once the panel has forgotten it. */
function progressOf({ fate, started, ends, disks }: RestoreJob, { now, restoreMs }: World): Progress | undefined {
  const passed = now().getTime() - started.getTime();
  const percent = Math.max(0, Math.min(99, Math.floor((passed / restoreMs) * 100)));
  if (ends === undefined) return { status: 'running', progress: Math.min(percent, stuckAt) };
  if (now() < ends) return { status: 'running', progress: percent };
  if (fate === 'vanishes') return undefined;
  if (fate === 'finishes') return { status: 'completed', progress: 100 };
  const message = `Disk ${disks[0]}: a block of the backup is damaged (checksum mismatch).`;
  return { status: 'failed', progress: 50, message };
}

/**
 * The sandbox's own: the panel's document has no read for a restore's job. `status` is running, completed or failed
 * (queued only if a job's `says` has it), `progress` is 0 to 100, `message` is present if it failed.
 */
export const jobs: Endpoint[] = [
  {
    method: 'GET',
    url: '/servers/:serverId/backupManager/jobs/:jobId',
    answer(request, world) {
      const server = serverOf(request, world);
      const { jobId: wanted } = request.params;
      const job = world.state.jobs.find(({ jobId, serverId }) => serverId === server.id && String(jobId) === wanted);
      const progress = job && progressOf(job, world);
      if (!job || !progress) return refuse(404, `Job ${wanted} was not found.`);
      const { jobId, serverId, says } = job;
      return { status: 200, body: { data: { jobId, serverId, ...progress, ...says } } };
    },
  },
];
