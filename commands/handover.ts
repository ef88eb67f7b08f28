import { type Markup, md, own } from '../src/card.ts';
import { defineLocal } from '../src/command.ts';
import { gather } from '../src/handover/gather.ts';
import { counts, heading, openItemLine } from '../src/handover/words.ts';
import { shownOf, slice } from './pages.ts';

const itemsAPart = 10;

const whatIsOpen = defineLocal({
  id: 'handover',
  danger: 'read',
  description: 'What is open: what the next on call has to know',
  example: '/handover',
  options: {},
  servers: () => [],
  async act(_input, { records, may, now, part, options }) {
    await records.refresh();
    const items = gather(records, may, now);
    const all = counts(items);
    if (all === undefined) return { body: [own('Nothing is open.')] };
    const shown = slice(items, part, itemsAPart, options);
    const lines = shown.items.flatMap((item, i): Markup[] => {
      const isFirst = shown.items[i - 1]?.group !== item.group;
      return [...(isFirst ? [heading(item.group)] : []), openItemLine(item)];
    });
    return { body: [md`Open: ${all}.`, ...lines, ...shownOf(shown, 'open items')], ...shown.positions };
  },
});

export const handoverCommands = [whatIsOpen];
