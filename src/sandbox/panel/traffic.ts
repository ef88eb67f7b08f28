import { z } from 'zod';
import { parse, refuseFields } from './answer.ts';
import { changingServer, type Endpoint, naming, serverOf } from './endpoint.ts';
import { withOffset } from './periods.ts';

const blockBody = z.object({ month: z.int(), amount: z.int().min(1) });

/** Traffic blocks. `month` is the number of a billing period. */
export const traffic: Endpoint[] = [
  {
    method: 'POST',
    url: '/servers/:serverId/traffic/blocks',
    answer(request, world) {
      const server = changingServer(request, world);
      const { month, amount } = parse(blockBody, request.body);
      const { assigned, currentMonth, periods } = server.traffic;
      const period = periods.find((each) => each.month === month);
      if (!period) return refuseFields({ month: [`Month ${month} is not available.`] });
      assigned.push({
        ...period,
        id: assigned.length + 1,
        current: month === currentMonth,
        traffic: amount,
        added: withOffset(world.now()),
      });
      world.effect(request, server, `${amount} GB of traffic added to ${naming(server)} for month ${month}`);
      return { status: 201 };
    },
  },
  {
    method: 'GET',
    url: '/servers/:serverId/traffic/blocks',
    answer(request, world) {
      const { assigned, currentMonth, periods } = serverOf(request, world).traffic;
      const months = Object.fromEntries(periods.map((period) => [period.month, period]));
      const available = { total: periods.length, current: months[currentMonth], months };
      return { status: 200, body: { data: { assigned, available } } };
    },
  },
];
