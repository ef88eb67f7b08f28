import { type Markup, md, quote, serverName, trusted } from '../src/card.ts';
import { defineChange } from '../src/command.ts';
import { Invalid, type Server } from '../src/outcome.ts';
import type { Effect } from '../src/runs/effects.ts';
import { reason, remind, servers, sync, whole } from './options.ts';

/** What the percentage means, as the panel documents it: limited to it, not by it. */
const would = (target: Server, percent: number, when: string): Markup =>
  percent === 0
    ? md`The CPU throttle of ${serverName(target)} is removed, ${trusted(when)}.`
    : md`${serverName(target)} is limited to ${percent} % of its allocated CPU, ${trusted(when)}.`;

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
      throw new Invalid('remind', 'to remove a throttle leaves nothing to be reminded of');
  },
  endpoint: 'cpuThrottle',
  servers: (input) => input.server,
  question: (input) => [
    ...input.server.map((target) => would(target, input.percent, input.sync ? 'at once' : 'from its next start on')),
    trusted('Not touched: its memory, disks and network.'),
  ],
  request: (target, input) => ({ serverId: target.id, percent: input.percent, sync: input.sync }),
  done: (_target, input) =>
    input.sync
      ? { outcome: 'succeeded', says: trusted(limited(input.percent, 'from now on')) }
      : {
          outcome: 'accepted',
          says: trusted(`Stored, not applied. ${limited(input.percent, 'from its next start on')}`),
        },
  apply: ({ server: targets, percent, sync: now }) =>
    now
      ? undefined
      : { command: 'cpu.throttle', options: { server: servers.write(targets) ?? '', percent, sync: true } },
  effects(input) {
    const [opens, closes] = input.percent === 0 ? [[], [throttled]] : [[throttled], []];
    return input.sync ? { opens, closes: [...closes, unapplied] } : { opens: [...opens, unapplied], closes };
  },
  undo: {
    command: 'cpu.throttle',
    options(target, input, _data, remembered) {
      const before = remembered?.['percent'];
      if (typeof before !== 'number' || before === input.percent) return undefined;
      return { server: String(target.id), percent: before, sync: input.sync };
    },
  },
  noUndo(input, without) {
    const never = trusted('The bot knows no undo: the ledger remembers no other throttle right before this one.');
    if (input.percent === 0) return never;
    const names = without.map(({ name, id }) => name ?? id).join(',');
    return md`${never} To lift it: ${quote(`/cpu throttle server:${names} percent:0`)}.`;
  },
  manualCheck: (target) =>
    md`To check: look in the panel, at the CPU throttle of ${serverName(target)}. The bot cannot read it.`,
  remind: (input) => input.remind,
});

export const cpu = [throttle];
