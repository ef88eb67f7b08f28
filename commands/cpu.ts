import { list, type Markup, md, quote, serverName, shortNames, trusted, typedAs } from '../src/card.ts';
import { defineChange } from '../src/command.ts';
import { Invalid, type Server } from '../src/outcome.ts';
import type { Effect } from '../src/runs/effects.ts';
import { reason, remind, reminderNote, servers, sync, whole } from './options.ts';

/** The panel documents the percentage as the limit itself, not as the reduction. */
function would(targets: readonly Server[], percent: number, when: string): Markup {
  const names = list(targets.map(serverName));
  if (percent === 0) return md`The CPU throttle of ${names} will be removed, ${trusted(when)}.`;
  return md`${names} will be limited to ${percent} % of the allocated CPU, ${trusted(when)}.`;
}

const limited = (percent: number, when: string): string =>
  percent === 0 ? `The CPU throttle is removed, ${when}.` : `Limited to ${percent} % of its allocated CPU, ${when}.`;

const throttled: Effect = { kind: 'throttle' };
const unapplied: Effect = { kind: 'unapplied', what: 'throttle' };

const throttle = defineChange({
  id: 'cpu.throttle',
  danger: 'write',
  description: 'Limit servers to a percentage of their CPU; 0 removes the limit',
  example: '/cpu throttle server:web-1 percent:50',
  options: {
    server: servers,
    percent: whole('Limited to this percentage of its CPU; 0 removes the limit', 0, 100),
    sync,
    reason,
    remind,
  },
  check(input) {
    if (input.remind !== undefined && input.percent === 0)
      throw new Invalid('remind', 'removing a throttle leaves nothing to remind you of');
  },
  endpoint: 'cpuThrottle',
  label: ({ percent, server: targets }) =>
    percent === 0 ? `Lift throttle of ${shortNames(targets)}` : `Throttle ${shortNames(targets)} to ${percent} %`,
  fullLabel: ({ percent, server: targets, sync: now }) =>
    trusted(
      `${percent === 0 ? `Remove the CPU throttle of ${shortNames(targets)}` : `Limit ${shortNames(targets)} to ${percent} % of the CPU`}${now ? '' : ', stored only'}`,
    ),
  question: (input, _looks, team) => [
    would(input.server, input.percent, input.sync ? 'at once' : 'from the next start'),
    trusted(
      input.percent === 0
        ? 'Undo works only if the ledger has the previous throttle.'
        : 'Undo works only if the ledger has the previous throttle; percent:0 lifts it.',
    ),
    ...reminderNote(input.remind, team),
  ],
  details: () => [trusted('Not touched: memory, disks and network.')],
  request: (target, input) => ({ serverId: target.id, percent: input.percent, sync: input.sync }),
  done: (_target, input) =>
    input.sync
      ? { outcome: 'succeeded', says: trusted(limited(input.percent, 'from now on')) }
      : {
          outcome: 'accepted',
          says: trusted(`Stored, not applied. ${limited(input.percent, 'from its next start')}`),
        },
  apply: ({ server: targets, percent, sync: now }) =>
    now
      ? undefined
      : { command: 'cpu.throttle', options: { server: targets.map(({ id }) => id).join(','), percent, sync: true } },
  effects(input) {
    const [opens, closes] = input.percent === 0 ? [[], [throttled]] : [[throttled], []];
    return input.sync ? { opens, closes: [...closes, unapplied] } : { opens: [...opens, unapplied], closes };
  },
  undo: {
    command: 'cpu.throttle',
    options(target, input, _data, { remembered }) {
      const before = remembered?.['percent'];
      if (typeof before !== 'number' || before === input.percent) return undefined;
      return { server: String(target.id), percent: before, sync: input.sync };
    },
  },
  noUndo(input, without) {
    const never = trusted('The bot cannot undo this: its ledger does not have the previous throttle.');
    if (input.percent === 0) return never;
    const names = without.map(typedAs).join(',');
    return md`${never} To lift it: ${quote(`/cpu throttle server:${names} percent:0`)}.`;
  },
  manualCheck: (target) =>
    md`To check: look at the CPU throttle of ${serverName(target)} in the panel. The bot cannot read it.`,
  remind: (input) => input.remind?.ms,
});

export const cpu = [throttle];
