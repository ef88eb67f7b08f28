import { count, type Markup, md, shortName, trusted } from '../src/card.ts';
import type { Look, Read } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import type { NetworkInterface } from './options.ts';

/** The current settings, which must still hold when the change is sent. */
export async function look(
  target: Server,
  input: { interface: NetworkInterface },
  read: Read<'firewall'>,
): Promise<Look> {
  const { enabled, rules } = await read('firewall', { serverId: target.id, interface: input.interface });
  return {
    facts: { enabled, rules: rules.length },
    says: [
      trusted(
        `${count(rules.length, 'rule is', 'rules are')} set now. The firewall is ${enabled ? 'enabled' : 'disabled'}.`,
      ),
    ],
  };
}

/** What is set now, of each server by name where there are several. */
export const setNow = (targets: readonly Server[], looks: readonly Look[]): Markup[] =>
  targets.flatMap((target, i) =>
    (looks[i]?.says ?? []).map((says) => (targets.length === 1 ? says : md`${trusted(shortName(target))}: ${says}`)),
  );
