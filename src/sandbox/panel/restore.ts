import { z } from 'zod';
import { refuse, refuseText } from './answer.ts';
import { changingServer, type Endpoint, naming, type World } from './endpoint.ts';
import { endOf } from './jobs.ts';
import type { Server } from './servers.ts';

const body = z.object({
  disks: z.array(z.string()).min(1),
  diskChains: z.record(z.string(), z.int()).default({}),
  diskUntils: z.record(z.string(), z.int()).default({}),
});

type Wanted = z.output<typeof body>;

function wantedOf(value: unknown): Wanted {
  const result = body.safeParse(value ?? {});
  if (result.success) return result.data;
  const [field] = result.error.issues[0]?.path ?? [];
  const listed = z.object({ disks: z.array(z.unknown()).min(1) }).safeParse(value).success;
  return refuseText(422, listed ? `The field ${String(field ?? 'body')} is not valid.` : 'No disks specified.');
}

function checkDisks(wanted: Wanted, server: Server): void {
  for (const disk of wanted.disks) {
    if (!Object.hasOwn(server.backups, disk)) refuseText(422, `Disk ${disk} is in no backup.`);
  }
  for (const disk of [...Object.keys(wanted.diskChains), ...Object.keys(wanted.diskUntils)]) {
    if (!wanted.disks.includes(disk)) refuseText(422, `Disk ${disk} is not among the disks to restore.`);
  }
  for (const [disk, chain] of Object.entries(wanted.diskChains)) {
    if (!server.backups[disk]?.includes(chain)) refuseText(422, `Disk ${disk} has no chain ${chain}.`);
  }
}

function isBusy(server: Server, { state, now }: World): boolean {
  return state.jobs.some((job) => job.serverId === server.id && (job.ends === undefined || job.ends > now()));
}

/** The job runs for `restoreMs` on the panel's clock, unless its server sets another fate. */
export const restore: Endpoint[] = [
  {
    silent: true,
    method: 'POST',
    url: '/servers/:serverId/backupManager/restore',
    answer(request, world) {
      const server = changingServer(request, world);
      const wanted = wantedOf(request.body);
      if (Object.keys(server.backups).length === 0) refuse(404, 'No backups were found for this server.');
      if (server.protected) refuse(409, 'This server is protected against destruction.');
      checkDisks(wanted, server);
      if (isBusy(server, world)) refuseText(422, 'Another job is running for this server.');
      const started = world.now();
      const { id: serverId, hypervisorId, restores: fate } = server;
      const jobId = world.state.next.jobId++;
      const ends = endOf(fate, started, world.restoreMs);
      world.state.jobs.push({ jobId, serverId, hypervisorId, started, ...ends, disks: wanted.disks, fate });
      world.effect(request, server, `restore of disks ${wanted.disks.join(', ')} of ${naming(server)} started`);
      // A Date has milliseconds; the panel writes microseconds.
      const written = started.toISOString().replace('Z', '000Z');
      return {
        status: 200,
        body: { data: { jobId, serverId, hypervisorId, type: 'restore', status: 'running', started: written } },
      };
    },
  },
];
