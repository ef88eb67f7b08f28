import { count, type Markup, md, serverLabel, trusted } from '../src/card.ts';
import { defineRead, type Read, ReadFailed, type Tools, type View, type ViewOffer } from '../src/command.ts';
import { LedgerUnavailable, RedisUnavailable, type Server } from '../src/outcome.ts';
import { reasons } from '../src/reasons.ts';
import { counts, gatherOnServer, type OpenItem, openHereLine } from '../src/view/handover.ts';
import { changeLine, lastChanges } from '../src/view/of-server.ts';
import { typedName } from '../src/view/words.ts';
import { withoutRule } from './firewall-look.ts';
import { stateLine } from './follow-ups.ts';
import { closingOffers, type May, mayOf, reviewOffers } from './open-here.ts';
import { server } from './options.ts';
import { currentTraffic } from './traffic.ts';

/** What the card is put together of, each as the command that shows it alone. */
const sources = {
  firewall: 'firewall.show',
  traffic: 'traffic.show',
  open: 'handover',
  followUps: 'follow-ups.list',
  changes: 'audit.history',
} as const;
type Source = keyof typeof sources;

const names: Readonly<Record<Source, string>> = {
  firewall: 'Firewalls',
  traffic: 'Traffic',
  open: 'What is open',
  followUps: 'Follow-ups',
  changes: 'Last changes',
};

/** A phone shows that many without scrolling far. */
const most = { open: 8, offers: 4, changes: 5 };

interface Part {
  /** What is not as it should be, or could not be read: it comes first. */
  wrong: readonly Markup[];
  fine: readonly Markup[];
}

const fine = (...lines: readonly Markup[]): Part => ({ wrong: [], fine: lines });
const wrong = (...lines: readonly Markup[]): Part => ({ wrong: lines, fine: [] });

/** What could not be read spoils nothing else. Throws what is nobody's failure but the bot's. */
async function orFailed<T>(name: string, read: () => T | Promise<T>): Promise<T | Part> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ReadFailed)
      return wrong(md`⚠ **${trusted(name)} not known**: ${trusted(reasons[error.result.reason].why)}`);
    if (error instanceof LedgerUnavailable)
      return wrong(md`⚠ **${trusted(name)} not known**: the ledger cannot be read.`);
    if (error instanceof RedisUnavailable) return wrong(md`⚠ **${trusted(name)} not known**: Redis cannot be reached.`);
    throw error;
  }
}

type Panel = Read<'firewall' | 'traffic'>;
type Interface = 'primary' | 'secondary';

async function firewallOf(read: Panel, { id }: Server, side: Interface): Promise<Part> {
  try {
    const { enabled, rules } = await read('firewall', { serverId: id, interface: side });
    const set = trusted(count(rules.length, 'rule'));
    if (enabled && rules.length === 0)
      return wrong(md`⚠ **Firewall, ${trusted(side)}: enabled** ${trusted(withoutRule)} Check that this is intended.`);
    return enabled
      ? fine(md`Firewall, ${trusted(side)}: enabled, ${set}.`)
      : wrong(md`⚠ **Firewall, ${trusted(side)}: disabled**, ${set}.`);
  } catch (error) {
    // Not every server has a second one.
    const isNone = error instanceof ReadFailed && error.result.reason === 'not-found' && side === 'secondary';
    if (isNone) return fine(trusted('Firewall, secondary: the panel knows no such interface.'));
    throw error;
  }
}

const firewall = (read: Panel, target: Server, side: Interface): Promise<Part> =>
  orFailed(`Firewall, ${side}:`, () => firewallOf(read, target, side));

const traffic = (read: Panel, { id }: Server): Promise<Part> =>
  orFailed('Traffic', async () => fine(currentTraffic(await read('traffic', { serverId: id }))));

interface Open extends Part {
  items: readonly OpenItem[];
}

const isOpen = (part: Part | Open | undefined): part is Open => part !== undefined && 'items' in part;

const open = ({ records, now }: Tools, target: Server): Promise<Part | Open> =>
  orFailed('What is open', () => ({ items: gatherOnServer(records, target, now), ...fine() }));

/** A restore that is followed has its line there. */
function openLines(items: readonly OpenItem[], isFollowedShown: boolean): Markup[] {
  const shown = items.filter(({ group }) => group !== 'restores' || !isFollowedShown);
  const left = shown.length - most.open;
  const more = left > 0 ? [trusted(`${count(left, 'more open item')}: see /handover.`)] : [];
  return [...shown.slice(0, most.open).map(openHereLine), ...more];
}

const followUps = ({ followUps: all }: Tools, { id }: Server): Promise<Part> =>
  orFailed('Follow-ups', async () => {
    const found = await all.list(id);
    return fine(...(found.length === 0 ? [trusted('Nothing is followed.')] : found.map(stateLine)));
  });

const changes = ({ records }: Tools, { id }: Server): Promise<Part> =>
  orFailed('Last changes', () => {
    const found = lastChanges(records, id, most.changes);
    if (found.length === 0) return fine(trusted('No change is recorded.'));
    return fine(trusted('**Last changes**'), ...found.map(changeLine));
  });

/** "Firewalls: not shown, you may not run /firewall show." */
const leftOut = (may: May, { channel }: Tools['trail']): Markup[] =>
  sourcesInOrder.flatMap((source) => {
    if (may(sources[source])) return [];
    const also =
      source !== 'changes' || channel === undefined ? '' : ` They are also in <#${channel}>, if you may read it.`;
    return [trusted(`-# ${names[source]}: not shown, you may not run ${typedName(sources[source])}.${also}`)];
  });

const sourcesInOrder = Object.keys(sources) as Source[]; // TypeScript does not know the keys of its own literal.

/** What the panel's list says of it. */
const ofPanel = (target: Server): Markup[] => [
  ...(target.suspended ? [trusted('⚠ **Suspended** in the panel.')] : []),
  ...(target.gone ? [trusted('⚠ **Gone**: the panel no longer lists it.')] : []),
  ...(target.protected ? [trusted('Protected in the panel: it refuses to restore a backup over it.')] : []),
];

function looks(may: May, { id }: Server): ViewOffer[] {
  const options = { server: String(id) };
  return [
    ...(may(sources.firewall)
      ? [{ label: 'Rules', does: 'show' as const, step: { command: sources.firewall, options } }]
      : []),
    { label: 'Look again', does: 'show' as const, step: { command: 'server.show', options } },
  ];
}

/** Asked first at 3 a.m., and not to be found out here. */
const power = trusted('Power: not known. The panel documents no way to read whether it is on.');

const show = defineRead({
  id: 'server.show',
  shows: 'server',
  description: 'All about one server: firewalls, traffic, what is open there',
  example: '/server show server:web-1',
  options: { server },
  reads: ['firewall', 'traffic'],
  gathers: Object.values(sources),
  subject: (input) => serverLabel(input.server),
  title: ({ server: target }) =>
    target.name === undefined && target.called === undefined
      ? trusted(`Server ${target.id}`)
      : trusted(`Server ${serverLabel(target).markup.replace(/^server /, '')}`),
  async view({ server: target }, { read, access, tools }): Promise<View> {
    const may = mayOf(access, target);
    const ifMay = <T>(source: Source, part: () => Promise<T>) => (may(sources[source]) ? part() : undefined);
    const [left, followed, primary, secondary, added, changed] = await Promise.all([
      ifMay('open', () => open(tools, target)),
      ifMay('followUps', () => followUps(tools, target)),
      ifMay('firewall', () => firewall(read, target, 'primary')),
      ifMay('firewall', () => firewall(read, target, 'secondary')),
      ifMay('traffic', () => traffic(read, target)),
      ifMay('changes', () => changes(tools, target)),
    ]);
    const items = isOpen(left) ? left.items : [];
    const lines = openLines(items, followed !== undefined && followed.wrong.length === 0);
    const parts = [left, followed, primary, secondary, added, changed].flatMap((part) => part ?? []);
    const troubles = [...ofPanel(target), ...parts.flatMap((part) => part.wrong)];
    const all = counts(items);
    const isRight = isOpen(left) && all === undefined && troubles.length === 0;
    return {
      ...(all === undefined ? {} : { fact: md`Open: ${all}.` }),
      ...(isRight ? { fact: trusted('Nothing is open here.') } : {}),
      body: [...lines, ...troubles, ...parts.flatMap((part) => part.fine), power, ...leftOut(may, tools.trail)],
      ...(items.some(({ group }) => group === 'unknown')
        ? { nextSteps: [trusted('Check the server, then open the card of the unknown outcome and say how it ended.')] }
        : {}),
      offers: [
        ...[...reviewOffers(access, items), ...closingOffers(tools, may, items)].slice(0, most.offers),
        ...looks(may, target),
      ],
      includes: Object.values(sources).filter(may),
    };
  },
});

export const serverCommands = [show];
