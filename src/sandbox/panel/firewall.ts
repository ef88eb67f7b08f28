import { z } from 'zod';
import { parse, refuseFields } from './answer.ts';
import { changingServer, type Endpoint, interfaceOf, naming, serverOf, syncOf } from './endpoint.ts';
import type { NetworkInterface } from './servers.ts';

const rulesBody = z.object({ rulesets: z.array(z.int()) });

/** Stores the change, and with sync applies it. Settings are replaced, never mutated. */
function change(side: NetworkInterface, settings: Partial<NetworkInterface['firewall']['stored']>, sync: boolean) {
  side.firewall.stored = { ...side.firewall.stored, ...settings };
  if (sync) side.firewall.applied = side.firewall.stored;
}

const extent = (sync: boolean) => (sync ? 'and applied' : 'stored only');

const turn = (word: 'enable' | 'disable'): Endpoint => ({
  method: 'POST',
  url: `/servers/:serverId/firewall/:interface/${word}`,
  answer(request, world) {
    const server = changingServer(request, world);
    const side = interfaceOf(server, request.params['interface']);
    const sync = syncOf(request);
    change(side, { enabled: word === 'enable' }, sync);
    const subject = `firewall of ${naming(server)}, ${request.params['interface']} interface`;
    world.effect(request, server, `${subject}, ${word}d, ${extent(sync)}`);
    return { status: 200 };
  },
});

export const firewall: Endpoint[] = [
  turn('disable'),
  turn('enable'),
  {
    method: 'GET',
    url: '/servers/:serverId/firewall/:interface',
    answer(request, world) {
      const sync = syncOf(request);
      const server = sync ? changingServer(request, world) : serverOf(request, world);
      const side = interfaceOf(server, request.params['interface']);
      if (sync) {
        change(side, {}, true);
        world.effect(
          request,
          server,
          `firewall of ${naming(server)}, ${request.params['interface']} interface, applied`,
        );
      }
      return { status: 200, body: { data: side.firewall.stored } };
    },
  },
  {
    method: 'POST',
    url: '/servers/:serverId/firewall/:interface/rules',
    answer(request, world) {
      const server = changingServer(request, world);
      const side = interfaceOf(server, request.params['interface']);
      const sync = syncOf(request);
      const { rulesets } = parse(rulesBody, request.body);
      const rules = rulesets.flatMap(
        (id) => world.state.rulesets[id] ?? refuseFields({ rulesets: [`Ruleset ${id} does not exist.`] }),
      );
      change(side, { rules }, sync);
      const subject = `firewall of ${naming(server)}, ${request.params['interface']} interface`;
      const now = rulesets.length === 0 ? 'all rules flushed' : `rules replaced by rulesets ${rulesets.join(', ')}`;
      world.effect(request, server, `${subject}, ${now}, ${extent(sync)}`);
      return { status: 201 };
    },
  },
];
