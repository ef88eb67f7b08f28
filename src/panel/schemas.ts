import { z } from 'zod';

/** Depending on the release, a flag is a boolean or 0 and 1. */
const flag = z.union([z.boolean(), z.number()]).transform(Boolean);

/** How to read lists, and parts of a record that may be missing. `what`: the name of one such item, for people. */
export interface Parts {
  list<T extends z.ZodType>(row: T, what: string): z.ZodType<z.output<T>[]>;
  part<T extends z.ZodType>(schema: T, what: string): z.ZodType<z.output<T> | null>;
}

const strict: Parts = {
  // The first row that does not fit ends it: to say what is wrong with each of thousands would take seconds.
  list: (row, what) =>
    z.array(z.unknown()).transform((rows, context) => {
      const read: z.output<typeof row>[] = [];
      for (const each of rows) {
        const parsed = row.safeParse(each);
        if (!parsed.success) {
          context.addIssue(`a ${what} does not fit`);
          return z.NEVER;
        }
        read.push(parsed.data);
      }
      return read;
    }),
  part: (schema) => schema.nullable(),
};

const amounts = {
  units: z.string(),
  max: z.number(),
  allocated: z.number(),
  free: z.number(),
  percent: z.number().nullable(),
};

const hypervisorGroup = ({ part }: Parts) =>
  z.object({
    id: z.number(),
    name: z.string(),
    label: part(z.string(), 'label'),
    description: part(z.string(), 'description'),
    distributionType: z.number(),
    enabled: flag,
    default: flag,
    created: z.string(),
    updated: z.string(),
  });

const hypervisorCapacity = ({ list }: Parts) =>
  z.object({
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
      otherStorage: list(
        z.object({
          id: z.number(),
          name: z.string(),
          enabled: flag,
          path: z.string().nullable(),
          storageType: z.number(),
          isDatastore: flag,
          ...amounts,
        }),
        'storage',
      ),
      network: z.object({ total: z.object({ ipv4: z.object({ free: z.number() }) }) }),
    }),
  });

const month = z.object({ month: z.number(), start: z.string(), end: z.string() });

const trafficBlocks = ({ list, part }: Parts) =>
  z.object({
    assigned: list(
      z.object({
        id: z.number(),
        current: flag,
        month: z.number(),
        traffic: z.number(),
        start: z.string(),
        end: z.string(),
      }),
      'traffic block',
    ),
    available: z.object({
      total: z.number(),
      current: part(month, 'current period'),
      // An object with month numbers as keys. PHP writes an empty one as an array.
      months: z
        .preprocess(
          (months) => (typeof months === 'object' && months !== null ? Object.values(months) : months),
          list(month, 'period'),
        )
        .transform((months) => months.sort((a, b) => a.month - b.month)),
    }),
  });

/** The pagination envelope. `from` and `to` are null on a page without records. */
function pageOf<T>(records: z.ZodType<T[]>) {
  return z.object({
    current_page: z.int(),
    last_page: z.int(),
    // The panel may return a query parameter as a string.
    per_page: z.coerce.number().positive(),
    from: z.int().nullable(),
    to: z.int().nullable(),
    total: z.int(),
    data: records,
  });
}

/** Most answers wrap their content in `data`. */
function inData<T extends z.ZodType>(inner: T) {
  return z
    .object({ data: z.unknown() })
    .transform((body) => body.data)
    .pipe(inner);
}

/** The panel's answers. Unknown keys are dropped: panels send secrets among them. What is undocumented is undefined. */
export const answersOf = (parts: Parts) => ({
  connected: z.object({}),
  groups: pageOf(parts.list(hypervisorGroup(parts), 'group')),
  group: inData(hypervisorGroup(parts)),
  resources: pageOf(parts.list(hypervisorCapacity(parts), 'hypervisor')),
  firewall: inData(z.object({ enabled: flag, rules: z.array(z.unknown()) })),
  addresses: inData(z.array(z.string())),
  queued: inData(z.object({ queueId: z.int().positive() })),
  traffic: inData(trafficBlocks(parts)),
  job: inData(z.object({ jobId: z.int().positive() })),
  vlan: inData(z.object({ id: z.number(), vlanId: z.number(), trunk: z.number(), nativeMode: z.number() })),
  notShown: z.union([z.undefined(), z.string(), z.array(z.unknown()), z.object({})]).transform(() => undefined),
});

export const answers = answersOf(strict);
