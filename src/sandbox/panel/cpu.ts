import { z } from 'zod';
import { parse } from './answer.ts';
import { changingServer, type Endpoint, naming, syncOf } from './endpoint.ts';

const throttleBody = z.object({ percent: z.int().min(0).max(100) });

export const cpu: Endpoint[] = [
  {
    method: 'PUT',
    url: '/servers/:serverId/modify/cpuThrottle',
    answer(request, world) {
      const server = changingServer(request, world);
      const sync = syncOf(request);
      const { percent } = parse(throttleBody, request.body);
      server.cpuThrottle.stored = percent;
      if (sync) server.cpuThrottle.applied = percent;
      const limit = percent === 0 ? 'throttle removed' : `limited to ${percent} %`;
      world.effect(request, server, `CPU of ${naming(server)}, ${limit}, ${sync ? 'and applied' : 'stored only'}`);
      return { status: 201 };
    },
  },
];
