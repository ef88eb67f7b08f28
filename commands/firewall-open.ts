import { joined, type Markup, md, trusted } from '../src/card.ts';
import type { Access, Kept, Past, Preview, Tools, View } from '../src/command.ts';
import type { RawOptions, Server } from '../src/outcome.ts';
import { gatherOnServer, isLeft, type LeftItem } from '../src/view/handover.ts';
import { typedName } from '../src/view/words.ts';
import { setNow } from './firewall-look.ts';
import { closingOffers, mayOf } from './open-here.ts';
import type { NetworkInterface } from './options.ts';

/** Who may run this sees what the ledger knows to be open. */
export const openSource = 'handover';

type Known = Required<Pick<View, 'body' | 'offers' | 'includes'>>;
const nothing: Known = { body: [], offers: [], includes: [] };

interface Firewall {
  target: Server;
  networkInterface: NetworkInterface;
  enabled: boolean;
}

/** What the ledger knows of this firewall, and what closes it: who disabled it, and what is stored and not applied. */
export function firewallOpen(
  { target, networkInterface, enabled }: Firewall,
  { access, tools }: { access: Access; tools: Tools },
): Known {
  const may = mayOf(access, target);
  if (!may(openSource)) return nothing;
  const items = gatherOnServer(tools.records, target, tools.now).filter(isLeft);
  const here = items.filter(concerns(networkInterface, enabled));
  const lines = here.map(lineOf);
  return {
    body:
      enabled || lines.length > 0
        ? lines
        : [trusted('It was not disabled through this bot, as far as its ledger knows.')],
    offers: closingOffers(tools, may, here),
    includes: here.length === 0 ? [] : [openSource],
  };
}

const concerns =
  (networkInterface: NetworkInterface, enabled: boolean) =>
  (item: LeftItem): boolean => {
    if (item.group === 'unknown') return changesFirewall(item.entry, networkInterface);
    const { effect } = item;
    if (effect === undefined || !('interface' in effect) || effect.interface !== networkInterface) return false;
    return effect.kind === 'unapplied' || (effect.kind === 'firewall-off' && !enabled);
  };

const changesFirewall = ({ command, options }: LeftItem['entry'], networkInterface: NetworkInterface): boolean =>
  command.startsWith('firewall.') && (options['interface'] ?? 'primary') === networkInterface;

function lineOf(item: LeftItem): Markup {
  if (item.effect === undefined)
    return md`**${trusted(typedName(item.entry.command))} ended unknown** ${changedBy(item)}`;
  return item.effect.kind === 'firewall-off'
    ? md`**Disabled** ${changedBy(item)}`
    : md`**A change is stored and not applied**: ${changedBy(item)}`;
}

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
export function withWayBack(targets: readonly Server[], looks: readonly Preview[], more: readonly Markup[]): Markup[] {
  const [first, ...others] = [...setNow(targets, looks), ...more];
  const words = wordsOf(looks);
  const all = [...(words === undefined ? [] : [words]), ...(first === undefined ? [] : [first])];
  return [joined(all, ' '), ...others];
}

/** For the question of what removes all rules: whether Undo will know a way back, and what is kept if not. Undefined: no rule is set. */
function wordsOf(looks: readonly Preview[]): Markup | undefined {
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

/** "20 minutes ago by @bob · card. Reason: `locked out by rule 7`" */
function changedBy({ line, entry }: LeftItem): Markup {
  const { reason } = entry.options;
  return typeof reason === 'string' ? md`${line}. Reason: ${reason}` : line;
}
