import { commands } from '../../../commands/index.ts';
import type { Card } from '../../../src/card.ts';
import type { RawOptions } from '../../../src/outcome.ts';
import { readCard } from '../../../src/shell/read.ts';
import { followUpsOf, lenientRules, panelOf, readPartsOf } from '../stand-ins.ts';
import { at, commandOf, now } from './typed.ts';

export const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
export const place = { guild: '1100000000000000001', channel: '1300000000000000001' };

/** The card of a command that changes nothing, for alice, who may do everything. `differs`: the parts that matter. */
export function looked(
  id: string,
  raw: RawOptions,
  differs: Partial<Parameters<typeof readCard>[0]> = {},
  part = 0,
): Promise<Card> {
  const command = commandOf(id);
  const prepared = command.prepare(raw, at(now));
  if (prepared.kind === 'change') throw new Error(`${id} changes the panel`);
  const parts = {
    ...readPartsOf(),
    rules: { ...lenientRules, find: at(now).find },
    commands,
    panel: panelOf({ kind: 'yes', data: {} }),
    followUps: followUpsOf(),
    ...differs,
  };
  return readCard(parts, { actor: alice, place, audience: 'private' }, command, prepared, part);
}
