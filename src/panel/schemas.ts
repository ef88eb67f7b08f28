import { z } from 'zod';

/** Releases differ in whether a flag is a boolean or 0 and 1. */
const flag = z.union([z.boolean(), z.number()]).transform(Boolean);

const amounts = {
  units: z.string(),
  max: z.number(),
  allocated: z.number(),
  free: z.number(),
  percent: z.number().nullable(),
};

const hypervisorGroup = z.object({
  id: z.number(),
  name: z.string(),
  label: z.string().nullable(),
  description: z.string().nullable(),
  distributionType: z.number(),
  enabled: flag,
  default: flag,
  created: z.string(),
  updated: z.string(),
});

const hypervisorCapacity = z.object({
  hypervisor: z.object({
    id: z.number(),
    name: z.string(),
    enabled: flag,
    prohibit: flag,
    accept: flag,
    commissioned: flag,
  }),
  resources: z.object({
    servers: z.object(amounts),
    memory: z.object(amounts),
    cpuCores: z.object(amounts),
    localStorage: z.object({ enabled: flag, name: z.string(), storageType: z.number(), ...amounts }),
    otherStorage: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        enabled: flag,
        path: z.string().nullable(),
        storageType: z.number(),
        isDatastore: flag,
        ...amounts,
      }),
    ),
    network: z.object({ total: z.object({ ipv4: z.object({ free: z.number() }) }) }),
  }),
});

const month = z.object({ month: z.number(), start: z.string(), end: z.string() });

const trafficBlocks = z.object({
  assigned: z.array(
    z.object({
      id: z.number(),
      current: flag,
      month: z.number(),
      traffic: z.number(),
      start: z.string(),
      end: z.string(),
    }),
  ),
  available: z.object({
    total: z.number(),
    current: month.nullable(),
    // An object keyed by the month's number, which PHP writes as an array when it is empty.
    months: z
      .union([z.record(z.string(), month), z.array(month)])
      .transform((months) => Object.values(months).sort((a, b) => a.month - b.month)),
  }),
});

/** The pagination envelope. `from` and `to` are null on a page without records. */
function pageOf<T extends z.ZodType>(record: T) {
  return z.object({
    current_page: z.number(),
    last_page: z.number(),
    // What came as a query parameter may go back as a string.
    per_page: z.coerce.number().positive(),
    from: z.number().nullable(),
    to: z.number().nullable(),
    total: z.number(),
    data: z.array(record),
  });
}

/** Most answers wrap what they say in `data`. */
function inData<T extends z.ZodType>(inner: T) {
  return z
    .object({ data: z.unknown() })
    .transform((body) => body.data)
    .pipe(inner);
}

/**
 * What the panel answers, by what is in it. Unknown keys are dropped and never passed on: real panels send secrets among them.
 * A body that the document does not show is read as undefined.
 */
export const answers = {
  connected: z.object({}),
  groups: pageOf(hypervisorGroup),
  group: inData(hypervisorGroup),
  resources: pageOf(hypervisorCapacity),
  firewall: inData(z.object({ enabled: flag, rules: z.array(z.unknown()) })),
  addresses: inData(z.array(z.string())),
  queued: inData(z.object({ queueId: z.number() })),
  traffic: inData(trafficBlocks),
  job: inData(
    z.object({
      jobId: z.number(),
      serverId: z.number(),
      hypervisorId: z.number(),
      type: z.string(),
      status: z.string(),
      started: z.string(),
    }),
  ),
  vlan: inData(z.object({ id: z.number(), vlanId: z.number(), trunk: z.number(), nativeMode: z.number() })),
  notShown: z.unknown().transform(() => undefined),
};
