import { count, type Markup, md, trusted } from '../src/card.ts';
import { defineLocal } from '../src/command.ts';
import type { FindingState } from '../src/runs/findings.ts';
import { counts, gather, heading, openItemLine } from '../src/view/handover.ts';
import { oddities, shiftLine } from '../src/view/on-call.ts';
import { cancelOffers, reviewOffers } from './open-here.ts';
import { shownOf, slice } from './pages.ts';

const itemsPerPart = 10;
/** Of buttons beside those that turn the pages. */
const most = 5;

const whatIsOpen = defineLocal({
  id: 'handover',
  danger: 'read',
  description: 'What is open, for the handover of a shift: what the next person on call needs to know',
  example: '/handover',
  options: {},
  title: () => trusted('What is open'),
  async act(_input, { records, may, now, part, options, holds, onCall, isPrivate, ...access }) {
    const shifts = onCall.now().flatMap((each) => [shiftLine(each), ...oddities(each)]);
    const first = [...shifts, ...(await holds()).map(trusted), ...openFindings(records.findings())];
    const items = gather(records, may, now);
    const all = counts(items);
    if (all === undefined)
      return first.length > shifts.length
        ? { body: first }
        : { fact: trusted('Nothing is open.'), body: [...shifts, ...covered] };
    const shown = slice(items, part, itemsPerPart, options);
    const lines = shown.items.flatMap((item, i): Markup[] => {
      const isFirst = shown.items[i - 1]?.group !== item.group;
      return [...(isFirst ? [heading(item.group)] : []), openItemLine(item)];
    });
    return {
      fact: md`Open: ${all}.`,
      body: [...first, ...lines, ...shownOf(shown, 'open items')],
      // What everybody sees in an incident's thread belongs to nobody's card.
      offers: isPrivate
        ? [...reviewOffers(access, shown.items), ...cancelOffers(access, shown.items)].slice(0, most)
        : [],
      ...shown.positions,
    };
  },
});

/** Findings concern no server. They stay until somebody acknowledges them. */
function openFindings(findings: readonly FindingState[]): Markup[] {
  const open = findings.filter(({ acknowledged }) => acknowledged === undefined).length;
  if (open === 0) return [];
  const [one, it] = open === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    trusted(`**${count(open, 'finding')} in the audit trail ${one} not acknowledged.** /audit verify shows ${it}.`),
  ];
}

export const handoverCommands = [whatIsOpen];

/** What `counts` counts, for a reader who sees that nothing is open. */
const covered: readonly Markup[] = [
  trusted('That covers incidents, freezes and holds, questions, restores and other jobs, and unknown outcomes.'),
  trusted(
    'Also disabled firewalls, those flushed in the last day, servers shut down, throttles, changes not applied, and networks whitelisted with a reminder.',
  ),
  trusted('Only what was done through this bot, on servers that you may see.'),
];
