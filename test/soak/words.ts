import { changings } from '../helpers/every-command/lines.ts';
import { contract } from '../panel/contract.ts';

/** How a change looks on the wire: its method, and its path below `/servers/ID`. */
interface Wire {
  method: string;
  path: RegExp;
}

/** Commands that change something, and their requests. The panel's document says so, not the bot. */
export const wires: Readonly<Record<string, Wire>> = Object.fromEntries(
  changings.map(([id, { endpoint }]) => {
    const { method, template } = contract[endpoint];
    const path = template.replace('/servers/{serverId}', '').replaceAll(/\{\w+\}/g, '\\w+');
    // A read that changes something says so.
    return [id, { method, path: new RegExp(`^${path}${method === 'GET' ? '\\?.*sync=true' : '(\\?|$)'}`) }];
  }),
);

/** Commands of the danger `write`. With power, they are what the example policy lets an on-call engineer change. */
const writes = ['firewall.enable', 'firewall.sync', 'ipv4.assign', 'ipv4.add', 'cpu.throttle'];

/** Who may change what by policy.example.yaml, said a second time, without asking the bot. */
export function may(who: string, command: string, server: number): boolean {
  if (who === 'alice') return true;
  const isHis = command.startsWith('power.') || writes.includes(command);
  return who === 'bob' && isHis && server >= 100 && server <= 199;
}

/** The words of an invocation or of a follow-up's end, worst first: a card of several servers begins with the worst. */
export const gravest = [
  'unknown',
  'failed',
  'rejected',
  'unavailable',
  'blocked',
  'not-sent',
  'denied',
  'invalid',
  'expired',
  'cancelled',
  'did not happen',
  'accepted',
  'happened',
  'finished',
  'succeeded',
] as const;

/** Outcomes that say that nothing was sent. */
export const unsent: readonly string[] = [
  'not-sent',
  'unavailable',
  'blocked',
  'denied',
  'invalid',
  'expired',
  'cancelled',
];

/** The reasons of a rejection after which the same may be asked again; written apart from the bot's own list. */
export const notNow: readonly string[] = [
  'conflict',
  'validation',
  'tasks-pending',
  'rate-limited',
  'requests-limited',
  'maintenance',
  'refused',
];

/** Words that say that something was done or is under way. */
export const proud: readonly string[] = ['succeeded', 'accepted', 'finished'];

/** What somebody says of what nobody knew. */
export const hearsay: readonly string[] = ['happened', 'did not happen'];

export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
