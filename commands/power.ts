import { type Markup, md, own, serverName } from '../src/card.ts';
import { type Command, defineChange } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import { reason, servers } from './options.ts';

/** What the panel's yes means: the action waits in its queue. */
const queued = (action: string, data: { queueId: number } | undefined): Markup =>
  own(
    data === undefined
      ? `${action} queued; its queue id could not be read from the answer. Queued is not done: the panel shows when it is.`
      : `${action} queued, queue id ${data.queueId}. Queued is not done: the panel shows when it is.`,
  );

type PowerEndpoint = 'powerBoot' | 'powerShutdown' | 'powerRestart' | 'powerPoweroff';

interface Action {
  name: 'boot' | 'shutdown' | 'restart' | 'poweroff';
  endpoint: PowerEndpoint;
  danger: 'write' | 'destructive';
  description: string;
  noun: string;
  would(target: Server): Markup;
  leaves: string;
}

const power = (action: Action): Command =>
  defineChange({
    id: `power.${action.name}`,
    danger: action.danger,
    description: action.description,
    example: `/power ${action.name} server:web-1`,
    options: { server: servers, reason },
    endpoint: action.endpoint,
    servers: (input) => input.server,
    question: (input) => [
      ...input.server.map(action.would),
      own(`It goes into the panel's queue. Not touched: ${action.leaves}.`),
    ],
    request: (target) => ({ serverId: target.id }),
    done: (_target, _input, data) => ({
      outcome: 'accepted',
      says: queued(action.noun, data),
      ...(data === undefined ? {} : { job: { follow: 'power', id: data.queueId } }),
    }),
  });

export const powerCommands: readonly Command[] = [
  power({
    name: 'boot',
    endpoint: 'powerBoot',
    danger: 'write',
    description: 'Boot servers',
    noun: 'Boot',
    would: (target) => md`${serverName(target)} will be booted.`,
    leaves: 'disks, network and firewall',
  }),
  power({
    name: 'shutdown',
    endpoint: 'powerShutdown',
    danger: 'destructive',
    description: 'Ask the guests to shut down',
    noun: 'Shutdown',
    would: (target) => md`${serverName(target)} will be asked to shut down. Its guest may ignore that.`,
    leaves: 'disks, network and firewall settings',
  }),
  power({
    name: 'restart',
    endpoint: 'powerRestart',
    danger: 'destructive',
    description: 'Restart servers',
    noun: 'Restart',
    would: (target) => md`${serverName(target)} will be restarted. What runs on it stops.`,
    leaves: 'network and firewall settings',
  }),
  power({
    name: 'poweroff',
    endpoint: 'powerPoweroff',
    danger: 'destructive',
    description: 'Cut the power at once',
    noun: 'Power off',
    would: (target) => md`The power of ${serverName(target)} will be cut. What is not on its disks yet is lost.`,
    leaves: 'network and firewall settings',
  }),
];
