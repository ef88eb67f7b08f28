import { isIPv4 } from 'node:net';

/** `integer`, `string` …, an object of shapes, or an array of one shape; `a|b` is either. */
export type Shape = string | { [field: string]: Shape } | [Shape];

export const groupShape = {
  id: 'integer',
  name: 'string',
  label: 'string|null',
  description: 'string|null',
  distributionType: 'integer',
  enabled: 'boolean',
  default: 'boolean',
  created: 'offset-timestamp',
  updated: 'offset-timestamp',
};

export const pageOf = (data: Shape): Shape => ({
  current_page: 'integer',
  data: [data],
  first_page_url: 'url',
  from: 'integer',
  last_page: 'integer',
  last_page_url: 'url',
  links: [{ url: 'url|null', label: 'string', active: 'boolean' }],
  next_page_url: 'url|null',
  path: 'url',
  per_page: 'integer',
  prev_page_url: 'url|null',
  to: 'integer',
  total: 'integer',
});

const amount = { units: 'string', max: 'integer', allocated: 'integer', free: 'integer', percent: 'number' };

export const resourcesShape = {
  hypervisor: {
    id: 'integer',
    name: 'string',
    enabled: 'boolean',
    prohibit: 'boolean',
    accept: 'boolean',
    commissioned: 'boolean',
  },
  resources: {
    servers: { ...amount, percent: 'number|null' },
    memory: amount,
    cpuCores: amount,
    localStorage: { ...amount, enabled: 'integer', name: 'string', storageType: 'integer' },
    otherStorage: [
      {
        ...amount,
        id: 'integer',
        name: 'string',
        enabled: 'integer',
        path: 'string|null',
        storageType: 'integer',
        isDatastore: 'boolean',
      },
    ],
    network: { total: { ipv4: { free: 'integer' } } },
  },
} satisfies Shape;

export const queueItemShape = { data: { queueId: 'integer' } };

export const jobShape = {
  data: {
    jobId: 'integer',
    serverId: 'integer',
    hypervisorId: 'integer',
    type: 'string',
    status: 'string',
    started: 'utc-microseconds',
  },
};

const kinds: Record<string, (value: unknown) => boolean> = {
  anything: () => true,
  null: (value) => value === null,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  url: (value) => typeof value === 'string' && URL.canParse(value),
  ipv4: (value) => typeof value === 'string' && isIPv4(value),
  'offset-timestamp': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(String(value)),
  'utc-microseconds': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
};

/** The problems of a value, one per line: missing, of another type, or not in the shape. */
export function shapeProblems(value: unknown, shape: Shape, place = 'body'): string[] {
  if (typeof shape === 'string') {
    const fits = shape.split('|').some((kind) => kinds[kind]?.(value));
    return fits ? [] : [`${place} should be ${shape}, is ${JSON.stringify(value)}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${place} should be an array`];
    return value.flatMap((each, index) => shapeProblems(each, shape[0], `${place}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} should be an object`];
  const fields = new Map(Object.entries(value));
  const unknown = [...fields.keys()].filter((name) => !Object.hasOwn(shape, name));
  return [
    ...unknown.map((name) => `${place}.${name} is not in the document`),
    ...Object.entries(shape).flatMap(([name, each]) => shapeProblems(fields.get(name), each, `${place}.${name}`)),
  ];
}
