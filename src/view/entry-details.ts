import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import { type Reason, reasons, sayerOf } from '../reasons.ts';
import { readEffect } from '../runs/effects.ts';
import { foldedIn, type Kind, type RunEntry } from '../runs/entry.ts';
import type { ReadRules } from '../runs/kept.ts';
import type { Formatter } from './formatter.ts';
import { typedName, typedOptions } from './words.ts';

/** Sentences that entries of several kinds have among their details. */

/** Maximum lengths in characters, so that all details together fit on a card. */
export const longest = { options: 1000, facts: 300, said: 500, undo: 400, note: 2000, asked: 100 };

export const isEmpty = (members: object): boolean => Object.keys(members).length === 0;

/** Why it ended, the details, and the panel's message. */
export const why = (
  { detail, said }: Pick<Kind<'outcome'>, 'detail' | 'said'>,
  format: Formatter,
  reason?: Reason,
): Markup[] => [
  ...(reason === undefined ? [] : [md`${trusted(reasons[reason].why)} (${reason})`]),
  ...(detail === undefined ? [] : [format.detail(detail)]),
  ...(said === undefined ? [] : [md`${trusted(sayerOf(reason))}: ${quote(said, longest.said)}`]),
];

/** How to undo it, and when the reminder is due. */
export const ways = (
  { undo, remind, run }: Kind<'outcome' | 'denied' | 'resolved'>,
  { server, time }: Formatter,
): Markup[] => [
  ...(undo === undefined
    ? []
    : [
        md`Undo: ${quote(`${typedName(undo.command)} ${typedOptions(undo.options, (id) => server(id, run))}`, longest.undo)}.`,
      ]),
  ...(remind === undefined ? [] : [md`To be reminded ${time(remind)}.`]),
];

/** The message of the step. */
export const messageOf = ({ place }: RunEntry, format: Formatter): Markup[] =>
  place.message === undefined ? [] : [md`${format.message({ ...place, message: place.message })}.`];

/** "4 rules on `primary`, SHA-256 `59272dc36646…`", shortened like the hashes of entries. */
export const rulesOf = ({ count: rules, interface: name, sha256 }: ReadRules): Markup =>
  md`${trusted(count(rules, 'rule'))} on ${quote(name)}, SHA-256 ${`${sha256.slice(0, 12)}…`}`;

/** A click by somebody who lacks the permission; and how many denials were counted together, with their time range. */
export function ofDenied(entry: Kind<'denied'>, { person, time }: Formatter): Markup[] {
  const { pressed } = entry;
  const folded = foldedIn(entry);
  return [
    ...(pressed === undefined
      ? []
      : [md`Pressed ${quote(pressed.button)} on run ${pressed.run} of ${person(pressed.of)}.`]),
    ...(folded === undefined
      ? []
      : [
          md`Counted together, ${time(folded.first)} to ${time(folded.last)}: ${list(countedOf(folded))}.`,
          ...(folded.digest === undefined ? [] : [md`Digest: ${folded.digest}`]),
        ]),
  ];
}

function countedOf({ count: all, commands }: Kind<'denied'>['folded'] & object): Markup[] {
  const others = all - commands.reduce((sum, each) => sum + each.count, 0);
  const named = commands.map(({ command, server, pressed, count: times }) => {
    const asked = server === undefined ? '' : ` ${typedOptions({ server })}`;
    const button = pressed === undefined ? '' : `${pressed} on `;
    return md`${quote(`${button}${typedName(command)}${asked}`, longest.asked)} ×${times}`;
  });
  return others === 0 ? named : [...named, trusted(`others ×${others}`)];
}

/** Shows an effect that this version does not know unchanged. */
export function effectWords(text: string): Markup {
  const effect = readEffect(text);
  switch (effect?.kind) {
    case 'firewall-off':
      return md`firewall disabled (${side(effect.interface)} interface)`;
    case 'no-rules':
      return md`firewall left without rules (${side(effect.interface)} interface)`;
    case 'down':
      return trusted('server shut down');
    case 'throttle':
      return trusted('throttle set');
    case 'whitelist':
      return md`${effect.network} on the whitelist (${side(effect.interface)} interface)`;
    case 'unapplied':
      return effect.what === 'firewall'
        ? md`firewall stored and not applied (${side(effect.interface)} interface)`
        : trusted('throttle stored and not applied');
    case undefined:
      return quote(text);
  }
}

/** Quotes any other name: a ledger could hold one. */
const side = (name: string): Markup => (name === 'primary' || name === 'secondary' ? trusted(name) : quote(name));
