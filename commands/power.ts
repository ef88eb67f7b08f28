import { list, type Markup, md, serverName, shortName, shortNames, trusted } from '../src/card.ts';
import { type ChangeDefinition, defineChange, type Effects, type IfStuck } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import type { EndpointName } from '../src/panel/endpoints.ts';
import { reason, remind, reminderNote, servers } from './options.ts';

/** What the panel's yes means: the action is in its queue. */
const queued = (noun: string, target: Server, data: { queueId: number } | undefined): Markup =>
  trusted(
    `The ${noun} of ${shortName(target)} is in the panel's queue${data === undefined ? ', not done yet. Its number there could not be read' : ` (item ${data.queueId}), not done yet`}.`,
  );

type PowerEndpoint = Extract<EndpointName, `power${string}`>;

interface Action<Name extends string> {
  name: Name;
  endpoint: PowerEndpoint;
  danger: 'write' | 'destructive';
  description: string;
  /** What it starts, in lower case: "restart". */
  noun: string;
  /** "Power off": the beginning of the button's label. */
  verb: string;
  would(targets: readonly Server[]): Markup;
  /** Completes "Not touched: …" in the details. */
  leaves: string;
  effects: Effects;
  /** What of the server shows that it was done. Completes "To check: look at the tasks of web-1 in the panel, and …". */
  shows: string;
  ifStuck?: IfStuck;
  /** Of several, one after the other can be wanted: they come back. */
  inTurn?: true;
}

const named = (targets: readonly Server[]): Markup => list(targets.map(serverName));

/** A server that was shut down or powered off and has not booted since. */
const down: Effects = { opens: [{ kind: 'down' }] };
const up: Effects = { closes: [{ kind: 'down' }] };

type Common = { server: typeof servers; reason: typeof reason };

/** Everything except the options, of which a shutdown has more. */
const definition = <Name extends string>(
  action: Action<Name>,
): Omit<ChangeDefinition<`power.${Name}`, Common, PowerEndpoint>, 'options'> => ({
  id: `power.${action.name}`,
  danger: action.danger,
  description: action.description,
  example: `/power ${action.name} server:web-1`,
  endpoint: action.endpoint,
  noun: action.noun,
  follows: 'power',
  checkedBy: 'follow-ups.list',
  label: (input) => `${action.verb} ${shortNames(input.server)}`,
  question: (input) => [
    action.would(input.server),
    ...(input.server.length > 1 && action.inTurn
      ? [trusted('**They go down together**, not one after the other.')]
      : []),
  ],
  details: () => [trusted(`The panel queues it. Not touched: ${action.leaves}.`)],
  request: (target) => ({ serverId: target.id }),
  done: (target, _input, data) => ({
    outcome: 'accepted',
    says: queued(action.noun, target, data),
    ...(data === undefined ? {} : { job: { follow: 'power', id: data.queueId } }),
  }),
  effects: () => action.effects,
  ...(action.effects === down
    ? { undo: { command: 'power.boot', options: (target: Server) => ({ server: String(target.id) }) } }
    : {}),
  ifStuck: action.ifStuck,
  inTurn: action.inTurn,
  manualCheck: (target) =>
    md`To check: look at the tasks of ${serverName(target)} in the panel, and ${trusted(action.shows)}.`,
});

const power = <Name extends string>(action: Action<Name>) =>
  defineChange({ ...definition(action), options: { server: servers, reason } });

/** With a reminder: a server that is down for a while is easily forgotten. */
function powerReminded<Name extends string>(action: Action<Name>) {
  const plain = definition(action);
  return defineChange<`power.${Name}`, Common & { remind: typeof remind }, PowerEndpoint>({
    ...plain,
    options: { server: servers, reason, remind },
    question: (input, looks, team) => [...plain.question(input, looks, team), ...reminderNote(input.remind, team)],
    remind: (input) => input.remind?.ms,
  });
}

export const powerCommands = [
  power({
    name: 'boot',
    endpoint: 'powerBoot',
    danger: 'write',
    description: 'Boot servers',
    noun: 'boot',
    verb: 'Boot',
    would: (targets) => md`${named(targets)} will be booted.`,
    leaves: 'disks, network and firewall',
    effects: up,
    shows: 'whether it runs',
  }),
  powerReminded({
    name: 'shutdown',
    endpoint: 'powerShutdown',
    danger: 'destructive',
    description: 'Ask the guests to shut down',
    noun: 'shutdown',
    verb: 'Shut down',
    would: (targets) => md`${named(targets)} will be asked to shut down. A guest may ignore that.`,
    leaves: 'disks, network and firewall settings',
    effects: down,
    shows: 'whether it still runs',
    ifStuck: {
      after: 120_000,
      command: 'power.poweroff',
      label: 'Power off',
      says: trusted(
        'The shutdown is taking long. Power off asks whether to cut the power: anything not yet written to the disks is lost.',
      ),
    },
  }),
  power({
    name: 'restart',
    endpoint: 'powerRestart',
    danger: 'destructive',
    description: 'Restart servers',
    noun: 'restart',
    verb: 'Restart',
    would: (targets) => md`${named(targets)} will be restarted. Everything running there is interrupted.`,
    leaves: 'network and firewall settings',
    effects: up,
    inTurn: true,
    shows: 'how long it has been running',
  }),
  power({
    name: 'poweroff',
    endpoint: 'powerPoweroff',
    danger: 'destructive',
    description: 'Cut the power at once',
    noun: 'power-off',
    verb: 'Power off',
    would: (targets) => md`The power of ${named(targets)} will be cut. Anything not yet written to the disks is lost.`,
    leaves: 'network and firewall settings',
    effects: down,
    shows: 'whether it still runs',
  }),
];
