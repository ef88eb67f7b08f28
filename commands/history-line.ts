import { joined, list, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import { marks } from '../src/outcome.ts';
import type { Entry, RunEntry } from '../src/runs/entry.ts';
import { askedOf, clickOf, titleOf } from '../src/view/details.ts';
import type { Run } from '../src/view/select.ts';
import { cardOf } from '../src/view/unfinished.ts';
import { mention, saidOf, saysOf, serverOf, typedName } from '../src/view/words.ts';

/** "⊗ **DENIED** /firewall flush `server:web-1` · @carol 5 minutes ago · `9kq….1`", or with a link to its card. */
export function line({ run, first, furthest, end, resolved, entries }: Run): Markup {
  const { command, server, actor } = first;
  const on = server === undefined ? [] : [serverOf(server)];
  const [button, whose] = clickOf(first);
  const what = [...button, trusted(typedName(command)), ...on, ...askedOf(first), ...whose, ...glassOf(entries)];
  const last = (resolved?.seq ?? 0) > (end?.seq ?? 0) ? resolved : end;
  const title = last?.kind === 'resolved' ? saidOf(last) : titleOf(last ?? furthest);
  const [card = quote(run)] = cardOf(entries);
  return md`${markOf(title)} **${trusted(title)}**${saysOf(last)} ${joined(what, ' ')} · ${whoRan(actor, entries)} ${ago(furthest)} · ${card}`;
}

/** What a phone shows first. The titles of steps that are no state, such as IS RUNNING, are those of what is under way. */
function markOf(title: string): Markup {
  const word = title.toLowerCase().replace(/ ×\d+$/, '');
  return trusted(Object.entries(marks).find(([state]) => state === word)?.[1] ?? marks.working);
}

/** "· break-glass", wherever such a run is named. */
export const glassOf = (entries: readonly RunEntry[]): Markup[] =>
  entries.some((entry) => entry.kind === 'asked' && entry.glass !== undefined) ? [trusted('· break-glass')] : [];

/** Whoever took on a request is named before whoever made it. */
function whoRan(actor: RunEntry['actor'], entries: readonly RunEntry[]): Markup {
  const runner = entries.find(({ kind }) => kind === 'asked')?.actor;
  const isSame = runner === undefined || runner.id === actor.id;
  const who = isSame ? mention(actor) : md`${mention(runner)}, for ${mention(actor)}`;
  const by = entries.flatMap((entry) => (entry.kind === 'approved' ? [mention(entry.actor)] : []));
  const whole = by.length === 0 ? who : md`${who}, approved by ${list(by)}`;
  return whole === who && isSame ? who : md`${whole},`;
}

export const ago = ({ time: iso }: Entry): Markup => moment(Date.parse(iso));
