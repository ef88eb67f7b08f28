import { z } from 'zod';
import { jsonPointer, row, says, text } from './shape.ts';

/** How the panel lists its servers: a path below /api/v1 with its query, and JSON pointers into a row. */
export interface PanelFields {
  path: string;
  id: string;
  name?: string;
  suspended?: string;
  protected?: string;
  /** The id of its hypervisor, whose group the panel tells. */
  hypervisor?: string;
  /** A text or a list of texts. */
  addresses?: string;
}

const presets = {
  virtfusion: {
    path: '/servers?type=simple',
    id: '/id',
    name: '/name',
    suspended: '/suspended',
    protected: '/protected',
    hypervisor: '/hypervisorId',
  },
} satisfies Record<string, PanelFields>;

/** What the policy says, over its preset. */
export function fieldsOf({ source: _, preset, ...own }: z.output<typeof panel>): PanelFields {
  return { path: '', id: '', ...(preset === undefined ? {} : presets[preset]), ...own };
}

const preset = 'One of: virtfusion. It says how the panel lists its servers.';
const file = 'The path of a CSV file, beside the policy or absolute, such as servers.csv.';
const url =
  'The path below /api/v1 with its query, such as /servers?type=simple; no "..", and neither results nor page, which the bot adds.';

const isUrl = (text: string): boolean =>
  /^(?:\/[A-Za-z0-9._~-]+)+(?:\?[A-Za-z0-9._~=&-]*)?$/.test(text) &&
  !/^\/api\/v\d|\/\.\.?(?:[/?]|$)|[?&](?:results|page)(?:=|&|$)/.test(text);

const field = jsonPointer().exactOptional();

const panel = row(
  {
    source: z.literal('panel'),
    preset: z.literal('virtfusion', says(preset)).exactOptional(),
    path: z.string(says(url)).refine(isUrl, says(url)).exactOptional(),
    ...{ id: field, name: field, suspended: field, protected: field, hypervisor: field, addresses: field },
  },
  'inventory is a mapping of',
).refine((own) => own.preset !== undefined || (own.path !== undefined && own.id !== undefined), {
  error: 'How the panel lists its servers is missing. Add preset: virtfusion, or path and id.',
});

export const inventory = z.discriminatedUnion(
  'source',
  [panel, row({ source: z.literal('file'), path: text(file, /./s) }, 'inventory is a mapping of')],
  { error: 'A mapping with a source. One of: panel, file.' },
);

export type InventorySource = z.output<typeof inventory>;
