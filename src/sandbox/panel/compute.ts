import { type Endpoint, groupOf } from './endpoint.ts';
import type { Amount, Group, Hypervisor } from './groups.ts';
import { paginate } from './paging.ts';

const percent = ({ max, allocated }: Amount) => (max === 0 ? null : Math.round((allocated / max) * 10_000) / 100);

const measured = (units: string, amount: Amount) => ({
  units,
  max: amount.max,
  allocated: amount.allocated,
  free: amount.max - amount.allocated,
  percent: percent(amount),
});

function resources(group: Group, each: Hypervisor) {
  const { id, name, enabled, prohibit, accept, commissioned } = each;
  const local = each.localStorage;
  return {
    hypervisor: { id, name, enabled, prohibit, accept, commissioned },
    resources: {
      servers: measured('#', each.servers),
      memory: measured('MB', each.memory),
      cpuCores: measured('#', each.cpuCores),
      localStorage: {
        enabled: local.enabled,
        name: local.name,
        storageType: local.storageType,
        ...measured('GB', local),
      },
      otherStorage: each.otherStorage.map((storage) => ({
        id: storage.id,
        name: storage.name,
        enabled: storage.enabled,
        path: storage.path,
        storageType: storage.storageType,
        isDatastore: storage.isDatastore,
        ...measured('GB', storage),
      })),
      network: { total: { ipv4: { free: each.seesPool ? group.pool.length : 0 } } },
    },
  };
}

function shown({ hypervisors: _, pool: __, ...group }: Group) {
  return group;
}

export const compute: Endpoint[] = [
  {
    method: 'GET',
    url: '/connect',
    answer: () => ({ status: 200, body: { data: { connected: true } } }),
  },
  {
    method: 'GET',
    url: '/compute/hypervisors/groups',
    answer: ({ query }, { state, url }) => ({
      status: 200,
      body: paginate(state.groups.map(shown), query, `${url()}/compute/hypervisors/groups`),
    }),
  },
  {
    method: 'GET',
    url: '/compute/hypervisors/groups/:hypervisorGroupId',
    answer: (request, world) => ({ status: 200, body: { data: shown(groupOf(request, world)) } }),
  },
  {
    method: 'GET',
    url: '/compute/hypervisors/groups/:hypervisorGroupId/resources',
    answer(request, world) {
      const group = groupOf(request, world);
      const entries = group.hypervisors.map((each) => resources(group, each));
      const path = `${world.url()}/compute/hypervisors/groups/${group.id}/resources`;
      return { status: 200, body: paginate(entries, request.query, path) };
    },
  },
];
