import { count, type Markup, md, moment, serverName, shortName, trusted, typedAs } from '../src/card.ts';
import {
  type Before,
  defineChange,
  defineRead,
  type Option,
  type Preview,
  type Read,
  ReadFailed,
  type Verdict,
} from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import type { Data } from '../src/panel/endpoints.ts';
import { reasons } from '../src/reasons.ts';
import { largest, lookWith, reason, server, whole } from './options.ts';
import { shownOf, slice } from './pages.ts';

const blocksPerPart = 10;

type Traffic = Data<'traffic'>;

const month: Option<number> = {
  ...whole("The number of a billing period from the panel's list, not a calendar month", 1, largest),
  async suggest({ typed, options, find, read }) {
    const target = find(String(options['server'] ?? ''));
    if (target === undefined) return [];
    return periods(await read('traffic', { serverId: target.id }))
      .filter(({ number }) => String(number).startsWith(typed))
      .slice(0, 25)
      .map(({ number, start, end }) => ({ name: `period ${number}: ${start} to ${end}`.slice(0, 100), value: number }));
  },
};

interface Period {
  number: number;
  start: string;
  end: string;
}

/** The billing periods that the panel offers, if its answer has the known form. */
const periods = (traffic: Traffic): Period[] =>
  traffic.available.months.map(({ month: number, start, end }) => ({ number, start: day(start), end: day(end) }));

/** The day of an ISO time as the panel wrote it: a billing period does not depend on the reader's time zone. */
const day = (text: string): string => /^\d{4}-\d{2}-\d{2}(?=T)/.exec(text)?.[0] ?? text;

interface Block {
  month: number;
  amount: number;
}

/** How many such blocks there are. */
const alike = ({ assigned }: Traffic, { month: number, amount }: Block): number =>
  assigned.filter((each) => each.month === number && each.traffic === amount).length;

async function checkBlocks(
  target: Server,
  input: Block,
  read: Read<'traffic'>,
  { blocks }: Before = {},
): Promise<Verdict> {
  const now = alike(await read('traffic', { serverId: target.id }), input);
  const such = `of ${input.amount} GB in period ${input.month}`;
  const says = [
    trusted(typeof blocks === 'number' ? `Before: ${count(blocks, 'block')} ${such}.` : 'Before: not read.'),
    trusted(`Now: ${count(now, 'block')} ${such}.`),
  ];
  if (now === 0 || now === blocks)
    return { happened: false, fact: trusted('It looks as if it did not happen: no such block was added.'), says };
  if (typeof blocks === 'number' && now === blocks + 1)
    return { happened: true, fact: trusted('It looks as if it happened: there is one more such block.'), says };
  return { fact: trusted('This does not show whether it was done.'), says };
}

async function lookAtPeriod(target: Server, input: Block, read: Read<'traffic'>): Promise<Preview> {
  try {
    const traffic = await read('traffic', { serverId: target.id });
    const period = periods(traffic).find(({ number }) => number === input.month);
    const before = { blocks: alike(traffic, input) };
    if (period === undefined)
      return {
        before,
        says: [trusted(`The panel lists no period ${input.month} for this server: it will probably refuse.`)],
      };
    return { before, says: [md`That period is ${period.start} to ${period.end}.`] };
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error;
    return { says: [trusted(`The dates of the period could not be read. ${reasons[error.result.reason].why}`)] };
  }
}

const add = defineChange({
  id: 'traffic.add',
  danger: 'destructive',
  description: 'Add a block of traffic to a billing period: costs money',
  example: '/traffic add server:web-1 month:1 amount:500',
  options: {
    server,
    month,
    amount: whole('How much traffic, in GB', 1, 1_000_000),
    reason,
  },
  limited: { option: 'amount', by: 'amount' },
  endpoint: 'trafficAdd',
  reads: ['traffic'],
  look: lookAtPeriod,
  label: (input) => `Add ${input.amount} GB to ${shortName(input.server)}`,
  fullLabel: (input) =>
    trusted(`Add ${input.amount} GB of traffic to ${shortName(input.server)} for billing period ${input.month}`),
  question: (input, looks) => [
    md`${input.amount} GB of traffic will be added to ${serverName(input.server)} for billing period ${input.month}.`,
    trusted('This costs money.'),
    ...looks.flatMap((look) => look.says),
  ],
  details: () => [trusted('Not touched: other periods, and the server itself.')],
  request: (target, input) => ({ serverId: target.id, month: input.month, amount: input.amount }),
  done: (target, input) => ({
    outcome: 'succeeded',
    says: md`${input.amount} GB of traffic added to ${serverName(target)} for billing period ${input.month}.`,
  }),
  noUndo: () => trusted('Cannot be undone.'),
  checkedBy: 'traffic.show',
  checkNow: checkBlocks,
  manualCheck: (target, input) =>
    md`${lookWith(`/traffic show server:${typedAs(target)}`)} Look for a block of ${input.amount} GB in period ${input.month}.`,
});

const show = defineRead({
  id: 'traffic.show',
  description: 'Show the traffic blocks of a server and the billing periods',
  example: '/traffic show server:web-1',
  options: { server },
  reads: ['traffic'],
  title: (input) => trusted(`Traffic of ${shortName(input.server)}`),
  async view(input, { read, part, options }) {
    const traffic = await read('traffic', { serverId: input.server.id });
    const shown = slice(traffic.assigned, part, blocksPerPart, options);
    const { current } = traffic.available;
    const open = periods(traffic).length;
    return {
      ...(current === null
        ? {}
        : { fact: md`Current billing period: ${current.month}, ${day(current.start)} to ${day(current.end)}.` }),
      body: [
        ...(current === null ? [] : endOf(current.end)),
        trusted(
          open === 0
            ? 'There is no period to which traffic can be added.'
            : `Traffic can be added to ${count(open, 'period')}: the option month of /traffic add lists them.`,
        ),
        ...shown.items.map(block),
        ...(shown.total === 0 ? [] : shownOf(shown, 'traffic blocks')),
      ],
      ifWhole: [
        ...(current === null || shown.total === 0 ? [] : [addedIn(traffic.assigned, current.month)]),
        ...(shown.total === 0 ? shownOf(shown, 'traffic blocks') : []),
        ...(current === null ? [trusted('There is no current billing period.')] : []),
        unread,
      ],
      ...shown.positions,
    };
  },
});

/** What was added to the current period, where there is one. */
export function currentTraffic({ assigned, available: { current } }: Traffic): Markup {
  if (current === null) return trusted('Traffic: no current billing period.');
  const mine = assigned.filter(({ month: number }) => number === current.month);
  const sum = mine.reduce((all, each) => all + each.traffic, 0);
  return md`Traffic: ${trusted(mine.length === 0 ? 'nothing' : `${sum} GB`)} added in period ${current.month}, ${day(current.start)} to ${day(current.end)}.`;
}

/** "Added in it: 700 GB in 2 blocks." */
function addedIn(assigned: Traffic['assigned'], number: number): Markup {
  const mine = assigned.filter((each) => each.month === number);
  const sum = mine.reduce((all, each) => all + each.traffic, 0);
  return trusted(
    mine.length === 0
      ? 'Nothing was added in the current period.'
      : `Added in the current period: **${sum} GB** in ${count(mine.length, 'block')}.`,
  );
}

/** How long it goes on, in the reader's own time. */
function endOf(end: string): Markup[] {
  const at = /(?:Z|[+-]\d{2}:?\d{2})$/.test(end) ? Date.parse(end) : Number.NaN;
  return Number.isNaN(at) ? [] : [md`It ends ${moment(at)}.`];
}

const unread = trusted(
  "How much was used, and how much is allowed, is not in the panel's interface: look in the panel.",
);

const block = ({ traffic, month: number, start, end }: Traffic['assigned'][number]): Markup =>
  md`**${traffic} GB** in period ${number}, ${day(start)} to ${day(end)}`;

export const trafficCommands = [add, show];
