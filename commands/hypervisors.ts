import { count, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import { defineRead, type Option } from '../src/command.ts';
import type { Data } from '../src/panel/endpoints.ts';
import { bars, capacity, overCommitted } from './capacity.ts';
import { largest, page, results, whole } from './options.ts';
import { type Shown, shownOf, slicePage } from './pages.ts';

type Group = Data<'groups'>['data'][number];

const groupsPerPart = 10;
/** Five hypervisors fill a phone's screen twice; more go to the next page. */
const hypervisorsPerPart = 5;

const group: Option<number> = {
  ...whole('The hypervisor group: its id', 1, largest),
  async suggest({ typed, read }) {
    const { data } = await read('groups', { results: 200 });
    return data
      .filter(({ id, name }) => String(id).startsWith(typed) || name.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, 25)
      .map(({ id, name }) => ({ name: `${id} · ${name}`.slice(0, 100), value: id }));
  },
};

const listing = (input: {
  page: number | undefined;
  results: number | undefined;
}): { page?: number; results?: number } => ({
  page: input.page,
  results: input.results,
});

const flags = ({ enabled, default: standard }: Group): Markup =>
  trusted(`${enabled ? 'enabled' : '**disabled**'}${standard ? ', default' : ''}`);

/** A time of the panel in the reader's time zone; unchanged if it cannot be parsed. */
const since = (text: string): Markup => {
  // Date.parse alone reads "rack 1" as a day in 2001.
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? quote(text) : moment(at, 'f');
};

const groups = defineRead({
  id: 'hypervisors.groups',
  description: 'List the hypervisor groups',
  example: '/hypervisors groups',
  options: { page, results },
  reads: ['groups'],
  title: () => trusted('Hypervisor groups'),
  async view(input, { read, part, options }) {
    const shown = slicePage(await read('groups', listing(input)), part, groupsPerPart, options);
    return {
      fact: trusted(`${count(shown.total, 'hypervisor group')}.`),
      body: [
        ...shown.items.map((each) => md`**${each.id}** ${each.name}: ${flags(each)}`),
        ...shownOf(shown, 'groups'),
      ],
      ...shown.positions,
    };
  },
});

const one = defineRead({
  id: 'hypervisors.group',
  description: 'Show one hypervisor group',
  example: '/hypervisors group group:1',
  options: { group },
  reads: ['group'],
  subject: (input) => trusted(`group ${input.group}`),
  title: (input) => trusted(`Hypervisor group ${input.group}`),
  async view(input, { read }) {
    const found = await read('group', { hypervisorGroupId: input.group });
    return {
      fact: md`${found.name}: ${flags(found)}.`,
      body: [
        md`Label: ${found.label ?? trusted('none')}`,
        md`Description: ${found.description ?? trusted('none')}`,
        md`Distribution type: ${found.distributionType}, whose meaning the panel does not document`,
        md`Created ${since(found.created)}, changed ${since(found.updated)}`,
      ],
    };
  },
});

const resources = defineRead({
  id: 'hypervisors.resources',
  description: 'Capacity of a group at a glance: memory, cores, storage and servers used; IPv4 left',
  example: '/hypervisors resources group:1',
  options: { group, page, results },
  reads: ['resources'],
  subject: (input) => trusted(`group ${input.group}`),
  title: (input) => trusted(`Capacity of group ${input.group}`),
  async view(input, { read, part, options }) {
    const paged = await read('resources', { hypervisorGroupId: input.group, ...listing(input) });
    const shown = slicePage(paged, part, hypervisorsPerPart, options);
    const pools = paged.data.map((entry) => entry.resources.network.total.ipv4.free);
    const whole = paged.last_page > 1 ? ` among the ${paged.data.length} hypervisors read` : '';
    const trouble = overCommitted(paged.data);
    const addresses = trusted(
      pools.length === 0
        ? 'There are no hypervisors.'
        : `IPv4: ${count(Math.max(...pools), 'address', 'addresses')} to assign in the largest pool${whole}.`,
    );
    return {
      fact: trouble ?? addresses,
      body: [
        ...(trouble === undefined ? [] : [addresses]),
        ...shown.items.map(capacity),
        ...shownOf(shown, 'hypervisors'),
      ],
      ...(shown.items.length === 0
        ? {}
        : {
            chart: {
              file: 'capacity.png',
              title: `Group ${input.group}: memory, cores, storage`,
              ...partOf(shown),
              rows: shown.items.map(bars),
            },
          }),
      ...shown.positions,
    };
  },
});

const partOf = ({ from, to, total }: Shown<unknown>): { part?: string } =>
  to - from + 1 === total ? {} : { part: `${from === to ? from : `${from}–${to}`} of ${total} hypervisors` };

export const hypervisors = [groups, one, resources];
