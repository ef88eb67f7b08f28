/** Capacity and use, in the units of its field. */
export interface Amount {
  max: number;
  allocated: number;
}

interface Storage extends Amount {
  id: number;
  name: string;
  enabled: number;
  path: string | null;
  storageType: number;
  isDatastore: boolean;
}

export interface Hypervisor {
  id: number;
  name: string;
  enabled: boolean;
  prohibit: boolean;
  accept: boolean;
  commissioned: boolean;
  servers: Amount;
  /** MB */
  memory: Amount;
  cpuCores: Amount;
  /** GB */
  localStorage: Amount & { enabled: number; name: string; storageType: number };
  otherStorage: Storage[];
  /** Whether the group's pool of IPv4 addresses is usable from here. */
  seesPool: boolean;
}

export interface Group {
  id: number;
  name: string;
  label: string | null;
  description: string | null;
  distributionType: number;
  enabled: boolean;
  default: boolean;
  created: string;
  updated: string;
  hypervisors: Hypervisor[];
  /** Free IPv4 addresses, assigned from the front. */
  pool: string[];
}

function hypervisor(id: number, name: string, special: Partial<Hypervisor> = {}): Hypervisor {
  return {
    id,
    name,
    enabled: true,
    prohibit: false,
    accept: true,
    commissioned: true,
    servers: { max: 50, allocated: 12 },
    memory: { max: 262_144, allocated: 98_304 },
    cpuCores: { max: 64, allocated: 24 },
    localStorage: { enabled: 1, name: 'Local', storageType: 1, max: 1800, allocated: 720 },
    otherStorage: [],
    seesPool: true,
    ...special,
  };
}

const datastore = (id: number, name: string, max: number, allocated: number): Storage => ({
  id,
  name,
  enabled: 1,
  path: `/mnt/${name}`,
  storageType: 4,
  isDatastore: true,
  max,
  allocated,
});

const frankfurt = (): Hypervisor[] => [
  hypervisor(1, 'fra-1'),
  hypervisor(2, 'fra-2', { servers: { max: 0, allocated: 31 } }),
  hypervisor(3, 'fra-3', { memory: { max: 131_072, allocated: 163_840 } }),
  hypervisor(4, 'fra-4', { enabled: false, accept: false }),
  hypervisor(5, 'fra-5', { prohibit: true, accept: false }),
  hypervisor(6, 'fra-6', { commissioned: false, accept: false, servers: { max: 50, allocated: 0 }, seesPool: false }),
  hypervisor(7, 'fra-7', {
    otherStorage: [
      datastore(1, 'nvme-pool', 4000, 3900),
      datastore(2, 'archive', 16_000, 4000),
      { ...datastore(3, 'scratch', 500, 650), enabled: 0, path: null, isDatastore: false },
    ],
  }),
];

const addresses = (prefix: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}.${first + index}`);

function group(id: number, name: string, special: Pick<Group, 'hypervisors' | 'pool'> & Partial<Group>): Group {
  return {
    id,
    name,
    label: null,
    description: null,
    distributionType: 1,
    enabled: true,
    default: false,
    created: '2024-02-01T09:00:00+00:00',
    updated: '2026-05-12T14:30:00+00:00',
    ...special,
  };
}

function site(id: number): Group {
  return group(id, `Site ${id}`, {
    enabled: id !== 24,
    hypervisors: [hypervisor(30 + id, `site-${id}`)],
    pool: [`198.51.100.${id}`],
  });
}

/** A new copy of the 24 groups: more than one page of the default 20 records. */
export function createGroups(): Group[] {
  return [
    group(1, 'Frankfurt', {
      label: 'FRA',
      description: 'Production, two halls',
      default: true,
      hypervisors: frankfurt(),
      pool: addresses('203.0.113', 10, 40),
    }),
    group(2, 'Amsterdam', {
      label: 'AMS',
      hypervisors: [hypervisor(11, 'ams-1'), hypervisor(12, 'ams-2'), hypervisor(13, 'ams-3')],
      pool: addresses('203.0.113', 100, 20),
    }),
    group(3, 'Lab', {
      description: 'Not for customers',
      distributionType: 2,
      hypervisors: [hypervisor(21, 'lab-a'), hypervisor(22, 'lab-b')],
      pool: addresses('198.51.100', 210, 3),
    }),
    ...Array.from({ length: 21 }, (_, index) => site(index + 4)),
  ];
}
