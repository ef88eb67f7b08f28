import { refuse } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { withOffset } from './periods.ts';
import type { QueueItem } from './state.ts';

/** In the words of real panels, with a trace that people must not see. */
function errorsOf({ action, problem }: QueueItem) {
  if (problem === undefined) return null;
  const trace = `#0 /opt/panel/app/Jobs/${action}.php(88): run()\n#1 /opt/panel/artisan(37): handle()`;
  return { exception: { message: problem, trace } };
}

/** Real panels have this read, and the document lacks it: a queued power action. `failed` decides once it ended. */
export const queue: Endpoint[] = [
  {
    method: 'GET',
    url: '/queue/:queueId',
    answer({ params }, { state, queueReads }) {
      if (!queueReads) return refuse(404, 'This route does not exist.');
      const item = state.queue.find(({ queueId }) => String(queueId) === params['queueId']);
      if (!item) return refuse(404, `Queue item ${params['queueId']} was not found.`);
      const { queueId: id, action, serverId, hypervisorId, started, finished, progress, problem } = item;
      const data = {
        id,
        action,
        serverId,
        hypervisorId,
        started: withOffset(started),
        updated: withOffset(finished ?? started),
        finished: finished === undefined ? null : withOffset(finished),
        failed: problem !== undefined,
        progress,
        errors: errorsOf(item),
      };
      return { status: 200, body: { data } };
    },
  },
];
