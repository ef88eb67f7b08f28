import { joined, type Markup, trusted } from '../src/card.ts';
import type { Kept, Look, Past } from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import { setNow } from './firewall-look.ts';
import type { NetworkInterface } from './options.ts';

/** Rules can only be set as rulesets: those that gave what is removed, if the ledger knows them. */
const setAgain = {
  command: 'firewall.replace',
  options: (
    target: Server,
    input: { interface: NetworkInterface; sync: boolean },
    _data: unknown,
    { gave }: Past,
  ): RawOptions | undefined =>
    typeof gave?.['rulesets'] !== 'string'
      ? undefined
      : { server: String(target.id), interface: input.interface, rulesets: gave['rulesets'], sync: input.sync },
};

/** What is set now and the lines after it, beginning with whether that can be set again. */
export function withWayBack(targets: readonly Server[], looks: readonly Look[], more: readonly Markup[]): Markup[] {
  const [first, ...others] = [...setNow(targets, looks), ...more];
  const words = wordsOf(looks);
  const all = [...(words === undefined ? [] : [words]), ...(first === undefined ? [] : [first])];
  return [joined(all, ' '), ...others];
}

/** For the question of what removes all rules: whether Undo will know a way back, and what is kept if not. Undefined: no rule is set. */
function wordsOf(looks: readonly Look[]): Markup | undefined {
  const all = looks.flatMap(({ kept, gave }) => (kept === undefined ? [] : [{ kept, gave }]));
  const removed = all.filter(({ kept }) => kept.count > 0);
  const known = removed.filter(({ gave }) => gave !== undefined);
  if (all.length === 0) return trusted('**Cannot be undone.**');
  if (removed.length === 0) return undefined;
  const isKept = removed.every(({ kept }) => kept.rules !== undefined);
  if (known.length === removed.length) return trusted('**Undo can apply the rulesets that produced these rules.**');
  if (known.length > 0)
    return trusted(`**Undo for some only; ${isKept ? 'a file keeps the rules' : 'not all rules can be kept'}.**`);
  return trusted(
    isKept
      ? '**Cannot be undone; a file keeps the rules.**'
      : '**Cannot be undone, and the rules are too large to keep: save them first.**',
  );
}

/** Undo where it is known, and what the card says on those servers where not. `none`: if no rule was set there. */
export const wayBack = (none: string) => ({
  undo: setAgain,
  noUndo(_input: object, _servers: readonly Server[], kept: readonly Kept[]): Markup {
    if (kept.length === 0) return trusted('Cannot be undone.');
    if (kept.every(({ count }) => count === 0)) return trusted(none);
    return trusted('Cannot be undone: the panel takes rulesets, not single rules.');
  },
});
